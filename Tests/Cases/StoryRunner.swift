import Foundation
import Marketplace
import OrderSources
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import Storage
import TestSupport
import Testing

/// Runs a story's nights against a loopback endpoint: real HTTP, a real landing zone, a store of the engine, published reports.
struct StoryRunner {
  let story: Story
  let engine: TestStore
  let folder: String
  let storeURL: String

  /// What the endpoint takes for a key: found nowhere afterwards.
  static let key = "rk_test_crossfoot_story_key"

  /// What a run of all nights left behind.
  struct Outcome {
    /// The published folder of each night, in order.
    var published: [String] = []
    /// The last night once more, without a pull.
    var again = ""
  }

  func run() async throws -> Outcome {
    let endpoint = StripeEndpoint(key: Self.key)
    try await endpoint.start()
    defer { Task { await endpoint.stop() } }
    for (index, night) in story.nights.enumerated() { try fill(endpoint, night, index + 1) }
    var outcome = Outcome()
    for (index, night) in story.nights.enumerated() {
      endpoint.night = index + 1
      endpoint.faults = night.faults
      try writeOrders(night)
      outcome.published.append(try await self.night(night, endpoint, pulls: true))
    }
    if let last = story.nights.last { outcome.again = try await night(last, endpoint, pulls: false) }
    return outcome
  }

  private func fill(_ endpoint: StripeEndpoint, _ night: Story.Night, _ number: Int) throws {
    for object in night.objects { try endpoint.add(object, visibleFrom: number) }
    for id in night.removed { endpoint.remove(id, from: number) }
    for (payout, rows) in night.payoutRows { endpoint.assign(rows: rows, to: payout) }
    for (currency, amount) in night.misstated { endpoint.misstate(currency, by: amount, from: number) }
    if !night.balances.isEmpty { endpoint.state(balances: night.balances) }
  }

  private func night(_ night: Story.Night, _ endpoint: StripeEndpoint, pulls: Bool) async throws -> String {
    let settings = try load(endpoint.key, await endpoint.baseURL)
    let days = night.days.components(separatedBy: "..").compactMap { BusinessDay($0) }
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: settings.reporting.timeZone)))
    let range = ReportRange(from: try #require(days.first), to: try #require(days.last), in: calendar)
    var run = try makeNight(settings, calendar, range)
    run.pulls = pulls
    let report = try await run.run()
    if let verdict = night.verdict { #expect(report.verdict.rawValue == verdict, "\(report.summary.reasons)") }
    return URL(fileURLWithPath: try #require(report.summary.location)).resolvingSymlinksInPath().path
  }

  /// An hour after the range's end: nothing in a story depends on the wall clock.
  func makeNight(_ settings: Settings, _ calendar: BusinessCalendar, _ range: ReportRange) throws -> Night {
    Night(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: ResourceFolders(root: TestStore.repository),
      range: range,
      now: range.endsAt + 3600, version: "test")
  }

  func load(_ key: String, _ baseURL: String) throws -> Settings {
    let file = "\(folder)/crossfoot.yml"
    let base = """
      reporting: {output: output}
      store: {url: "\(storeURL)"}
      landing: {directory: landing}
      orders: [{name: shop, kind: csv, orders: orders.csv, refunds: order_refunds.csv}]
      providers:
        - {name: stripe, kind: stripe, api_key: "\(key)", base_url: "\(baseURL)", retry: \(story.retry)}

      """
    try (base + story.settings).write(toFile: file, atomically: true, encoding: .utf8)
    return try Settings.load(file, providerKinds: ProviderList.kinds)
  }

  private func writeOrders(_ night: Story.Night) throws {
    let columns = "order_id placed_at status currency total provider tender seller_account application_fee payment_references"
    if let orders = night.orders { try write(orders, columns, night.extraOrderLines, to: "orders.csv") }
    let refundColumns = "refund_id order_id refunded_at currency amount payment_reference"
    if let refunds = night.refunds { try write(refunds, refundColumns, [], to: "order_refunds.csv") }
    for (name, columns) in [("orders.csv", columns), ("order_refunds.csv", refundColumns)]
    where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      try write([], columns, [], to: name)
    }
  }

  private func write(_ rows: [[String: String]], _ columns: String, _ extra: [String], to name: String) throws {
    let columns = columns.split(separator: " ").map(String.init)
    for row in rows {
      if let odd = row.keys.first(where: { !columns.contains($0) }) { throw StoryError("\(name) has no column \(odd)") }
    }
    let lines =
      [columns.joined(separator: ",")] + rows.map { row in columns.map { row[$0] ?? "" }.joined(separator: ",") } + extra
    try (lines.joined(separator: "\n") + "\n").write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }
}

/// Runs the body with a folder and the URL of an empty store of the engine, and removes both afterwards.
func withStoryStore<R>(
  _ engine: TestStore, isolation: isolated (any Actor)? = #isolation, _ body: (_ folder: String, _ url: String) async throws -> R
)
  async throws -> R
{
  let name = "story_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  guard engine == .postgresql else { return try await body(folder, "sqlite:\(folder)/store.db") }
  guard let base = TestStore.postgresqlURL else { try Test.cancel("CROSSFOOT_TEST_POSTGRESQL is not set") }
  let owner = try StoreURL(base).open()
  try owner.execute("create schema \(name)")
  defer { _ = try? owner.execute("drop schema \(name) cascade") }
  return try await body(folder, "\(base)\(base.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)")
}
