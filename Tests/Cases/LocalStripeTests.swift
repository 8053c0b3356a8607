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

/// An independent server that none of us wrote: what is created over its API is pulled and reconciled to the cent.
@Suite("localstripe", .onItsOwnThread, .serialized)
struct LocalStripeTests {
  @Test("objects created over localstripe's API are reconciled to the cent, the same on both stores and when run again")
  func reconciled() async throws {
    let server = try LocalStripe.start()
    defer { try? server.stop() }
    let proxy = try await LocalStripeProxy(upstream: server).start()
    var shop = LocalShop(server: server)
    try await shop.trade()
    var published: [[String: Data]] = []
    for engine in TestStore.all where engine == .sqlite || TestStore.postgresqlURL != nil {
      try await withStoryStore(engine) { folder, url in
        let night = LocalNight(shop: shop, folder: folder, storeURL: url, baseURL: proxy.baseURL)
        for _ in 1...2 {
          let place = try await night.publish()
          try await compare(shop, place)
          published.append(try StoryTests.files(place).withoutWorkbook)
        }
      }
    }
    #expect(published.allSatisfy { $0 == published[0] }, "the stores or the runs differ")
    await proxy.stop()
  }

  private func compare(_ shop: LocalShop, _ place: String) async throws {
    try compareFlows(shop, try CSVTable("\(place)/fund_flows.csv").rows)
    try await compareSums(shop, try CSVTable("\(place)/entries.csv").rows)
    let found = try CSVTable("\(place)/discrepancies.csv").rows.map { row in
      ["type", "order_id", "payment_id", "expected", "actual"].map { row[$0] ?? "" }.joined(separator: ",")
    }
    #expect(Set(found) == Set(shop.wrong), "\(found.sorted())")
    #expect(found.count == shop.wrong.count)
    let matches = try CSVTable("\(place)/order_matches.csv").rows
    let unmatched = Set(matches.filter { $0["match_status"] != "matched" }.compactMap { $0["order_id"] })
    #expect(unmatched == shop.unmatched)
    #expect(Set(matches.compactMap { $0["order_id"] }).isSuperset(of: shop.orders.map { $0["order_id"] ?? "" }))
    #expect(try CSVTable("\(place)/quarantine.csv").rows.isEmpty)
  }

  private func compareFlows(_ shop: LocalShop, _ rows: [[String: String]]) throws {
    let flows = Dictionary(rows.map { ($0["payment_id"] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    #expect(flows.count == rows.count && flows.count == shop.sales.count)
    for sale in shop.sales {
      let flow = try #require(flows[sale.payment], "\(sale)")
      let expected = [
        "order_id": sale.order, "charge_type": "platform", "presentment_currency": sale.currency.uppercased(),
        "presentment_amount": sale.text(sale.captured), "currency": sale.currency.uppercased(),
        "gross": sale.text(sale.captured),
        "refunded": sale.text(sale.refunded), "provider_fee": sale.text(0),
        "platform_net": sale.text(sale.captured - sale.refunded),
        "customer_net": sale.text(sale.refunded - sale.captured),
        "status": sale.refunded == 0 ? "captured" : sale.refunded < sale.captured ? "partially_refunded" : "refunded",
      ]
      for (column, value) in expected { #expect(flow[column] == value, "\(sale): \(column)") }
    }
  }

  /// The platform's entries add up to localstripe's own rows.
  private func compareSums(_ shop: LocalShop, _ entries: [[String: String]]) async throws {
    let rows = try await shop.server.list("balance_transactions")
    var sums: [String: Int64] = [:]
    for entry in entries {
      let money = try Money.parse(entry["amount"] ?? "", Currency(code: entry["currency"] ?? ""))
      let sign: Int64 = entry["to_party"] == "platform" ? 1 : entry["from_party"] == "platform" ? -1 : 0
      sums[money.currency.code.lowercased(), default: 0] += sign * money.amountMinor
    }
    #expect(sums == LocalStripeProxy.sums(rows))
    #expect(rows.count > 100, "more than one page")
  }
}

/// A night over what localstripe holds, without Connect.
struct LocalNight {
  let shop: LocalShop
  let folder: String
  let storeURL: String
  let baseURL: String

  /// Reports from two days before the trade to two days after it: what has a grace is due by then.
  func publish() async throws -> String {
    let settings = try load()
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "UTC")))
    let first = calendar.day(containing: shop.openedAt).advanced(by: -2)
    let last = calendar.day(containing: shop.closedAt).advanced(by: 2)
    let range = ReportRange(from: first, to: last, in: calendar)
    let report = try await ReconciliationRun(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: ResourceFolders(root: TestStore.repository),
      range: range, now: range.endsAt + 3600, version: "test"
    ).run()
    #expect(report.verdict == .discrepancies, "\(report.summary.reasons)")
    return try #require(report.summary.location)
  }

  private func load() throws -> Settings {
    try write(shop.orders, ["order_id", "placed_at", "status", "currency", "total"], "orders.csv")
    try write(shop.refunds, ["refund_id", "order_id", "refunded_at", "currency", "amount"], "order_refunds.csv")
    let file = "\(folder)/crossfoot.yml"
    try """
    reporting: {output: output, time_zone: UTC}
    store: {url: "\(storeURL)"}
    landing: {directory: landing}
    orders: [{name: shop, kind: csv, orders: orders.csv, refunds: order_refunds.csv}]
    providers:
      - {name: stripe, kind: stripe, api_key: "\(shop.server.key)", base_url: "\(baseURL)", connect: false,
         account: acct_local}

    """.write(toFile: file, atomically: true, encoding: .utf8)
    return try Settings.load(file, providerKinds: ProviderList.kinds)
  }

  private func write(_ rows: [[String: String]], _ columns: [String], _ name: String) throws {
    let lines = [columns] + rows.map { row in columns.map { row[$0] ?? "" } }
    try (lines.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n")
      .write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }
}
