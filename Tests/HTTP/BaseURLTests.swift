import HTTP
import Testing
import TestSupport

@Suite("Where requests may go") struct BaseURLTests {
  @Test(
    "https goes anywhere, http only to this machine, and passwords have no place in it",
    arguments: [
      ("https://api.stripe.com", true), ("http://127.0.0.1:8080", true), ("http://localhost:1/prefix/", true),
      ("http://[::1]:80", true), ("http://api.stripe.com", false), ("http://127.0.0.1.evil.com", false),
      ("https://user:secretword@api.stripe.com", false), ("ftp://127.0.0.1", false), ("nonsense", false),
      ("https://api.stripe.com?x=1", false), ("http://127.0.0.1:1@evil.com", false), ("", false),
    ])
  func base(url: String, isAllowed: Bool) throws {
    let client = Result { try HTTPClient(baseURL: url, logger: quiet) }
    switch client {
    case .success: #expect(isAllowed, "\(url)")
    case .failure(let error):
      #expect(!isAllowed, "\(url)")
      #expect(!"\(error)".contains("secretword"))
    }
  }

  @Test(
    "a link to another host is refused in a sentence",
    arguments: ["https://evil.com/v1", "http://127.0.0.1:1/v1", "http://a@127.0.0.1/v1", "https://127.0.0.1/"])
  func foreign(link: String) async throws {
    let bench = try await Bench { _ in .json("{}") }
    let error = await #expect(throws: HTTPError.self) { try await bench.get(link) }
    #expect(error?.description.contains("links to other hosts are not followed") == true)
    #expect(bench.server.asked.isEmpty)
  }

  @Test("an absolute link to the same host is asked") func sameHost() async throws {
    let bench = try await Bench { _ in .json("{}") }
    #expect(try await bench.get(bench.server.baseURL + "/v1/x").status == 200)
  }
}

@Suite("Excerpts and dates") struct ExcerptTests {
  @Test("no secret survives in an excerpt, whole or as a word of its header") func secrets() {
    let body = Array("Bearer sk_live_abc and sk_live_abc, \u{7}<b>bold</b>".utf8)
    #expect(Excerpt.of(body, hiding: ["Bearer sk_live_abc"]) == "<secret> and <secret>, bold")
  }

  @Test("an excerpt of any length is cut, and is there at once") func excerptOfManyLetters() {
    let clock = ContinuousClock()
    let started = clock.now
    for unit in ["x", "x@", "@", "<", "é", "x ", "\u{0}"] {
      let found = Excerpt.of(
        Array(String(repeating: unit, count: 1 << 20).utf8), hiding: ["sk_live_abc", "0123456789"])
      #expect(found.count <= 201, "\(unit)")
    }
    #expect(clock.now - started < .seconds(10))
  }

  @Test("an address is hidden, whatever stands around it") func addresses() {
    let text = "Jane <jane.doe@example.com>, (a@b); x=c@d;@e f@ @ @@ g@@h"
    #expect(Addresses.hidden(in: text) == "Jane <<address>>, (<address>); x=<address>;@e f@ @ @@ <address>")
    // What a cut would halve does not show.
    let long = String(repeating: "y", count: 16_380) + " jane@example.com"
    #expect(!Excerpt.of(Array(long.utf8), hiding: [], length: 20_000).contains("jan"))
  }

  @Test(arguments: [
    ("\"Jenny 4242424242424242\" is no time", "\"Jenny <number>\" is no time"),
    ("4242 4242-4242 4242, 3782 822463 10005", "<number>, <number>"),
    ("NL91ABNA0417164300 and DE89 3704 0044 0532 0130 00.", "<number> and <number>."),
    ("PSP 8515131751004933, 4242424242424243, NL91ABNA0417164301", nil),
    ("2026-07-06 10:00:00 d_2f6db5ab8117ad20 x4242424242424242 20260706 100000123", nil), ("", nil), ("ü 4", nil),
  ])
  func `card numbers and IBANs are hidden, identifiers are not`(text: String, hidden: String?) {
    #expect(Addresses.hidden(in: text) == hidden ?? text)
  }

  @Test("an HTTP date is read to the second, anything else is none") func dates() {
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800)
    for text in [
      "", "2", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    ] {
      #expect(HTTPDate.parse(text) == nil, "\(text)")
    }
  }
}
