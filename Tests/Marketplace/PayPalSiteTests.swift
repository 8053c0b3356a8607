import Foundation
import Testing

@testable import Marketplace

/// PayPal's API as the marketplace serves it.
@Suite struct PayPalSiteTests {
  private let market: Market
  private let site: PayPalSite
  private static let refreshed: Int64 = 1_772_323_200 + 10 * 86_400 + 2_400

  init() throws {
    // A row that is still wrong in the report is not in what it adds up to.
    let types = FaultType.allCases.filter { $0 != .recordChanged }
    market = try Market.generate(MarketPlan(seed: 3, accounts: [.payPal], orders: 200, faults: 40, types: types))
    site = try #require(market.nights[0].accounts["paypal"]?.site as? PayPalSite)
  }

  private func ask(_ path: String, _ query: [(String, String)] = [], token: String? = nil, of site: PayPalSite? = nil)
    -> (Int, JSONTree)
  {
    let site = site ?? self.site
    let grant = SiteRequest(
      method: "POST", path: "/v1/oauth2/token", query: [], headers: [:], body: "grant_type=client_credentials",
      baseURL: "",
      basic: "market-paypal:\(PayPalStories.secret)")
    let given = (try? JSONTree.parse(site.answer(grant, repeating: false).body))?["access_token"]?.word ?? ""
    let request = SiteRequest(
      method: "GET", path: path, query: query.map { (name: $0.0, value: $0.1) },
      headers: ["authorization": "Bearer \(token ?? given)"],
      body: "", baseURL: "")
    let answer = site.answer(request, repeating: false)
    return (answer.status, (try? JSONTree.parse(answer.body)) ?? .null)
  }

  private func rows(_ site: PayPalSite? = nil, from: Int64, to: Int64, more: [(String, String)] = []) -> [JSONTree] {
    var found: [JSONTree] = []
    var (page, pages) = (1, 1)
    while page <= pages {
      let query =
        [("start_date", Moment.text(from)), ("end_date", Moment.text(to)), ("page_size", "50"), ("page", "\(page)")]
        + more
      let (_, tree) = ask("/v1/reporting/transactions", query, of: site)
      found += tree["transaction_details"]?.elements ?? []
      pages = tree["total_pages"]?.word.flatMap { Int($0) } ?? 0
      page += 1
    }
    return found
  }

  @Test func `a token is given for the right credentials alone, and nothing without one`() {
    let wrong = SiteRequest(
      method: "POST", path: "/v1/oauth2/token", query: [], headers: [:], body: "grant_type=client_credentials",
      baseURL: "",
      basic: "market-paypal:guess")
    #expect(site.answer(wrong, repeating: false).status == 401)
    #expect(ask("/v1/reporting/balances", token: "stale").0 == 401)
  }

  @Test func `windows are inclusive, of at most 31 days and never beyond the last refresh`() throws {
    let all = rows(from: market.plan.startsAt, to: market.plan.endsAt)
    let at = try #require(all.first?["transaction_info"]?["transaction_updated_date"]?.word.flatMap(Moment.parse))
    #expect(!rows(from: at, to: at).isEmpty)
    #expect(
      ask("/v1/reporting/transactions", [("start_date", "2026-01-01T00:00:00Z"), ("end_date", "2026-02-02T00:00:00Z")])
        .0 == 400)
    let late = Moment.text(Self.refreshed + 1)
    let (status, tree) = ask("/v1/reporting/transactions", [("start_date", late), ("end_date", late)])
    #expect(status == 400)
    #expect(tree["message"]?.word?.contains("not available") == true)
    let (_, clipped) = ask(
      "/v1/reporting/transactions",
      [("start_date", Moment.text(market.plan.startsAt)), ("end_date", Moment.text(Self.refreshed + 90_000))])
    #expect(clipped["end_date"]?.word.flatMap(Moment.parse) == Self.refreshed)
  }

  @Test func `pages give each row once, and too many rows are refused`() throws {
    let all = rows(from: market.plan.startsAt, to: market.plan.endsAt)
    #expect(all.count == site.rows.count { $0.isAffecting && $0.at <= market.plan.endsAt })
    let whole = rows(
      from: market.plan.startsAt, to: market.plan.endsAt, more: [("balance_affecting_records_only", "N")])
    #expect(whole.count == site.rows.count { $0.at <= market.plan.endsAt } && whole.count > all.count)
    var small = site
    small.mostRows = 20
    let query = [("start_date", Moment.text(market.plan.startsAt)), ("end_date", Moment.text(market.plan.endsAt))]
    let (status, tree) = ask("/v1/reporting/transactions", query, of: small)
    #expect(status == 400)
    #expect(tree["name"]?.word == "RESULTSET_TOO_LARGE")
  }

  @Test func `the stated balance is what the rows add up to`() throws {
    var sums: [String: Int64] = [:]
    for row in rows(from: market.plan.startsAt, to: Self.refreshed) {
      for member in ["transaction_amount", "fee_amount"] {
        guard let money = row["transaction_info"]?[member], let code = money["currency_code"]?.word,
          let text = money["value"]?.word
        else {
          continue
        }
        sums[code, default: 0] += Int64(text.replacing(".", with: "")) ?? 0
      }
    }
    let (_, tree) = ask("/v1/reporting/balances")
    for balance in tree["balances"]?.elements ?? [] {
      let stated = balance["available_balance"]?["value"]?.word.flatMap { Int64($0.replacing(".", with: "")) }
      #expect(stated == sums[balance["currency"]?.word ?? ""])
    }
  }

  @Test func `what a row refers to can be asked for, and a capture's net is its parts'`() throws {
    for row in rows(from: market.plan.startsAt, to: market.plan.endsAt, more: [("balance_affecting_records_only", "N")])
    {
      let info = try #require(row["transaction_info"])
      let id = info["transaction_id"]?.word ?? ""
      switch info["transaction_event_code"]?.word {
      case "T0006", "T0003": #expect(ask("/v2/payments/captures/\(id)").0 == 200)
      case "T1107":
        let (_, refund) = ask("/v2/payments/refunds/\(id)")
        let up = refund["links"]?.elements.last?["href"]?.word ?? ""
        #expect(up.hasSuffix("/v2/payments/captures/\(info["paypal_reference_id"]?.word ?? "?")"))
      case "T1300": #expect(ask("/v2/payments/authorizations/\(id)").0 == 200)
      default: continue
      }
    }
    #expect(ask("/v2/payments/captures/NONE").0 == 404)
  }

  @Test func `disputes come in pages and each has its detail`() throws {
    let (_, first) = ask("/v1/customer/disputes", [("page_size", "3")])
    #expect(first["items"]?.elements.count == min(3, site.disputes.count))
    let next = first["links"]?.elements.last { $0["rel"]?.word == "next" }?["href"]?.word
    let token = try #require(next?.split(separator: "=").last.map(String.init))
    let (_, second) = ask("/v1/customer/disputes", [("page_size", "3"), ("next_page_token", token)])
    let id = try #require(second["items"]?.elements.first?["dispute_id"]?.word)
    #expect(ask("/v1/customer/disputes/\(id)").1["disputed_transactions"]?.elements.count == 1)
  }
}
