import Foundation
import TestSupport
import Testing

@Suite("Journals at the command line", .onItsOwnThread)
struct JournalTests {
  private func export(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      ["export", "journal"] + site.days() + ["--resources", NightSite.checkout] + arguments, in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// A demo night of every provider with its journals, as beancount and hledger find them.
  private struct Exported {
    let folder: TemporaryFolder
    let reports: String

    init() throws {
      let (folder, workbook) = try DemoNight.publish()
      self.folder = folder
      reports = (workbook.path as NSString).deletingLastPathComponent
      for format in ["beancount", "hledger", "csv"] {
        let ended = try CommandRun(
          [
            "export", "journal", "--format", format, "--output", "\(folder.path)/night.\(format)", "--from",
            "2026-03-01", "--to", "2026-03-10",
          ]
            + ["--config", "\(folder.path)/demo/crossfoot.yml", "--resources", NightSite.checkout], in: folder.path)
        #expect(ended.status == 0, "\(ended.errors)")
      }
    }

    func problems() throws -> [String] {
      let night = folder.path + "/night"
      return try JournalExaminer.problems(
        beancount: night + ".beancount", hledger: night + ".hledger", csv: night + ".csv", reports: reports)
    }

    /// Changes the first line of both journals, or of the next one below it, in which all those words stand.
    func change(_ words: [String], from old: String, to new: String) throws {
      for format in ["beancount", "hledger"] {
        var lines = try folder.read("night.\(format)").components(separatedBy: "\n")
        let place = try #require(
          lines.firstIndex { line in words.allSatisfy(line.contains) && line.contains(old) }, "\(words)")
        lines[place] = lines[place].replacing(old, with: new)
        try folder.write("night.\(format)", lines.joined(separator: "\n"))
      }
    }
  }

  @Test(
    "beancount and hledger accept the journals of every provider, and their balances are those of the reports"
  )
  func accepted() throws {
    let exported = try Exported()
    #expect(try exported.problems() == [])
    let text = try exported.folder.read("night.beancount")
    for part in [
      " balance Assets:Provider:Stripe:", "  payment: \"", "  order: \"", "  record: \"", "  payout: \"",
      "* \"Opening\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  /// What is changed by hand in both journals, and what is found.
  static let corruptions: [(words: [String], old: String, new: String, found: String)] = [
    (
      ["  Liabilities:Connected:"], "Liabilities:Connected:Stripe:Acct-seller",
      "Liabilities:Connected:Stripe:Acct-seler", "account"
    ),
    (["  Liabilities:Connected:", "EUR  "], " EUR", " USD", "balance"),
    (["* ", "transfer"], "transfer", "fee", "transferred"),
    (["* ", "payout"], "payout", "transfer", "payouts.csv"),
    (["  Assets:Provider:Stripe:", "EUR  "], "EUR  ", "EUR  1", "balance"),
  ]

  @Test("What is changed by hand is found: the test can fail")
  func refused() throws {
    let exported = try Exported()
    let texts = try ["night.beancount", "night.hledger"].map { ($0, try exported.folder.read($0)) }
    for corruption in Self.corruptions {
      try exported.change(corruption.words, from: corruption.old, to: corruption.new)
      let problems = try exported.problems()
      #expect(problems.contains { $0.localizedCaseInsensitiveContains(corruption.found) }, "\(corruption): \(problems)")
      for (name, text) in texts { try exported.folder.write(name, text) }
    }
  }

  @Test("The lines for accounting packages hold each entry twice, debit and credit, and add up")
  func lines() async throws {
    try await NightSite.serve { site in
      try site.configure(
        further:
          "\njournal: {platform: \"Assets:PSP\", connected: \"Liabilities:Sellers\", provider: \"4730\", "
          + "bank.stripe.EUR: \"1000\"}\n"
      )
      _ = try await site.run()
      let exported = try await export(site, ["--format", "csv"])
      #expect(exported.status == 0)
      let lines = exported.output.split(separator: "\n").map { $0.components(separatedBy: ",") }
      #expect(
        lines.first == [
          "date", "account", "debit", "credit", "currency", "reference", "memo", "account_name", "period",
        ])
      for name in ["Assets:PSP:Stripe:Acct-", "Liabilities:Sellers:Stripe:Acct-", "Expenses:Provider:Stripe:Acct-"] {
        #expect(lines.contains { $0[7].hasPrefix(name) }, "\(name)")
      }
      for line in lines.dropFirst() {
        let code =
          line[7].hasPrefix("Expenses:Provider:")
          ? "4730" : line[7].wholeMatch(of: /Assets:Bank:Stripe:.*:EUR/) != nil ? "1000" : line[7]
        #expect(line[1] == code, "an account with a code is known by it alone")
      }
      var sums: [String: (debit: Decimal, credit: Decimal)] = [:]
      for line in lines.dropFirst() {
        sums[line[4], default: (0, 0)].debit += Decimal(string: line[2]) ?? 0
        sums[line[4], default: (0, 0)].credit += Decimal(string: line[3]) ?? 0
      }
      #expect(!sums.isEmpty)
      for (currency, sum) in sums { #expect(sum.debit == sum.credit, "\(currency)") }
      let entries = try site.lines("entries.csv").count
      #expect(lines.dropFirst().filter { $0[6] != "Opening" }.count == 2 * entries)
    }
  }

  @Test("A journal leads from the opening to the closing of the roll-forward, with rows between midnight and the pull")
  func rollForward() async throws {
    try await NightSite.serve(seed: 9, orders: 150, nights: 2) { site in
      for night in 1...2 {
        try site.configure(night: night)
        #expect(try await site.run(night: night).status < 2)
        let exported = try await CommandRun(
          ["export", "journal", "--format", "csv"] + site.days(night) + ["--resources", NightSite.checkout],
          in: site.folder.path, environment: ["STRIPE_API_KEY": NightSite.key])
        #expect(!exported.output.contains("Unexplained"), "night \(night)")
        let lines = exported.output.split(separator: "\n").map { $0.components(separatedBy: ",") }
        let ours = lines.filter { $0[7].hasPrefix("Assets:Provider:Stripe:") }
        let rows = try site.lines("roll_forward.csv", night: night).map { $0.components(separatedBy: ",") }
          .filter { $0[0] == "platform" }
        #expect(rows.count > 2)
        for row in rows {
          let sums = ours.filter { $0[4] == row[4] }.map { line in
            (line[6] == "Opening", (Decimal(string: line[2]) ?? 0) - (Decimal(string: line[3]) ?? 0))
          }
          let opening = sums.filter(\.0).map(\.1).reduce(0, +)
          #expect(opening == Decimal(string: row[5]), "night \(night): the opening in \(row[4])")
          #expect(sums.map(\.1).reduce(0, +) == Decimal(string: row[18]), "night \(night): the closing in \(row[4])")
        }
      }
    }
  }

  @Test("A name that no journal takes is refused")
  func badName() async throws {
    try await NightSite.serve { site in
      try site.configure(further: "\njournal: {platform: \"my bank\"}\n")
      let exported = try await export(site, ["--format", "hledger"])
      #expect(exported.status == 78)
      #expect(exported.errors.contains("journal.platform: expected an account such as Assets:Provider"))
    }
  }
}
