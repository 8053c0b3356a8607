import TestSupport
import Testing

@testable import Providers

@Suite("When PayPal refuses, or is not there") struct PayPalRefusalTests {
  private static let reporting = "/v1/reporting/transactions"

  @Test("refused credentials name the provider and never the secret, and nothing more is asked") func credentials()
    async throws
  {
    let night = try await PayPalNight { asked, _ in
      .json(
        #"{"error":"invalid_client","error_description":"\#(payPalSecret) failed"}"#, status: 401,
        headers: ["PayPal-Debug-Id": "d7"])
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == .credentials)
    #expect(outcome.incomplete.count == PayPalStream.allCases.count)
    #expect(
      outcome.of(paypal: .reporting)?.reason?.hasPrefix(
        "provider paypal: PayPal refused the credentials (status 401, request d7)") == true)
    #expect(night.server.asked.map(\.path) == ["/v1/oauth2/token"])
    #expect(!(try night.everything(outcome)).contains("Findme"))
  }

  @Test("one token serves the whole run, and only it is posted for") func oneToken() async throws {
    let night = try await PayPalNight()
    for number in 0..<5 { night.shelf.row("R\(number)", at: dayEnd - 100 - Int64(number)) }
    let outcome = try await night.pull()
    #expect(night.shelf.tokens == 1)
    #expect(night.server.asked.filter { $0.method != "GET" }.map(\.path) == ["/v1/oauth2/token"])
    #expect(
      night.server.asked.first?.headers["authorization"] == "Basic Y2xpZW50LTE6RUZpbmRtZVNlY3JldDdzZWNyZXRzZWNyZXQ=")
    #expect(!(try night.everything(outcome)).lowercased().contains("findme"))
  }

  @Test("a token that is not accepted any more is renewed once") func renewed() async throws {
    let night = try await PayPalNight { asked, _ in
      asked.path != "/v1/oauth2/token" && asked.headers["authorization"] == "Bearer A21AAfindme-1"
        ? .json(#"{"name":"AUTHENTICATION_FAILURE"}"#, status: 401) : nil
    }
    night.shelf.row("R1", at: dayEnd - 100)
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(night.shelf.tokens == 2)
  }

  @Test("tokens that are never accepted are refused credentials") func neverAccepted() async throws {
    let night = try await PayPalNight { asked, _ in
      asked.path == "/v1/oauth2/token" ? nil : .json(#"{"name":"AUTHENTICATION_FAILURE"}"#, status: 401)
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == .credentials)
    #expect(night.server.asked.count == 4)
  }

  @Test("a token without the scope says what to switch on, and the report is not asked for") func scope() async throws {
    let night = try await PayPalNight { asked, _ in
      asked.path == "/v1/oauth2/token"
        ? .json(#"{"access_token":"T","expires_in":900,"scope":"https://uri.paypal.com/services/invoicing"}"#) : nil
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == nil)
    #expect(
      outcome.of(paypal: .reporting)?.reason?.contains("enable Transaction Search in the application's settings")
        == true)
    #expect(outcome.of(paypal: .disputes)?.isComplete == true)
    #expect(!night.server.asked.contains { $0.path == Self.reporting })
  }

  @Test(
    "403 names the feature; the other streams go on",
    arguments: [("/v1/customer/disputes", "disputes"), ("/v1/reporting/balances", "balances")])
  func permission(path: String, stream: String) async throws {
    let night = try await PayPalNight { asked, _ in
      asked.path == path
        ? .json(#"{"name":"NOT_AUTHORIZED","message":"Authorization failed.","debug_id":"d9"}"#, status: 403) : nil
    }
    night.shelf.row("R1", at: dayEnd - 100)
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [stream])
    #expect(outcome.streams.first { $0.stream == stream }?.reason?.contains("request d9); enable ") == true)
    #expect(try night.rowIDs() == ["R1"])
  }

  @Test("a storm of 429 is waited out as the answers ask") func rateLimited() async throws {
    let night = try await PayPalNight { asked, count in
      asked.path == Self.reporting && count <= 2
        ? .json(#"{"name":"RATE_LIMIT_REACHED"}"#, status: 429, headers: ["Retry-After": "17"]) : nil
    }
    night.shelf.row("R1", at: dayEnd - 100)
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(night.waits.all == ["17.0 seconds", "17.0 seconds"])
  }

  @Test("5xx, a cut body and a web page are asked again, and said when they stay", arguments: 0...3) func troubles(
    kind: Int
  ) async throws {
    let night = try await PayPalNight { asked, _ in
      guard asked.path == Self.reporting else { return nil }
      switch kind {
      case 0: return .json(#"{"name":"INTERNAL_SERVER_ERROR","message":"Bearer A21AAfindme-1"}"#, status: 500)
      case 1:
        return .cut(
          200, body: #"{"transaction_details":[{"transaction_info":{"transaction_id":"R1"}},"#, announced: 900)
      case 2: return .whole(200, headers: ["Content-Type": "text/html"], body: "<html><body>Sorry</body></html>")
      default: return .json(#"{"transaction_details":[{"transaction_info":{"transaction_id":"R1"}},"#)
      }
    }
    let outcome = try await night.pull()
    #expect(outcome.incomplete == ["in_flight", "reporting"] && outcome.refusal == nil)
    #expect(night.windows.count == 3)
    #expect(try night.rowIDs() == [])
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("a link to another host is refused; PayPal's own older hosts are rebuilt") func foreignLink() async throws {
    let night = try await PayPalNight { asked, count in
      guard asked.path == "/v1/customer/disputes" else { return nil }
      let next =
        count == 1
        ? "https://api.paypal.com/v1/customer/disputes?next_page_token=abc"
        : "https://evil.example/v1/x?next_page_token=d"
      return .json(#"{"items":[],"links":[{"rel":"next","href":"\#(next)"}]}"#)
    }
    let outcome = try await night.pull()
    #expect(outcome.incomplete == ["disputes"])
    #expect(
      outcome.of(paypal: .disputes)?.reason?.contains("a link leads to evil.example instead of 127.0.0.1") == true)
    #expect(
      night.server.asked.filter { $0.path == "/v1/customer/disputes" }.map { $0["next_page_token"] } == [nil, "abc"])
  }

  @Test("a page of the report that leads elsewhere leaves the stream incomplete") func foreignPage() async throws {
    let night = try await PayPalNight { asked, _ in
      asked.path == Self.reporting
        ? .json(
          #"""
          {"transaction_details":[],"total_pages":2,"links":[{"rel":"next",\#
          "href":"http://127.0.0.2/v1/reporting/transactions"}]}
          """#
        ) : nil
    }
    #expect(try await night.pull().incomplete == ["in_flight", "reporting"])
  }

  @Test("a PayPal that is not there is unreachable") func unreachable() async throws {
    let night = try await PayPalNight()
    await night.server.stop()
    let outcome = try await night.pull()
    #expect(outcome.refusal == .unreachable)
    #expect(outcome.of(paypal: .reporting)?.reason?.contains("127.0.0.1 could not be reached in 3 attempts") == true)
  }

  @Test("disputes are asked for within 179 days, and by id while they are open") func disputes() async throws {
    let night = try await PayPalNight { $0.lookBack = 300 * day }
    night.shelf.put(
      "/v1/customer/disputes/PP-D-1",
      #"{"dispute_id":"PP-D-1","disputed_transactions":[{"seller_transaction_id":"CAP1"}]}"#)
    night.shelf.put("/v2/payments/captures/CAP1", #"{"id":"CAP1","create_time":"2026-01-10T10:00:05Z"}"#)
    let outcome = try await night.pull(open: ["disputes": ["PP-D-1", "GONE"]])
    #expect(outcome.incomplete == [])
    let after = night.server.asked.first { $0.path == "/v1/customer/disputes" }?["update_time_after"]
    #expect(try after.map(PayPalInstant.parse) == dayEnd + 600 - 179 * day)
    #expect(try night.rowIDs(.captures) == ["CAP1"])
  }

  @Test("doctor says what is missing") func doctor() async throws {
    let night = try await PayPalNight(refreshedAt: dayEnd - 20_000) { asked, _ in
      switch asked.path {
      case "/v1/oauth2/token":
        .json(#"{"access_token":"T","expires_in":900}"#, headers: ["Date": "Mon, 02 Mar 2026 00:00:00 GMT"])
      case "/v1/customer/disputes": .json(#"{"name":"NOT_AUTHORIZED"}"#, status: 403)
      default: nil
      }
    }
    let findings = await (try night.provider()).examine()
    let bad = findings.filter { $0.grade == .bad }.map(\.sentence)
    #expect(bad.count == 2)
    #expect(bad.contains { $0.contains("clock is 600 s ahead of PayPal's") })
    #expect(bad.contains { $0.contains("enable Customer disputes") })
    #expect(findings.contains { $0.grade == .warning && $0.sentence.contains("PayPal's report ends 20600 s ago") })
  }
}
