import Foundation
import Marketplace
import OrderSources
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import TestSupport
import Testing

/// The seeded marketplace: every planted fault is found, with its type, order and payment, and nothing else.
@Suite("Marketplace nights", .onItsOwnThread, .serialized)
struct MarketplaceTests {
  /// Orders and faults of a market: 20,000 and 400 in the full run (scripts/test), fewer where nobody asks.
  static let orders = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_ORDERS"].flatMap(Int.init) ?? 2_000
  static let faults = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_FAULTS"].flatMap(Int.init) ?? 120
  /// The same of a market over every provider.
  static let ordersOfAll = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_ORDERS"].flatMap(Int.init) ?? 700
  static let faultsOfAll = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_FAULTS"].flatMap(Int.init) ?? 210
  /// Ten seeds; by number, where somebody asks for some only.
  static let seeds: [UInt64] = {
    let asked = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_SEEDS"]?.split(separator: ",").compactMap {
      UInt64($0)
    }
    return asked ?? Array(1...10)
  }()
  /// The accounts of a night over every provider; by name, where somebody asks for some only.
  static let accounts: [AccountPlan] = {
    let asked = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_ACCOUNTS"]?.split(separator: ",").map(String.init)
    return AccountPlan.all.filter { asked?.contains($0.name) ?? true }
  }()

  @Test("recall and precision are 1 on both nights", arguments: seeds)
  func everyFault(seed: UInt64) async throws {
    try await compareNights(seed, .sqlite, FaultPlan())
  }

  @Test("the same on PostgreSQL, and through 429s, server errors, cut bodies and duplicates: the same bytes")
  func roughWeather() async throws {
    let calm = try await compareNights(11, .sqlite, FaultPlan())
    let rough = try await compareNights(11, .sqlite, .roughWeather())
    #expect(differing(calm, rough) == [], "seed 11")
    guard TestStore.postgresqlURL != nil else { return }
    #expect(differing(try await compareNights(11, .postgresql, FaultPlan()), calm) == [], "seed 11")
  }

  /// The files that are not the same, by night; the workbook says which landed files it rests on, and these were pulled
  /// apart.
  private func differing(_ one: [[String: Data]], _ other: [[String: Data]]) -> [String] {
    zip(one, other).enumerated().flatMap { night, files in
      Set(files.0.keys).union(files.1.keys).subtracting(["reconciliation.xlsx"]).sorted()
        .filter { files.0[$0] != files.1[$0] }
        .map { "night \(night + 1): \($0)" }
    }
  }

  @Test("every provider in one night: recall and precision are 1 on both nights", arguments: seeds)
  func everyProvider(seed: UInt64) async throws {
    try await compareNights(seed, .sqlite, FaultPlan(), Self.accounts)
  }

  @Test("every provider on PostgreSQL, and through rough weather: the same bytes")
  func everyProviderInRoughWeather() async throws {
    let calm = try await compareNights(12, .sqlite, FaultPlan(), Self.accounts)
    let rough = try await compareNights(12, .sqlite, .roughWeather(), Self.accounts)
    #expect(differing(calm, rough) == [], "seed 12")
    guard TestStore.postgresqlURL != nil else { return }
    #expect(differing(try await compareNights(12, .postgresql, FaultPlan(), Self.accounts), calm) == [], "seed 12")
  }

  @discardableResult
  private func compareNights(
    _ seed: UInt64, _ engine: TestStore, _ faults: FaultPlan, _ accounts: [AccountPlan] = [.stripe]
  ) async throws -> [[String: Data]] {
    let isMixed = accounts != [.stripe]
    let market = try Market.generate(
      MarketPlan(
        seed: seed, accounts: accounts, orders: isMixed ? Self.ordersOfAll : Self.orders,
        faults: isMixed ? Self.faultsOfAll : Self.faults))
    let servers = try await MarketServers.start(market, faults: faults)
    defer { Task { await servers.stop() } }
    return try await withStoryStore(engine) { folder, url in
      var published: [[String: Data]] = []
      for night in 1...market.plan.nights {
        let clock = ContinuousClock()
        let (start, run) = (clock.now, MarketNight(servers: servers, night: night, folder: folder, storeURL: url))
        let place = try await run.publish()
        let tally = try run.compare(place)
        published.append(try run.files(place))
        if Self.isAsked {
          print("\(market.plan.words) night \(night): \(tally), \((clock.now - start).components.seconds) s")
        }
      }
      return published
    }
  }

  /// Whether somebody asked for a market of a size of their own: then each night says how it went (scripts/market).
  private static let isAsked = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_ORDERS"] != nil
}

extension MarketPlan {
  fileprivate var words: String { "seed \(seed): \(orders) orders, \(accounts.count) accounts, \(faults) faults;" }
}

