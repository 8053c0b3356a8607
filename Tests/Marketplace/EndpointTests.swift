import Foundation
import Marketplace
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks an endpoint the way any client would, over a socket.
struct Visitor {
  let base: String
  var key = "rk_test_crossfoot_reads_only"
  var method = "GET"

  func ask(_ path: String) async throws -> (status: Int, tree: JSONTree, headers: [AnyHashable: Any]) {
    let url = try #require(URL(string: base + path))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    let (body, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return (
      http.statusCode, (try? JSONTree.parse(String(decoding: body, as: UTF8.self))) ?? .null, http.allHeaderFields
    )
  }

  /// The ids of a list, page after page to its end.
  func ids(_ path: String, limit: Int) async throws -> [String] {
    var ids: [String] = []
    var more = true
    while more {
      let cursor = ids.last.map { "&starting_after=\($0)" } ?? ""
      let page = try await ask("\(path)\(path.contains("?") ? "&" : "?")limit=\(limit)\(cursor)").tree
      ids += (page["data"]?.elements ?? []).compactMap { $0["id"]?.word }
      more = page["has_more"] == .bool(true)
    }
    return ids
  }
}

/// Whether a question was answered.
private final class Answered: Sendable {
  let `is` = Atomic(false)
}

@Suite struct EndpointTests {
  private func withEndpoint(_ body: (StripeEndpoint, Visitor) async throws -> Void) async throws {
    let endpoint = StripeEndpoint()
    let base = try await endpoint.start()
    try await body(endpoint, Visitor(base: base))
    await endpoint.stop()
  }

  private func refund(_ number: Int, created: Int, charge: String = "ch_1") -> String {
    """
    {"id":"re_\(number)","object":"refund","amount":100,"created":\(created),"currency":"usd","charge":"\(charge)",\
    "payment_intent":{"id":"pi_1","object":"payment_intent"},"status":"succeeded"}
    """
  }

  @Test func `paging returns each object once, newest first`() async throws {
    try await withEndpoint { endpoint, visitor in
      for number in 1...201 { try endpoint.add(refund(number, created: 1000 + number / 50)) }
      let ids = try await visitor.ids("/v1/refunds", limit: 100)
      #expect(ids == (1...201).reversed().map { "re_\($0)" })
      #expect(endpoint.requests.count == 3)
      let back = try await visitor.ask("/v1/refunds?limit=2&ending_before=re_199").tree
      #expect(back["data"]?.elements.compactMap { $0["id"]?.word } == ["re_201", "re_200"])
    }
  }

  /// Tests share the pool of threads that it answers on.
  @Test func `it answers while tests compute on threads of their own`() async throws {
    try await withEndpoint { _, visitor in
      let answered = Answered()
      let computing = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
        Task {
          await OwnThread.run {
            let start = ContinuousClock.now
            while !answered.is.load(ordering: .relaxed) && start.duration(to: .now) < .seconds(20) {}
            return answered.is.load(ordering: .relaxed)
          }
        }
      }
      try await Task.sleep(for: .milliseconds(100))
      #expect(try await visitor.ask("/v1/refunds").status == 200)
      answered.is.store(true, ordering: .relaxed)
      for one in computing { #expect(await one.value, "it answered only when they had ended") }
    }
  }

  @Test(arguments: [
    ("created[gte]=1002&created[lt]=1004", [3, 2]), ("created[gt]=1002&created[lte]=1004", [4, 3]),
    ("created=1001", [1]),
    ("charge=ch_odd", [5, 3, 1]), ("payment_intent=pi_1&charge=ch_even&created[gt]=1002", [4]), ("charge=ch_none", []),
  ])
  func `filters leave what they name`(query: String, expected: [Int]) async throws {
    try await withEndpoint { endpoint, visitor in
      for number in 1...5 {
        try endpoint.add(refund(number, created: 1000 + number, charge: number % 2 == 1 ? "ch_odd" : "ch_even"))
      }
      let escaped = query.replacing("[", with: "%5B").replacing("]", with: "%5D")
      #expect(try await visitor.ids("/v1/refunds?\(escaped)", limit: 2) == expected.map { "re_\($0)" })
    }
  }

