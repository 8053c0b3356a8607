import Testing
import TestSupport

@testable import Providers

@Suite("Stripe's lists, page by page") struct StripePagingTests {
  @Test("S31: three pages, a 429 twice and an id that comes twice give 201 rows after two waits") func threePages()
    async throws
  {
    let night = try await StripeNight { asked, count in
      guard asked.path == "/v1/charges", count == 2 || count == 3 else { return nil }
      return .whole(429, headers: ["Retry-After": "2"], body: "{}")
    }
    for number in 0..<201 { night.shelf.put("charges", "ch_\(number)", created: dayEnd - 1000 + Int64(number)) }
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(Set(try night.ids(.charges)).count == 201)
    #expect(try night.ids(.charges).count == 201)
    #expect(night.waits.all.count >= 2)
    let asked = night.server.asked.filter { $0.path == "/v1/charges" }
    #expect(
      Set(asked.map { $0["created[gte]"] ?? "" }).count == 1 && Set(asked.map { $0["created[lt]"] ?? "" }).count == 1)
    #expect(asked.allSatisfy { $0["limit"] == "100" && $0.headers["stripe-version"] == "2026-07-29.dahlia" })
    #expect(night.server.asked.allSatisfy { $0.method == "GET" })
  }

  @Test("an object that comes again on the next page is landed once") func duplicates() async throws {
    let night = try await StripeNight { asked, count in
      guard asked.path == "/v1/refunds" else { return nil }
      let row = { (id: String) in #"{"id":"\#(id)","object":"refund","created":\#(dayEnd - 10)}"# }
      return count == 1
        ? StripeShelf.list([row("re_3"), row("re_2")], hasMore: true)
        : StripeShelf.list([row("re_2"), row("re_1")], hasMore: false)
    }
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(try night.ids(.refunds) == ["re_3", "re_2", "re_1"])
    #expect(night.server.asked.filter { $0.path == "/v1/refunds" }.compactMap { $0["starting_after"] } == ["re_2"])
  }

  @Test(
    "S32: an answer that is none is asked for again",
    arguments: [
      LoopbackServer.Reply.whole(502, headers: [:], body: "<html><h1>502 Bad Gateway</h1></html>"),
      .cut(200, body: #"{"object":"list","#, announced: 500), .cut(200, body: #"{"object":"list","#, announced: nil),
      .whole(200, headers: [:], body: "<html>Maintenance</html>"),
      .whole(200, headers: [:], body: #"{"object":"list","data":[{"id":"ch_1"}"#),
      .json(#"{"error":{"code":"lock_timeout"}}"#, status: 409),
      .json(#"{"error":{"code":"rate_limit"}}"#, status: 400),
    ])
  func spoiled(reply: LoopbackServer.Reply) async throws {
    let once = try await StripeNight { asked, count in asked.path == "/v1/charges" && count == 1 ? reply : nil }
    once.shelf.put("charges", "ch_1", created: dayEnd - 10)
    #expect(try await once.pull().incomplete == [])
    #expect(try once.ids(.charges) == ["ch_1"])
    let always = try await StripeNight { asked, _ in asked.path == "/v1/charges" ? reply : nil }
    let outcome = try await always.pull()
    #expect(outcome.incomplete == ["charges"])
    #expect(
      outcome.of(.charges)?.reason?.contains("in 3 attempts") == true
        || outcome.of(.charges)?.reason?.contains("409") == true)
    #expect(try always.manifest(.charges)?.complete == false)
  }

  @Test("S32: the words of an HTML error page are kept") func words() async throws {
    let night = try await StripeNight { asked, _ in
      asked.path == "/v1/payouts"
        ? .whole(502, headers: ["Request-Id": "req_7"], body: "<html><h1>502 Bad Gateway</h1></html>") : nil
    }
    let reason = try await night.pull().of(.payouts)?.reason
    #expect(reason == "stripe payouts: status 502, request req_7 in 3 attempts: 502 Bad Gateway; run again later")
  }

  @Test("Stripe-Should-Retry: false ends it at once") func unwanted() async throws {
    let night = try await StripeNight { asked, _ in
      asked.path == "/v1/charges" ? .json("{}", status: 500, headers: ["Stripe-Should-Retry": "false"]) : nil
    }
    #expect(try await night.pull().incomplete == ["charges"])
    #expect(night.paths.filter { $0 == "/v1/charges" }.count == 1)
  }

  @Test("a list that always has more and comes back to the same object ends incomplete") func circle() async throws {
    let night = try await StripeNight { asked, _ in
      guard asked.path == "/v1/charges" else { return nil }
      return StripeShelf.list([#"{"id":"ch_1","object":"charge","created":\#(dayEnd - 10)}"#], hasMore: true)
    }
    let outcome = try await night.pull()
    #expect(outcome.of(.charges)?.reason?.contains("comes back to the object ch_1") == true)
    #expect(try night.ids(.charges) == ["ch_1"])
  }

  @Test("a list that never ends is given up") func endless() async throws {
    let night = try await StripeNight({ $0.pageLimit = 20 }) { asked, count in
      guard asked.path == "/v1/charges" else { return nil }
      return StripeShelf.list([#"{"id":"ch_\#(count)","object":"charge","created":\#(dayEnd - 10)}"#], hasMore: true)
    }
    let outcome = try await night.pull()
    #expect(outcome.of(.charges)?.reason?.contains("more than 20 pages") == true)
  }

  @Test("a list that says it has more and gives nothing is incomplete") func hollow() async throws {
    let night = try await StripeNight { asked, _ in
      asked.path == "/v1/charges" ? StripeShelf.list([], hasMore: true) : nil
    }
    #expect(try await night.pull().of(.charges)?.reason?.contains("gives nothing") == true)
  }

  @Test("a slow answer is given up at the time limit") func slow() async throws {
    let night = try await StripeNight({
      $0.retry.timeout = .seconds(1)
      $0.retry.attempts = 2
    }) { asked, _ in asked.path == "/v1/disputes" ? .silence : nil }
    let outcome = try await night.pull()
    // On a busy machine other answers may be as slow.
    #expect(outcome.incomplete.contains("disputes"))
    #expect(outcome.of(.disputes)?.reason?.contains("did not answer in time in 2 attempts") == true)
  }

  @Test("trap 2: when a page's cursor is gone, the list goes on from that second") func cursorGone() async throws {
    let night = try await StripeNight { asked, _ in
      guard asked.path == "/v1/charges", asked["starting_after"] == "ch_100" else { return nil }
      return .json(#"{"error":{"code":"resource_missing","param":"starting_after"}}"#, status: 400)
    }
    for number in 0..<200 { night.shelf.put("charges", "ch_\(number)", created: dayEnd - 1000 + Int64(number)) }
    #expect(try await night.pull().incomplete == [])
    #expect(Set(try night.ids(.charges)).count == 200)
  }

  @Test("trap 3: behind an empty page the last second is asked for again") func emptyPage() async throws {
    let night = try await StripeNight { asked, count in
      guard asked.path == "/v1/charges", count == 2 else { return nil }
      return StripeShelf.list([], hasMore: false)
    }
    // The second page would begin inside one second, of which the first page has seen a part.
    for number in 0..<150 {
      night.shelf.put("charges", "ch_\(number + 50)", created: number < 60 ? dayEnd - 1000 : dayEnd - 500)
    }
    #expect(try await night.pull().incomplete == [])
    #expect(Set(try night.ids(.charges)).count == 150)
  }

  @Test("a page with one object that no parser takes loses that object alone") func oneBad() async throws {
    let night = try await StripeNight { asked, _ in
      guard asked.path == "/v1/charges" else { return nil }
      let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
      return StripeShelf.list(
        [
          #"{"id":"ch_1","object":"charge","created":\#(dayEnd - 1)}"#,
          #"{"id":"ch_2","object":"charge","created":\#(dayEnd - 2),"metadata":\#(deep)}"#,
          #"{"id":"ch_3","object":"charge","created":\#(dayEnd - 3)}"#,
        ], hasMore: false)
    }
    #expect(try await night.pull().incomplete == [])
    #expect(try night.ids(.charges) == ["ch_1", "ch_2", "ch_3"])
    #expect(try night.lines(.charges)[1].contains("unreadable"))
  }
}
