import Foundation
import Marketplace
import Reconciliation
import Reports
import TestSupport
import Testing

/// One account in trouble: what the night says of it, and that everything about the others is as on a calm night.
@Suite("Marketplace accounts in trouble", .onItsOwnThread, .serialized)
struct MarketTroubleTests {
  /// Something that goes wrong at one account.
  struct Trouble: Sendable, CustomTestStringConvertible {
    var what: String
    var account: String
    /// What falls on every download; else what happens to the account's files.
    var fault: FaultPlan.Kind?
    var spoil: @Sendable (String) throws -> Void = { _ in }
    /// Words of the sentence that says so, or of the quarantine; none: the night is whole.
    var words: [String]
    /// False: nothing that rests on the account is withheld.
    var withholds = true
    /// A finding of its own.
    var finding: String?
    var testDescription: String { what }
  }

  static let troubles: [Trouble] = wire + files

  /// What an Adyen download can meet.
  private static let wire: [Trouble] = [
    Trouble(
      what: "the report user is refused", account: "adyen_nl", fault: .status(401),
      words: ["adyen_nl", "401", "password"]),
    Trouble(what: "its role is missing", account: "adyen_nl", fault: .forbidden, words: ["adyen_nl", "403", "role"]),
    Trouble(
      what: "a storm of 429", account: "adyen_nl", fault: .rateLimited(retryAfter: 0), words: ["adyen_nl", "429"]),
    Trouble(what: "only server errors", account: "adyen_nl", fault: .status(503), words: ["adyen_nl", "503"]),
    Trouble(what: "every body is cut", account: "adyen_nl", fault: .cutBody(0.5), words: ["adyen_nl", "broke off"]),
    Trouble(
      what: "a page instead of a report", account: "adyen_nl", fault: .body(200, "<html><h1>Sign in</h1></html>"),
      words: ["adyen_nl", "settlement_detail_report_batch_212"]),
  ]

  private static let files: [Trouble] = [
    Trouble(
      what: "Adyen: a notification that somebody else signed", account: "adyen_nl",
      spoil: {
        let line = try text("\($0)/adyen-notifications", named: "AcmeNL-1.jsonl").split(separator: "\n")[0]
        try add(
          "forged.json", String(line).replacing("\"value\":", with: "\"value\":9"), to: "\($0)/adyen-notifications")
      }, words: ["adyen_nl", "forged.json"], withholds: false),
    Trouble(
      what: "Adyen: a report announced at another host", account: "adyen_nl",
      spoil: {
        try edit("\($0)/adyen-notifications", named: "AcmeNL-1.jsonl") {
          $0.replacing("https://ca-live.adyen.com/", with: "https://evil.example/", maxReplacements: 1)
        }
      }, words: ["adyen_nl", "AcmeNL-1.jsonl"], withholds: false),
    Trouble(
      what: "Adyen: a report is missing between two", account: "adyen_uk",
      spoil: {
        try FileManager.default.removeItem(
          atPath: "\($0)/adyen_uk-reports/\(name("\($0)/adyen_uk-reports", "batch_5"))")
      },
      words: ["adyen_uk"], finding: "batch_gap"),
    Trouble(
      what: "Cash App: a file half written", account: "cashapp",
      spoil: { try halve("\($0)/cashapp-settlements", named: "20260310_settlement_report") },
      words: ["cashapp", "20260310_settlement_report"]),
    Trouble(
      what: "Cash App: a file of another client", account: "cashapp",
      spoil: {
        try add(
          "20260309_settlement_report_client_CA-CI_other_batch_STB_X_chunk_0.csv",
          "merchant_id,net_amount\nMMI_x,100\n",
          to: "\($0)/cashapp-settlements")
      }, words: []),
    Trouble(
      what: "Cash App: a date in the wrong order", account: "cashapp",
      spoil: {
        try edit("\($0)/cashapp-settlements", named: "20260310_settlement_report") {
          $0.replacing("2026-03-10T", with: "10-03-2026T", maxReplacements: 1)
        }
      }, words: ["cashapp"]),
    Trouble(
      what: "Adyen: a report half written", account: "adyen_uk",
      spoil: { try halve("\($0)/adyen_uk-reports", named: "batch_9") },
      words: ["adyen_uk", "settlement_detail_report_batch_9"]),
    Trouble(
      what: "Adyen: a report of another merchant account", account: "adyen_uk",
      spoil: { folder in
        let report = try text("\(folder)/adyen_uk-reports", named: "batch_9")
        try add(
          "settlement_detail_report_batch_77.csv",
          report.replacing("AcmeUK", with: "OtherShop").replacing("batch 9", with: "batch 77"),
          to: "\(folder)/adyen_uk-reports")
      }, words: []),
    Trouble(
      what: "Adyen: a date in the wrong order", account: "adyen_uk",
      spoil: {
        try edit("\($0)/adyen_uk-reports", named: "batch_9") {
          $0.replacing("2026-03-0", with: "03-2026-0", maxReplacements: 1)
        }
      },
      words: ["adyen_uk"]),
  ]

