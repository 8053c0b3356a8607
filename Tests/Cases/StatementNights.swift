import Foundation
import Marketplace
import Payments
import Sheets
import TestSupport
import Testing

/// A marketplace that was pulled once, and the statements of any of its days from what has landed.
struct StatementNights {
  let folder: String
  private let night: MarketNight

  /// The statements of some days, and what the reconciliation says of the accounts.
  struct Period {
    /// The statements by their path, and their list.
    var files: [String: Data] = [:]
    var rollForward: RollForward?
    /// A statement's rows by provider, account and currency.
    var rows: [String: [[String: String]]] = [:]
    /// connected_accounts.csv.
    var accounts: [[String: String]] = []
    var list: [[String: String]] = []

    func balance(_ key: String, _ place: KeyPath<[[String: String]], [String: String]?>) -> String {
      rows[key]?[keyPath: place]?["balance"] ?? ""
    }

    /// The rows between opening and closing.
    func movements(_ key: String) -> [[String: String]] {
      (rows[key] ?? []).filter { !["opening", "closing"].contains($0["type"]) }
    }
  }

  static func serve(_ seed: UInt64, _ engine: TestStore, _ body: (StatementNights) async throws -> Void) async throws {
    let market = try Market.generate(MarketPlan(seed: seed, accounts: [.stripe], orders: 150, faults: 24))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    try await withStoryStore(engine) { folder, url in
      var night = MarketNight(servers: servers, night: 1, folder: folder, storeURL: url)
      _ = try await night.publish()
      night.pulls = false
      night.writesStatements = true
      try await body(StatementNights(folder: folder, night: night))
    }
  }

  /// Whose statement a row is.
  static func key(_ row: [String: String]) -> String {
    ["provider", "connected_account", "currency"].map { row[$0] ?? "" }.joined(separator: " ")
  }

  /// Reports the days with their statements.
  func report(_ first: String, _ last: String) async throws -> Period {
    var night = night
    night.days = (try #require(BusinessDay(first)), try #require(BusinessDay(last)))
    let place = try #require(try await night.report().summary.location)
    var period = Period()
    period.files = try StoryTests.files(URL(fileURLWithPath: place).resolvingSymlinksInPath().path).filter {
      $0.key.hasPrefix("statements")
    }
    period.rollForward = try RollForward(StoryTests.files(URL(fileURLWithPath: place).resolvingSymlinksInPath().path))
    period.accounts = try CSVTable("\(place)/connected_accounts.csv").rows
    period.list = try CSVTable("\(place)/statements.csv").rows
    for line in period.list { period.rows[Self.key(line)] = try CSVTable("\(place)/\(line["file"] ?? "")").rows }
    return period
  }

  /// The texts of a workbook's rows that have any, of the days that were reported last.
  func cells(_ workbook: String, first: String, last: String) throws -> [[String]] {
    var rows: [[String]] = []
    let reader = try WorkbookReader(path: "\(folder)/output/\(first == last ? first : "\(first)_\(last)")/\(workbook)")
    try reader.rows(ofSheet: "Statement") { _, cells in rows.append(cells.map(\.text)) }
    return rows
  }
}
