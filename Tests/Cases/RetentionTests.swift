import Decisions
import Foundation
import Landing
import Marketplace
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import TestSupport
import Testing

@testable import OrderSources

/// Old landed files removed: the night says the same of its own days, and nothing is missing before them.
@Suite("Retention", .onItsOwnThread, .serialized)
struct RetentionTests {
  static let day: Int64 = 86_400

  /// A market whose second night runs a hundred days after its first.
  private func serve(
    _ engine: TestStore, _ accounts: [AccountPlan],
    _ body: (MarketNight, _ makeNight: (Int64) throws -> ReconciliationRun) async throws -> Void
  ) async throws {
    let market = try Market.generate(MarketPlan(seed: 11, accounts: accounts, orders: 60, faults: 0))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    try await withStoryStore(engine) { folder, url in
      _ = try await MarketNight(servers: servers, night: 1, folder: folder, storeURL: url).report()
      var second = MarketNight(servers: servers, night: 2, folder: folder, storeURL: url)
      let calendar = BusinessCalendar(timeZone: .gmt)
      let late = calendar.day(containing: market.plan.endsAt + 100 * Self.day)
      second.days = (late, late)
      _ = try await second.report()
      let file = "\(folder)/crossfoot.yml"
      let text = try String(contentsOfFile: file, encoding: .utf8).replacing(
        /landing:\n? *\{?directory: [^,}\n]*\}?/, with: "landing: {directory: landing, retention: 180d}")
      #expect(text.contains("180d"), "\(text)")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let settings = try Settings.load(file, providerKinds: ProviderList.kinds)
      try await body(second) { now in
        var night = ReconciliationRun(
          settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
          orderSources: try OrderSourceList.make(settings.orders),
          resources: ResourceFolders(root: TestStore.repository),
          range: ReportRange(from: late, to: late, in: calendar),
          now: now, version: "test")
        night.pulls = false
        return night
      }
    }
  }

  private static func published(_ report: RunReport) throws -> [String: Data] {
    let place = try #require(report.summary.location)
    let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".csv") }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(place)/\($0)") ?? Data()) })
  }

  /// Gives up every open discrepancy.
  private static func writeOff(_ report: RunReport, _ landing: String, at now: Int64) throws {
    let place = try #require(report.summary.location)
    let rows = try CSVTable("\(place)/discrepancies.csv").rows.filter { $0["state"] != "resolved" }
    try DecisionLog(landing: landing).append(
      rows.map { row in
        let difference = (row["difference"] ?? "").replacing(".", with: "")
        return Decision(
          at: now, who: "ada", source: "test", action: .writeOff, discrepancyID: row["discrepancy_id"] ?? "",
          differenceMinor: Int64(difference))
      })
  }

  @Test(
    "what is open holds what has landed since; once it is written off the first night's files go, nothing else",
    arguments: TestStore.all)
  func letGo(engine: TestStore) async throws {
    try await serve(engine, [.stripe, .payPal, .adyenUK]) { market, makeNight in
      let later = try makeNight(market.servers.market.plan.endsAt + (50 + 180) * Self.day)
      let open = try await later.run()
      let held = try later.prune(who: "ada", isDry: false)
      #expect(held.landedFiles == 0 && held.heldBy?.hasPrefix("d_") == true, "\(held)")
      try Self.writeOff(open, market.folder + "/landing", at: later.now)
      let before = try await later.run()
      let (files, verdict) = (try Self.published(before), before.verdict)
      let would = try later.prune(who: "ada", isDry: true)
      let pruned = try later.prune(who: "ada", isDry: false)
      #expect(pruned.landedFiles == would.landedFiles && pruned.landedFiles > 10 && pruned.heldBy == nil, "\(pruned)")
      let verified = try later.verify()
      #expect(verified.isWhole && verified.letGo == pruned.landedFiles, "\(verified.lines)")
      for _ in 1...2 {
        let after = try await later.run()
        #expect(after.verdict == verdict, "\(after.summary.reasons)")
        let now = try Self.published(after)
        for (name, bytes) in files where name != "sources.csv" {
          // What was an item by itself may lie before coverage now, and is in what nobody itemises.
          let rest = name == "closing_items.csv" ? ",other,,,," : nil
          #expect(Self.new(now[name], bytes).filter { rest.map($0.contains) != true } == [], "\(name)")
        }
        _ = try later.rebuild()
      }
      #expect(try later.prune(who: "ada", isDry: false).landedFiles == 0)
    }
  }

  /// Rows that were not there before.
  private static func new(_ now: Data?, _ before: Data) -> Set<Substring> {
    let rows = { (data: Data) in Set(String(decoding: data, as: UTF8.self).split(separator: "\n")) }
    return rows(now ?? Data()).subtracting(rows(before))
  }
}
