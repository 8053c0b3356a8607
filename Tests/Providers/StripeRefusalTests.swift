import Logging
import Settings
import Testing
import TestSupport

@testable import Providers

@Suite("When Stripe refuses, or is not there") struct StripeRefusalTests {
  @Test("401 refuses the credentials, names the provider and never the key, and asks nothing more") func credentials()
    async throws
  {
    let night = try await StripeNight { _, _ in
      .json(
        #"{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: \#(stripeKey)"}}"#, status: 401)
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == .credentials)
    #expect(outcome.streams.allSatisfy { !$0.isComplete })
    #expect(
      outcome.of(.charges)?.reason
        == "provider stripe: Stripe refused the API key (status 401); check its api_key in the configuration")
    #expect(night.paths.count == 1)
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("403 names the stream and the permission; the others go on") func permission() async throws {
    let night = try await StripeNight { asked, _ in
      guard asked.path == "/v1/disputes" else { return nil }
      let message =
        "The provided key '\(stripeKey)' lacks permission. Having the 'rak_dispute_read' permission would allow this."
      return .json(#"{"error":{"message":"\#(message)"}}"#, status: 403, headers: ["Request-Id": "req_3"])
    }
    night.shelf.put("charges", "ch_1", created: dayEnd - 10)
    let outcome = try await night.pull()
    #expect(outcome.incomplete == ["disputes"] && outcome.refusal == nil)
    #expect(
      outcome.of(.disputes)?.reason
        == "stripe disputes: the API key lacks the permission rak_dispute_read (status 403, request req_3); grant it "
        + "in the Dashboard, then run again")
    #expect(try night.ids(.charges) == ["ch_1"])
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("403 without a name gives the Dashboard's") func unnamed() async throws {
    let night = try await StripeNight { asked, _ in asked.path == "/v1/transfers" ? .json("{}", status: 403) : nil }
    #expect(try await night.pull().of(.transfers)?.reason?.contains("the permission Transfers: Read") == true)
  }

  @Test("a Stripe that is not there is unreachable, and says where") func unreachable() async throws {
    let night = try await StripeNight()
    await night.server.stop()
    let outcome = try await night.pull()
    #expect(outcome.refusal == .unreachable)
    #expect(outcome.of(.charges)?.reason?.contains("127.0.0.1 could not be reached in 3 attempts") == true)
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test(
    "a server that repeats the key in its errors does not get it into a file or a log",
    arguments: [400, 402, 404, 409, 500, 502])
  func echo(status: Int) async throws {
    let night = try await StripeNight { asked, _ in
      asked.path == "/v1/balance"
        ? nil : .json(#"{"error":{"message":"Bearer \#(stripeKey) is not liked"}}"#, status: status)
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == nil)
    #expect(outcome.incomplete.contains("charges"))
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("without the account's id nothing is incomplete", arguments: [403, 404, 500]) func account(status: Int)
    async throws
  {
    let night = try await StripeNight { asked, _ in asked.path == "/v1/account" ? .json("{}", status: status) : nil }
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    // What may pass is asked for again, like any other request.
    #expect(night.paths.filter { $0 == "/v1/account" }.count == (status == 500 ? 4 : 1))
    #expect(try night.lines(.account) == [])
  }

  @Test("a configured account is not asked for") func configuredAccount() async throws {
    let night = try await StripeNight({ $0.account = "acct_mine" }) { _, _ in nil }
    _ = try await night.pull()
    #expect(!night.paths.contains("/v1/account"))
    #expect(try night.lines(.account) == [#"{"id":"acct_mine"}"#])
  }

  @Test("doctor says which permission is missing") func doctor() async throws {
    let night = try await StripeNight { asked, _ in
      asked.path == "/v1/payouts"
        ? .json(#"{"error":{"message":"needs 'rak_payout_read'"}}"#, status: 403)
        : asked.path == "/v1/balance"
          ? .json(#"{"object":"balance"}"#, headers: ["Date": "Mon, 02 Mar 2026 00:00:00 GMT"]) : nil
    }
    let findings = await (try night.provider()).examine()
    let bad = findings.filter { $0.grade == .bad }.map(\.sentence)
    #expect(bad.count == 2)
    #expect(bad.contains { $0.contains("clock is 600 s ahead of Stripe's") })
    #expect(bad.contains { $0.contains("stripe payouts: the API key lacks the permission rak_payout_read") })
    #expect(findings.contains { $0.sentence == "stripe: charges can be read" })
    #expect(night.server.asked.allSatisfy { $0.method == "GET" })
  }

  @Test(
    "doctor warns of a key that can write", arguments: [("sk_live_x", true), ("sk_test_x", true), ("rk_live_x", false)])
  func doctorSecretKey(key: String, isWarned: Bool) async throws {
    let night = try await StripeNight { asked, _ in asked.path == "/v1/balance" ? .json(#"{"object":"balance"}"#) : nil
    }
    let configuration = StripeConfiguration(name: "stripe", apiKey: Secret(key), baseURL: night.server.baseURL)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let findings = await (try Stripe(configuration, waiting: .real, logger: logger)).examine()
    let warnings = findings.filter {
      $0.grade == .warning && $0.sentence.contains("api_key is a secret key, which can write")
    }
    #expect(warnings.count == (isWarned ? 1 : 0), "\(findings.map(\.sentence))")
    #expect(!findings.contains { $0.sentence.contains(key) })
  }

  @Test("doctor with a wrong key says so once") func doctorWrongKey() async throws {
    let night = try await StripeNight { _, _ in .json("{}", status: 401) }
    let findings = await (try night.provider()).examine()
    #expect(findings.map(\.grade) == [.bad])
    #expect(findings.first?.sentence.contains("provider stripe: Stripe refused the API key") == true)
  }
}
