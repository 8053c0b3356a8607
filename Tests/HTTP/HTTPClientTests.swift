import HTTP
import Testing
import TestSupport

@Suite("Asking over HTTP") struct HTTPClientTests {
  @Test("an answer comes back with its status, headers and decoded body") func answer() async throws {
    let bench = try await Bench { _ in .json(#"{"a":1}"#, headers: ["Request-Id": "req_1"]) }
    let response = try await bench.get("/v1/charges?limit=1")
    #expect(response.status == 200)
    #expect(response.requestID == "req_1")
    #expect(response.header("content-TYPE") == "application/json")
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"a":1}"#)
    #expect(bench.server.asked.first?.method == "GET")
    #expect(bench.server.asked.first?.headers["authorization"] == "Bearer sk_test_verysecret")
  }

  @Test("429 and 5xx are asked again, waiting at least as long as Retry-After says") func patience() async throws {
    let bench = try await Bench(replies: [
      .whole(429, headers: ["Retry-After": "2"], body: ""), .whole(429, headers: ["Retry-After": "2"], body: ""),
      .whole(503, headers: [:], body: "later"), .json("{}"),
    ])
    #expect(try await bench.get("/").status == 200)
    #expect(bench.waits == [.seconds(2), .seconds(2), .seconds(2)])
  }

  @Test("408 and 409 are asked again too", arguments: [408, 409]) func passing(status: Int) async throws {
    let bench = try await Bench(replies: [.whole(status, headers: [:], body: ""), .json("{}")])
    #expect(try await bench.get("/").status == 200)
    #expect(bench.waits.count == 1)
  }

  @Test("own waits double from half a second to five") func backoff() async throws {
    let bench = try await Bench(attempts: 7) { _ in .whole(500, headers: [:], body: "no") }
    await #expect(throws: HTTPError.self) { try await bench.get("/") }
    #expect(bench.waits == [.seconds(0.5), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
  }

  @Test("a Retry-After that is a date counts from the clock, and none is longer than wait_at_most") func dates()
    async throws
  {
    let bench = try await Bench(replies: [
      .whole(503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"], body: ""),
      .whole(503, headers: ["Retry-After": "86400"], body: ""), .json("{}"),
    ])
    #expect(try await bench.get("/").status == 200)
    #expect(bench.waits == [.seconds(10), .seconds(300)])
  }

  @Test("a 4xx is an answer, asked once") func refused() async throws {
    let bench = try await Bench { _ in .json("{}", status: 404) }
    #expect(try await bench.get("/").status == 404)
    #expect(bench.server.asked.count == 1)
  }

  @Test("the provider's word on a retry wins, both ways") func hook() async throws {
    let word: @Sendable (HTTPResponse) -> Bool? = { $0.header("Should-Retry").map { $0 == "true" } }
    let wanted = try await Bench(
      replies: [.whole(400, headers: ["Should-Retry": "true"], body: ""), .json("{}")], shouldRetry: word)
    #expect(try await wanted.get("/").status == 200)
    let unwanted = try await Bench(shouldRetry: word) { _ in .whole(500, headers: ["Should-Retry": "false"], body: "no")
    }
    await #expect(throws: HTTPError.self) { try await unwanted.get("/") }
    #expect(unwanted.server.asked.count == 1)
  }

  @Test("an HTML 502 is asked again, and its words are kept without markup and without the key") func html()
    async throws
  {
    let page =
      "<html><head><title>502 Bad Gateway</title></head><body>upstream said no to sk_test_verysecret</body></html>"
    let bench = try await Bench(attempts: 3) { _ in .whole(502, headers: ["Request-Id": "req_9"], body: page) }
    let error = await #expect(throws: HTTPError.self) { try await bench.get("/") }
    let text = try #require(error).description
    #expect(
      text
        == "stripe charges: status 502, request req_9 in 3 attempts: 502 Bad Gateway upstream said no to <secret>; "
        + "run again later"
    )
    #expect(bench.waits.count == 2)
  }

  @Test("a body that breaks off is asked again", arguments: [Optional(1000), nil]) func cut(announced: Int?)
    async throws
  {
    let bench = try await Bench(replies: [.cut(200, body: #"{"a":"#, announced: announced), .json("{}")])
    #expect(try await bench.get("/").status == 200)
    #expect(bench.waits.count == 1)
    let never = try await Bench(attempts: 2) { _ in .cut(200, body: #"{"a":"#, announced: announced) }
    let error = await #expect(throws: HTTPError.self) { try await never.get("/") }
    #expect(error == .cutBody(label: "stripe charges", status: 200, requestID: nil, received: 5, attempts: 2))
  }

  @Test("a 200 whose body is not what it should be is asked again") func wrongBody() async throws {
    let bench = try await Bench(replies: [.whole(200, headers: [:], body: "<html>Maintenance</html>"), .json("{}")])
    let fault: @Sendable (HTTPResponse) -> String? = {
      $0.body.first == UInt8(ascii: "{") ? nil : "its body is not JSON"
    }
    #expect(try await bench.get("/", fault: fault).status == 200)
    #expect(bench.waits.count == 1)
  }

  @Test("a slow answer ends at the time limit") func slow() async throws {
    let bench = try await Bench(attempts: 2, timeout: .milliseconds(150)) { _ in .silence }
    let error = await #expect(throws: HTTPError.self) { try await bench.get("/") }
    #expect(error == .timedOut(label: "stripe charges", host: "127.0.0.1", attempts: 2))
  }

  @Test("a host that is not there is unreachable") func unreachable() async throws {
    let bench = try await Bench(attempts: 2) { _ in .json("{}") }
    await bench.server.stop()
    let error = await #expect(throws: HTTPError.self) { try await bench.get("/") }
    #expect(error?.isUnreachable == true)
    #expect(error?.description.contains("127.0.0.1 could not be reached in 2 attempts") == true)
  }

  @Test("a redirect is an answer, and nobody follows it") func redirect() async throws {
    let bench = try await Bench { _ in .whole(302, headers: ["Location": "/elsewhere"], body: "") }
    #expect(try await bench.get("/").status == 302)
    #expect(bench.server.asked.map(\.path) == ["/"])
  }

  @Test("a body beyond the limit is refused") func tooLarge() async throws {
    let bench = try await Bench(bodyLimit: 1000) { _ in .json(String(repeating: "x", count: 1001)) }
    let error = await #expect(throws: HTTPError.self) { try await bench.get("/") }
    #expect(error == .tooLarge(label: "stripe charges", limit: 1000))
  }

  @Test("a cancelled task releases its transfer") func cancelled() async throws {
    let (asked, signal) = AsyncStream<Void>.makeStream()
    let bench = try await Bench { _ in
      signal.yield()
      return .silence
    }
    let task = Task { try await bench.get("/") }
    for await _ in asked { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("many requests at once share few connections") func bounded() async throws {
    let gauge = Gauge()
    let bench = try await Bench(connections: 3) { _ in
      gauge.enter()
      await Task.yield()
      gauge.leave()
      return .json("{}")
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 { group.addTask { try await bench.get("/\(number)").status } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(bench.server.asked.count == 40)
    #expect(gauge.highest <= 3)
  }
}
