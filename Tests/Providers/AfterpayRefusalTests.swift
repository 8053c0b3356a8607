import TestSupport
import Testing

@testable import Providers

@Suite("When Afterpay refuses, or is not there") struct AfterpayRefusalTests {
  private func night(
    _ reply: @escaping @Sendable (Int) -> LoopbackServer.Reply?, on path: String = "/v2/payments"
  ) async throws -> AfterpayNight {
    let held = AfterpayNight.holding(1)
    return try await AfterpayNight { asked, count, base in
      (asked.path == path ? reply(count) : nil) ?? held(asked, count, base)
    }
  }

  @Test("401 refuses the credentials, names the provider and never the key; the folder is read all the same")
  func credentials() async throws {
    let night = try await night { _ in
      .json(
        #"{"errorCode":"unauthorized","errorId":"af-1","message":"\#(afterpayKey) is wrong","httpStatusCode":401}"#,
        status: 401)
    }
    let outcome = try await night.pull()
    #expect(outcome.refusal == .credentials)
    #expect(
      outcome.afterpay(.payments)?.reason
        == "provider afterpay: Afterpay refused the credentials (status 401, request af-1); check merchant_id, "
        + "secret_key and base_url: each region has its own")
    #expect(outcome.afterpay(.disputes)?.isComplete == false && outcome.afterpay(.settlements)?.isComplete == true)
    #expect(night.server.asked.count == 1)
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("403 on disputes leaves the payments alone") func forbidden() async throws {
    let night = try await night({ _ in .json("{}", status: 403) }, on: "/v2/disputes")
    let outcome = try await night.pull()
    #expect(outcome.refusal == nil && outcome.afterpay(.payments)?.isComplete == true)
    #expect(outcome.afterpay(.disputes)?.reason?.contains("does not let this account ask for it (status 403)") == true)
  }

  @Test("an account without disputes answers 404, which is no gap") func noDisputes() async throws {
    let night = try await night({ _ in .json("{}", status: 404) }, on: "/v2/disputes")
    #expect(try await night.pull().incomplete == [])
  }

  @Test("429 is waited for as long as it asks") func rateLimited() async throws {
    let night = try await night { $0 < 3 ? .json("{}", status: 429, headers: ["Retry-After": "7"]) : nil }
    #expect(try await night.pull().incomplete == [])
    #expect(night.waits.all == ["7.0 seconds", "7.0 seconds"])
  }

  @Test("500 on the list is tried three times, however patient the policy is") func serverError() async throws {
    let night = try await night { _ in
      .json(#"{"errorCode":"error","message":"An error occurred for \#(afterpayKey)"}"#, status: 500)
    }
    let outcome = try await night.pull()
    #expect(night.server.asked.filter { $0.path == "/v2/payments" }.count == 3)
    #expect(outcome.refusal == nil && outcome.afterpay(.payments)?.reason?.contains("status 500 in 3 attempts") == true)
    #expect(outcome.afterpay(.disputes)?.isComplete == true)
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("a 500 that passes leaves nothing behind") func passingError() async throws {
    let night = try await night { $0 == 1 ? .json("{}", status: 500) : nil }
    #expect(try await night.pull().incomplete == [])
  }

  @Test("a cut body and a web page are asked for again, then reported") func broken() async throws {
    let cut = try await night { $0 < 3 ? .cut(200, body: "{\"totalResults\":1,", announced: 900) : nil }
    #expect(try await cut.pull().afterpay(.payments)?.isComplete == true)
    let page = try await night { _ in
      .whole(200, headers: ["Content-Type": "text/html"], body: "<html>Maintenance</html>")
    }
    #expect(try await page.pull().afterpay(.payments)?.reason?.contains("its body is no JSON") == true)
    #expect(page.server.asked.filter { $0.path == "/v2/payments" }.count == 4)
  }

  @Test("an Afterpay that is not there is unreachable, and says where") func unreachable() async throws {
    let night = try await night { _ in nil }
    await night.server.stop()
    let outcome = try await night.pull()
    #expect(outcome.refusal == .unreachable)
    #expect(outcome.afterpay(.payments)?.reason?.contains("127.0.0.1 could not be reached in 4 attempts") == true)
  }

  @Test("doctor asks for the configuration, the disputes and the newest export") func doctor() async throws {
    let night = try await night(
      { _ in .json(#"{"maximumAmount":{"amount":"2000.00","currency":"AUD"}}"#) }, on: "/v2/configuration")
    var found = await (try night.provider()).examine()
    #expect(
      found.contains { $0.grade == .bad && $0.sentence.contains("the account is in AUD, the configuration says USD") })
    #expect(found.contains { $0.grade == .warning && $0.sentence.contains("holds no settlement export") })
    let head = "Settlement Date,Afterpay Order ID,Settlement Amount,Merchant Fee incl Tax,Net Settlement Amount,Type"
    try night.put("a.csv", "\(head)\n03/02/2026,8,$5.00,$0.10,$4.90,Order\n")
    found = await (try night.provider()).examine()
    #expect(
      found.contains { $0.grade == .good && $0.sentence.contains("the newest settlement date is 2026-03-02, in a.csv") }
    )
    found = await (try night.provider { $0.settlementDirectory = "/nowhere/exports" }).examine()
    #expect(found.contains { $0.grade == .bad && $0.sentence.contains("/nowhere/exports is missing") })
  }
}
