import Foundation
import Testing

@testable import Marketplace

/// Afterpay's API and settlement exports as the marketplace makes them.
@Suite struct AfterpaySiteTests {
  private let market: Market
  private let site: AfterpaySite

  init() throws {
    market = try Market.generate(MarketPlan(seed: 3, accounts: [.afterpayUS, .afterpayAU], orders: 300, faults: 60))
    site = try #require(market.nights[0].accounts["afterpay-us"]?.site as? AfterpaySite)
  }

  private func ask(_ path: String, _ query: [(String, String)] = [], agent: String = "Crossfoot/1.0") -> (Int, JSONTree)
  {
    let request = SiteRequest(
      method: "GET", path: path, query: query.map { (name: $0.0, value: $0.1) }, headers: ["user-agent": agent],
      body: "",
      baseURL: "http://127.0.0.1:1", basic: "400210:\(AfterpayStories.secret)")
    let answer = site.answer(request, repeating: false)
    return (answer.status, (try? JSONTree.parse(answer.body)) ?? .null)
  }

  @Test func `the list goes page by page to an empty link, newest first`() throws {
    var ids: [String] = []
    var query: [(String, String)] = [
      ("includeNextLink", "true"), ("limit", "20"), ("fromCreatedDate", "2026-03-01T00:00:00Z"),
    ]
    while true {
      let (_, tree) = ask("/v2/payments", query)
      ids += (tree["results"]?.elements ?? []).compactMap { $0["id"]?.word }
      let next = tree["nextPageUrl"]?.word ?? ""
      guard !next.isEmpty else { break }
      let items = try #require(URLComponents(string: next)?.queryItems)
      query = items.map { ($0.name, $0.value ?? "") }
    }
    #expect(ids == site.payments.filter { $0.at >= market.plan.startsAt }.map(\.id))
    #expect(Set(ids).count == ids.count)
  }

  @Test func `refusals are those of the API`() {
    #expect(ask("/v2/payments", [("fromCreatedDate", "1 March")]).0 == 500)
    #expect(ask("/v2/payments", [("limit", "251")]).0 == 422)
    #expect(ask("/v2/payments", agent: "").0 == 403)
    #expect(ask("/v2/payments/1").0 == 404)
    #expect(ask("/v2/configuration").0 == 200)
    #expect(ask("/v2/payments/\(site.payments[0].id)").0 == 200)
    #expect(ask("/v2/payments/token:\(site.payments[0].token)").1["id"]?.word == site.payments[0].id)
  }

  @Test func `what is authorised is captured, open or released`() throws {
    for payment in site.payments where payment.isApproved {
      let tree = try JSONTree.parse(payment.json)
      let events = tree["events"]?.elements ?? []
      guard events.contains(where: { $0["type"]?.word != "AUTH_APPROVED" }) else { continue }
      let told = events.filter { $0["type"]?.word != "AUTH_APPROVED" }.reduce(0) { $0 + minor($1["amount"]) }
      #expect(told + minor(tree["openToCaptureAmount"]) == minor(tree["originalAmount"]), "\(payment.id)")
    }
  }

  private func minor(_ money: JSONTree?) -> Int64 {
    money?["amount"]?.word.flatMap { Int64($0.replacing(".", with: "")) } ?? 0
  }

  @Test func `exports are written as each region writes them, and the second night's week contains no other rows`()
    throws
  {
    let (first, second) = (market.nights[0].accounts, market.nights[1].accounts)
    let american = try #require(first["afterpay-us"]?.files["afterpay-us-settlements/settlement-2026-03-05.csv"])
    let australian = try #require(first["afterpay-au"]?.files["afterpay-au-settlements/settlement-2026-03-05.csv"])
    #expect(american.contains("\n03/05/2026,") && australian.contains("\n05/03/2026,"))
    let week = try #require(second["afterpay-us"]?.files["afterpay-us-settlements/Settlement Export week.csv"])
    #expect(week.hasPrefix("\u{FEFF}Consumer Country,") && week.contains("\r\n"))
    #expect((first["afterpay-us"]?.files.count ?? 0) + 2 == second["afterpay-us"]?.files.count)
  }
}
