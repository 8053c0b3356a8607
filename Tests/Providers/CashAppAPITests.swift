import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Providers

@Suite("Cash App's Network API, over HTTP") struct CashAppAPITests {
  private static func fault(_ status: Int, _ code: String, _ detail: String = "no") -> LoopbackServer.Reply {
    .json(#"{"errors":[{"category":"ERROR","code":"\#(code)","detail":"\#(detail)"}]}"#, status: status)
  }

  /// A night in which the payments answer one after the other, then with nothing.
  private func night(_ replies: [LoopbackServer.Reply]) async throws -> CashAppNight {
    let rest = ReplyQueue(replies)
    return try await CashAppNight { asked in
      asked.path == "/network/v1/payments" ? rest.next() ?? CashAppNight.quiet(asked) : CashAppNight.quiet(asked)
    }
  }

  private func outcome(_ night: CashAppNight, _ stream: CashAppStream = .payments) async throws -> StreamOutcome? {
    try await night.pull().streams.first { $0.stream == stream.rawValue }
  }

  @Test("every request is signed as it goes over the wire, and carries what is asked of it") func signed() async throws
  {
    let night = try await night([.json(#"{"payments":[\#(CashAppNight.payment("PWC_1"))],"cursor":"a+b/c="}"#)])
    #expect(try await night.pull().streams.allSatisfy(\.isComplete))
    let asked = night.server.asked.filter { $0.path == "/network/v1/payments" }
    #expect(asked.count == 2 && asked[1]["cursor"] == "a+b/c=" && asked[1]["limit"] == "100")
    for (request, link) in zip(asked, ["?limit=100", "?limit=100&cursor=a%2Bb%2Fc%3D"]) {
      let headers =
        ["accept", "authorization", "content-type"].map { ($0, request.headers[$0] ?? "") } + [("host", "127.0.0.1")]
      let expected = CashAppSignature(variant: .sample).value(
        method: "GET", path: request.path + link, headers: headers, secret: CashAppNight.secret)
      #expect(request.headers["x-signature"] == expected)
      #expect(request.headers["authorization"] == "Client CAS-CI_TEST KEY_test")
      #expect(
        request.headers["x-region"] == "PDX" && request.headers["user-agent"] == "crossfoot" && request.method == "GET")
    }
    #expect(asked.allSatisfy { Set($0.query.map(\.name)).isSubset(of: ["limit", "cursor"]) })
  }

  @Test("of a payment only what a rule reads lands, the fee as its literal") func landed() async throws {
    let night = try await night([.json(#"{"payments":[\#(CashAppNight.payment("PWC_1"))]}"#)])
    _ = try await night.pull()
    let line = try #require(try night.lines(.payments).first)
    #expect(line.contains(#""fee_amount":20.5"#) && line.contains(#""reference_id":"O-1""#) && !line.contains("findme"))
  }

  @Test("an empty cursor ends a list, and so does none") func cursors() async throws {
    for end in [#","cursor":"""#, "", #","cursor":null"#] {
      let night = try await night([.json(#"{"payments":[]\#(end)}"#)])
      #expect(try await outcome(night)?.isComplete == true)
      #expect(night.server.asked.filter { $0.path == "/network/v1/payments" }.count == 1)
    }
  }

  @Test("a cursor that is gone lets the list be walked again, once") func cursorGone() async throws {
    let first = LoopbackServer.Reply.json(#"{"payments":[\#(CashAppNight.payment("PWC_1"))],"cursor":"next"}"#)
    let gone = Self.fault(400, "INVALID_CURSOR")
    let again = try await night([first, gone, first, .json(#"{"payments":[\#(CashAppNight.payment("PWC_2"))]}"#)])
    #expect(try await outcome(again)?.isComplete == true)
    #expect(try again.lines(.payments).count == 3)
    let never = try await night([first, gone, first, gone, first])
    let outcome = try #require(try await outcome(never))
    #expect(!outcome.isComplete && outcome.reason?.contains("INVALID_CURSOR") == true)
  }

  @Test("a list that comes back to a page ends with a sentence") func endless() async throws {
    let page = LoopbackServer.Reply.json(#"{"payments":[],"cursor":"same"}"#)
    let outcome = try #require(try await outcome(try await night([page, page, page])))
    #expect(!outcome.isComplete && outcome.reason?.contains("comes back to a page") == true)
  }

  @Test("too many requests twice, then an answer") func limited() async throws {
    let limited = Self.fault(429, "RATE_LIMITED", "Too many requests.")
    let night = try await night([limited, limited])
    #expect(try await outcome(night)?.isComplete == true)
    #expect(night.server.asked.filter { $0.path == "/network/v1/payments" }.count == 3)
  }

  @Test("a key that ended is said to have, nothing more is asked, and the files are read all the same") func expired()
    async throws
  {
    let night = try await night([Self.fault(401, "ACCESS_TOKEN_EXPIRED")])
    let outcome = try await night.pull()
    #expect(outcome.refusal == nil && outcome.streams.first?.isComplete == true)
    let reasons = outcome.streams.dropFirst().map(\.reason)
    #expect(
      reasons.count == 4
        && reasons.allSatisfy { $0?.contains("ACCESS_TOKEN_EXPIRED") == true && $0?.contains("30 days") == true })
    #expect(night.server.asked.count == 1)
  }

  @Test("a scope that is missing is named, and the other lists are read") func forbidden() async throws {
    let named = try await night([Self.fault(403, "INSUFFICIENT_SCOPES", "The scope PAYMENTS_READ is needed.")])
    let outcome = try await named.pull()
    #expect(outcome.streams.filter { !$0.isComplete }.map(\.stream) == ["payments"])
    #expect(
      outcome.streams[1].reason?.contains("lacks the scope PAYMENTS_READ (status 403, INSUFFICIENT_SCOPES)") == true)
    let unnamed = try await night([Self.fault(403, "FORBIDDEN")])
    #expect(try await self.outcome(unnamed)?.reason?.contains("PAYMENTS_READ") == true)
  }

  @Test(
    "what passes is tried again, and what stays has a sentence",
    arguments: [
      LoopbackServer.Reply.json("{}", status: 500), .json("{}", status: 503), .json("{}", status: 409),
      .cut(200, body: #"{"payments":["#, announced: 500),
      .whole(200, headers: ["Content-Type": "text/html"], body: "<html>Hello</html>"),
    ])
  func passing(reply: LoopbackServer.Reply) async throws {
    #expect(try await outcome(try await night([reply, reply]))?.isComplete == true)
    let outcome = try #require(try await outcome(try await night([reply, reply, reply])))
    #expect(!outcome.isComplete && outcome.reason?.hasPrefix("cashapp payments: ") == true, "\(outcome.reason ?? "")")
    #expect(outcome.reason?.contains("findme") == false)
  }

  @Test("without the walk only what was left open is asked for, by id; what is gone is passed over") func open()
    async throws
  {
    let night = try await CashAppNight { asked in
      switch asked.path {
      case "/network/v1/payments/PWC_1": .json(#"{"payment":\#(CashAppNight.payment("PWC_1"))}"#)
      case "/network/v1/payments/PWC_2": Self.fault(404, "NOT_FOUND")
      default: CashAppNight.quiet(asked)
      }
    }
    let outcome = try await night.pull(crawl: false, open: ["payments": ["PWC_1", "PWC_2"]])
    #expect(!outcome.streams.contains { !$0.isComplete })
    #expect(try night.lines(.payments).count == 1)
    #expect(
      night.server.asked.map(\.path) == [
        "/network/v1/payments/PWC_1", "/network/v1/payments/PWC_2", "/network/v1/disputes",
        "/management/v1/api-keys/KEY_test",
      ])
  }

  @Test("without a key nothing is asked") func noKey() async throws {
    let night = try await CashAppNight()
    let outcome = try await night.pull(hasKey: false)
    #expect(outcome.streams.map(\.stream) == ["settlement"] && night.server.asked.isEmpty)
  }

  @Test("doctor says what can be read, what is missing and when the key ends") func examined() async throws {
    let night = try await CashAppNight { asked in
      if asked.path == "/network/v1/refunds" { return Self.fault(403, "INSUFFICIENT_SCOPES") }
      guard asked.path.hasPrefix("/management") else { return CashAppNight.quiet(asked) }
      return .json(#"{"api_key":{"id":"KEY_test","expires_at":"2026-03-09T00:00:00Z"}}"#)
    }
    try night.put("20260302_settlement_report_client_CAS-CI_TEST_batch_B1_chunk_1.csv", CashAppNight.header + "\n")
    try night.put("20260302_settlement_report_client_OTHER_batch_X_chunk_0.csv", CashAppNight.header + "\n")
    let findings = await (try night.provider()).examine()
    let bad = findings.filter { $0.grade == .bad }.map(\.sentence)
    #expect(bad.contains { $0.contains("chunk 0 is missing") } && bad.contains { $0.contains("REFUNDS_READ") })
    #expect(bad.contains("cashapp: the API key ends at 2026-03-09T00:00:00Z; make a new one and set key_id and secret"))
    let rest = findings.filter { $0.grade != .bad }.map(\.sentence)
    #expect(
      rest.contains("cashapp: the newest settlement file is of 2026-03-02")
        && rest.contains("cashapp: payments can be read"))
    #expect(rest.contains { $0.contains("1 settlement files are another client's") })
  }
}

/// Answers to be given one after the other.
private final class ReplyQueue: Sendable {
  private let rest: Mutex<[LoopbackServer.Reply]>
  init(_ replies: [LoopbackServer.Reply]) { rest = Mutex(replies) }
  func next() -> LoopbackServer.Reply? { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
