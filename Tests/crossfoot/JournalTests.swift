import Foundation
import Testing

@Suite("Journals at the command line")
struct JournalTests {
  private func export(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      ["export", "journal"] + site.days() + ["--resources", NightSite.checkout] + arguments, in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// Runs a checker of another project where it is installed; the packages of scripts/setup test bring both.
  private func check(_ program: String, _ arguments: [String]) throws {
    let path = "/usr/bin/\(program)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      Issue.record("\(program) is not installed: scripts/setup test installs it")
      return
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let said = Pipe()
    process.standardError = said
    process.standardOutput = said
    try process.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program): \(text.prefix(2000))")
  }

  @Test("beancount and hledger accept the journal of a night, stated balances included")
  func accepted() async throws {
    try await NightSite.serve(faults: 30) { site in
      _ = try await site.run()
      #expect(try await export(site, ["--format", "beancount", "--output", "night.beancount"]).status == 0)
      #expect(try await export(site, ["--format", "hledger", "--output", "night.hledger"]).status == 0)
      try check("bean-check", [site.folder.path + "/night.beancount"])
      try check("hledger", ["-f", site.folder.path + "/night.hledger", "check", "--strict"])
      let text = try site.folder.read("night.beancount")
      #expect(text.contains(" balance Assets:Provider:"))
    }
  }

  @Test("A wrong amount or a wrong statement is refused by the checkers: the test can fail")
  func refused() async throws {
    try await NightSite.serve { site in
      _ = try await site.run()
      _ = try await export(site, ["--format", "beancount", "--output", "night.beancount"])
      let text = try site.folder.read("night.beancount")
      let line = try #require(text.split(separator: "\n").last { $0.contains(" balance ") })
      try site.folder.write("wrong.beancount", text.replacing(line, with: line.replacing(" ~ 0", with: "1 ~ 0")))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/bean-check")
      process.arguments = [site.folder.path + "/wrong.beancount"]
      process.standardError = Pipe()
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus != 0)
    }
  }

  @Test("The lines for accounting packages hold each entry twice, debit and credit, and add up")
  func lines() async throws {
    try await NightSite.serve { site in
      _ = try await site.run()
      let exported = try await export(site, ["--format", "csv"])
      #expect(exported.status == 0)
      let lines = exported.output.split(separator: "\n").map { $0.components(separatedBy: ",") }
      #expect(lines.first == ["date", "account", "debit", "credit", "currency", "reference", "memo"])
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