  @Test("a sentence, an incomplete night, and nothing else changed", arguments: troubles)
  func trouble(_ trouble: Trouble) async throws {
    let accounts: [AccountPlan] = [.adyenNL, .adyenUK, .cashApp]
    let market = try Market.generate(MarketPlan(seed: 31, accounts: accounts, orders: 240, faults: 50, nights: 1))
    let calm = try await run(market) { _ in }
    let night = try await run(market, trouble.fault.map { (trouble.account, $0) }, spoil: trouble.spoil)
    #expect(night.reasons.isEmpty == trouble.words.isEmpty, "\(night.reasons)")
    for word in trouble.words {
      #expect(
        (night.reasons + night.quarantine).contains { $0.contains(word) },
        "\(word) in \(night.reasons) and \(night.quarantine)")
    }
    if let finding = trouble.finding { #expect(night.findings.contains { $0.contains(",\(finding),") }) }
    let isConcerned = { (row: String) in
      trouble.withholds && !trouble.words.isEmpty && row.contains(",\(trouble.account),")
    }
    #expect(night.findings.filter { !isConcerned($0) } == calm.findings.filter { !isConcerned($0) })
  }

  /// What a night says.
  private struct Outcome {
    /// Why it is incomplete.
    var reasons: [String]
    var quarantine: [String]
    var findings: [String]
  }

  private func run(
    _ market: Market, _ fault: (account: String, kind: FaultPlan.Kind)? = nil, spoil: (String) throws -> Void
  ) async throws -> Outcome {
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    if let fault { servers.accounts[fault.account]?.faults = FaultPlan([.init(fault.kind, path: "/reports")]) }
    return try await withStoryStore(.sqlite) { folder, url in
      let report = try await MarketNight(servers: servers, night: 1, folder: folder, storeURL: url).report(
        attempts: 2, spoil: spoil)
      let place = try #require(report.summary.location)
      return Outcome(
        reasons: report.summary.reasons, quarantine: try lines("\(place)/quarantine.csv"),
        findings: try lines("\(place)/discrepancies.csv").sorted())
    }
  }

  private func lines(_ file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

extension MarketTroubleTests {
  /// The name of the first file whose name holds a text.
  private static func name(_ folder: String, _ part: String) throws -> String {
    try #require(try FileManager.default.contentsOfDirectory(atPath: folder).sorted().first { $0.contains(part) })
  }

  private static func text(_ folder: String, named part: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name(folder, part))", encoding: .utf8)
  }

  private static func add(_ name: String, _ text: String, to folder: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  private static func edit(_ folder: String, named part: String, _ change: (String) -> String) throws {
    let (name, before) = (try name(folder, part), try text(folder, named: part))
    let after = change(before)
    #expect(after != before)
    try add(name, after, to: folder)
  }

  /// Leaves the first half of a file, which ends inside a row.
  private static func halve(_ folder: String, named part: String) throws {
    try edit(folder, named: part) { text in
      let half = text.prefix(text.count / 2)
      return half.hasSuffix("\n") ? String(half.dropLast(5)) : String(half)
    }
  }
}