  @Test func `a transfer embeds its ten newest reversals and lists the rest under its own path`() async throws {
    try await withEndpoint { endpoint, visitor in
      let destination = #"{"id":"acct_1","object":"account"}"#
      try endpoint.add(#"{"id":"tr_1","object":"transfer","created":5,"amount":1200,"destination":\#(destination)}"#)
      for number in 1...12 {
        try endpoint.add(
          #"{"id":"trr_\#(number)","object":"transfer_reversal","created":\#(number),"transfer":"tr_1","amount":1}"#)
      }
      let transfer = try await visitor.ask("/v1/transfers?destination=acct_1").tree["data"]?.elements.first
      #expect(transfer?["reversals"]?["data"]?.elements.count == 10)
      #expect(transfer?["reversals"]?["has_more"] == .bool(true))
      let path = try #require(transfer?["reversals"]?["url"]?.word)
      #expect(try await visitor.ids(path, limit: 5) == (1...12).reversed().map { "trr_\($0)" })
      #expect(try await visitor.ask("/v1/transfers/tr_1/reversals/trr_3").status == 200)
    }
  }

  @Test func `a payout's rows are those assigned to it and its own; a manual payout has none`() async throws {
    try await withEndpoint { endpoint, visitor in
      let row = { (id: String, type: String, source: String, net: Int) in
        """
        {"id":"\(id)","object":"balance_transaction","created":1,"currency":"usd",\
        "type":"\(type)","source":"\(source)","net":\(net)}
        """
      }
      try endpoint.add(row("txn_1", "charge", "ch_1", 941))
      try endpoint.add(row("txn_2", "payout", "po_1", -941))
      try endpoint.add(row("txn_3", "charge", "ch_2", 77))
      try endpoint.add(#"{"id":"po_1","object":"payout","created":1,"amount":941,"automatic":true}"#)
      try endpoint.add(#"{"id":"po_2","object":"payout","created":1,"amount":5,"automatic":false}"#)
      endpoint.assign(rows: ["txn_1"], to: "po_1")
      #expect(try await visitor.ids("/v1/balance_transactions?payout=po_1", limit: 10) == ["txn_2", "txn_1"])
      #expect(try await visitor.ask("/v1/balance_transactions?payout=po_2").status == 400)
      #expect(try await visitor.ids("/v1/balance_transactions?source=ch_2", limit: 10) == ["txn_3"])
      let balance = try await visitor.ask("/v1/balance").tree["available"]?.elements.first
      #expect(balance?["amount"]?.word == "77")
    }
  }

  @Test func `what the second night brings is not there on the first, and a newer version replaces the older`()
    async throws
  {
    try await withEndpoint { endpoint, visitor in
      try endpoint.add(refund(1, created: 10))
      try endpoint.add(refund(2, created: 5), visibleFrom: 2)
      try endpoint.add(refund(1, created: 10).replacing("100", with: "90"), visibleFrom: 2)
      #expect(try await visitor.ids("/v1/refunds", limit: 10) == ["re_1"])
      endpoint.night = 2
      #expect(try await visitor.ids("/v1/refunds", limit: 10) == ["re_1", "re_2"])
      #expect(try await visitor.ask("/v1/refunds/re_1").tree["amount"]?.word == "90")
    }
  }

  @Test func `an expansion puts the object in the place of its id, exchange rates to the letter`() async throws {
    try await withEndpoint { endpoint, visitor in
      try endpoint.add(
        """
        {"id":"ch_1","object":"charge","created":1,"balance_transaction":"txn_1"}
        """)
      try endpoint.add(
        [
          "id": "txn_1", "object": "balance_transaction", "created": 1, "net": 5,
          "exchange_rate": JSONTree.number("1.35576"),
        ])
      let list = try await visitor.ask("/v1/charges?expand%5B%5D=data.balance_transaction").tree
      #expect(list["data"]?.elements.first?["balance_transaction"]?["exchange_rate"] == .number("1.35576"))
      let one = try await visitor.ask("/v1/charges/ch_1?expand%5B%5D=balance_transaction").tree
      #expect(one["balance_transaction"]?["id"]?.word == "txn_1")
    }
  }

  @Test func `refusals look like Stripe's`() async throws {
    try await withEndpoint { endpoint, visitor in
      let missing = try await visitor.ask("/v1/charges/ch_none")
      #expect(missing.status == 404)
      #expect(missing.tree["error"]?["code"]?.word == "resource_missing")
      #expect(missing.headers["Request-Id"] != nil)
      #expect(try await visitor.ask("/v1/charges?limit=101").status == 400)
      #expect(try await visitor.ask("/v1/charges?available_on=1").tree["error"]?["code"]?.word == "parameter_unknown")
      #expect(
        try await visitor.ask("/v1/charges?starting_after=ch_none").tree["error"]?["param"]?.word == "starting_after")
      #expect(try await Visitor(base: visitor.base, key: "rk_test_other").ask("/v1/charges").status == 401)
      #expect(try await Visitor(base: visitor.base, method: "POST").ask("/v1/refunds").status == 405)
      #expect(endpoint.refusedWrites == 1)
    }
  }

  @Test func `faults fall on the requests that the plan names`() async throws {
    try await withEndpoint { endpoint, visitor in
      try endpoint.add(refund(1, created: 1))
      try endpoint.add(refund(2, created: 2))
      endpoint.faults = FaultPlan([
        FaultPlan.Rule(.rateLimited(retryAfter: 2), path: "/v1/refunds", requests: 1...1),
        FaultPlan.Rule(.badGateway, path: "/v1/refunds", requests: 2...2),
        FaultPlan.Rule(.repeatedObject, path: "/v1/refunds", requests: 3...3),
        FaultPlan.Rule(.forbidden, path: "/v1/disputes"),
      ])
      let limited = try await visitor.ask("/v1/refunds")
      #expect(limited.status == 429)
      #expect(limited.headers["Retry-After"] as? String == "2")
      #expect(try await visitor.ask("/v1/refunds").status == 502)
      let page = try await visitor.ask("/v1/refunds?starting_after=re_2").tree
      #expect(page["data"]?.elements.compactMap { $0["id"]?.word } == ["re_2", "re_1"])
      #expect(
        try await visitor.ask("/v1/disputes").tree["error"]?["message"]?.word?.contains("rak_dispute_read") == true)
      #expect(try await visitor.ask("/v1/charges").status == 200)
    }
  }

  @Test func `a cut body ends before its length, and JSON that ends early is whole on the wire`() async throws {
    try await withEndpoint { endpoint, visitor in
      for number in 1...20 { try endpoint.add(refund(number, created: number)) }
      endpoint.faults = FaultPlan([
        FaultPlan.Rule(.cutBody(0.5), path: "/v1/refunds", requests: 1...1),
        FaultPlan.Rule(.endsEarly, path: "/v1/refunds", requests: 2...2),
      ])
      await #expect(throws: (any Error).self) { try await visitor.ask("/v1/refunds") }
      let short = try await visitor.ask("/v1/refunds")
      #expect(short.status == 200)
      #expect(short.tree == .null)
      #expect(try await visitor.ids("/v1/refunds", limit: 100).count == 20)
    }
  }
}