/// One night of a market, run and compared with what was planted.
struct MarketNight {
  let servers: MarketServers
  let night: Int
  let folder: String
  let storeURL: String
  var resources = ResourceFolders(root: TestStore.repository)
  /// Asks the endpoint; else works with what has landed.
  var pulls = true
  var writesStatements = false
  var derivesWhole = false
  var keepsResults = true
  var jobs: Int?
  var batchSize: Int?
  /// Lines at the end of the configuration.
  var further = ""
  /// When it runs, Unix seconds; nil: an hour after its range.
  var now: Int64?
  var version = "test"
  /// The days that are reported; nil: those of the night.
  var days: (first: BusinessDay, last: BusinessDay)?
  private var market: Market { servers.market }
  private var plan: MarketPlan { market.plan }

  init(servers: MarketServers, night: Int, folder: String, storeURL: String) {
    self.servers = servers
    self.night = night
    self.folder = folder
    self.storeURL = storeURL
  }

  /// Runs the night; the first reports the plan's days, the second the day after.
  func publish() async throws -> String {
    let report = try await report()
    #expect(report.summary.reasons.isEmpty, "seed \(plan.seed) night \(night): \(report.summary.reasons)")
    return try #require(report.summary.location)
  }

  /// What the night says of itself.
  ///
  /// - Parameters:
  ///   - attempts: of every request.
  ///   - spoil: what happens to the written files, in the folder that it is given, before the night reads them.
  func report(attempts: Int = 8, spoil: (String) throws -> Void = { _ in }) async throws -> RunReport {
    try await make(attempts: attempts, spoil: spoil).run()
  }

  /// The night, ready to be run.
  func make(attempts: Int = 8, spoil: (String) throws -> Void = { _ in }) throws -> ReconciliationRun {
    let directory = URL(fileURLWithPath: folder)
    try servers.write(night: night, to: directory)
    try spoil(folder)
    let file = "\(folder)/crossfoot.yml"
    let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(
      of: "sqlite:crossfoot.db", with: storeURL
    )
    .replacingOccurrences(
      of: "    base_url:", with: "    retry: {attempts: \(attempts), wait_at_most: 1s}\n    base_url:")
    try (text + further).write(toFile: file, atomically: true, encoding: .utf8)
    let settings = try Settings.load(file, providerKinds: ProviderList.kinds)
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "UTC")))
    let last = calendar.day(containing: plan.end(of: night) - 1)
    let first = night == 1 ? calendar.day(containing: plan.startsAt) : last
    let range = ReportRange(from: days?.first ?? first, to: days?.last ?? last, in: calendar)
    var whole = ReconciliationRun(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: resources, range: range,
      now: now ?? range.endsAt + 3600,
      version: version)
    whole.pulls = pulls
    whole.writesStatements = writesStatements
    whole.derivesWhole = derivesWhole
    whole.keepsResults = keepsResults
    if let jobs { whole.jobs = jobs }
    if let batchSize { whole.batchSize = batchSize }
    return whole
  }

  /// How many faults a night should show, how many of them it shows, and how many findings nobody planted.
  struct Tally: CustomStringConvertible {
    var planted = 0
    var found = 0
    var extra = 0
    var description: String { "\(planted) open, \(found) found, \(extra) besides" }
  }

  /// Each fault has one row, each row one fault.
  @discardableResult
  func compare(_ place: String) throws -> Tally {
    var tally = Tally()
    var found = try CSVTable("\(place)/discrepancies.csv").rows.filter { ["new", "persisting"].contains($0["state"]) }
    for fault in market.expected(on: night) {
      let index = found.firstIndex { row in
        fault.explains(
          type: row["type"] ?? "", orderIDs: words(row["order_id"]), paymentIDs: words(row["payment_id"]),
          recordID: "\(row["record_id"] ?? "") \((row["currency"] ?? "").lowercased())")
      }
      tally.planted += 1
      if let index {
        found.remove(at: index)
        tally.found += 1
      } else {
        missed(fault, found)
      }
    }
    tally.extra = found.count
    for row in found {
      Issue.record(
        """
        seed \(plan.seed) night \(night): nobody planted \(row["type"] ?? "") of order \(row["order_id"] ?? "") \
        payment \(row["payment_id"] ?? "") record \(row["record_id"] ?? ""): \(row["explanation"] ?? "")
        """
      )
    }
    return tally
  }

  private func missed(_ fault: Planted, _ found: [[String: String]]) {
    let near = found.filter { row in
      row["type"] == fault.type.rawValue || !Set(words(row["order_id"])).isDisjoint(with: fault.orderIDs)
    }.prefix(3)
    Issue.record(
      """
      seed \(plan.seed) night \(night): not found: \(fault.type.rawValue) of orders \(fault.orderIDs) payments \
      \(fault.paymentIDs) records \(fault.recordIDs) (\(fault.story)); near: \
      \(near.map { [$0["type"], $0["order_id"], $0["payment_id"], $0["record_id"]] })
      """
    )
  }

  private func words(_ cell: String?) -> [String] { (cell ?? "").split(separator: " ").map(String.init) }

  func files(_ place: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0 != Publication.runFile }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(place)/\($0)") ?? Data()) })
  }
}
