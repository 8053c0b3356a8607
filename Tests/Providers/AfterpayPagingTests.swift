import Foundation
import TestSupport
import Testing

@testable import Providers

@Suite("Afterpay's list of payments") struct AfterpayPagingTests {
  @Test("210 payments in pages of 20 are eleven requests, each with the mandatory headers") func pages() async throws {
    let night = try await AfterpayNight(pageSize: 20, AfterpayNight.holding(210))
    let outcome = try await night.pull()
    #expect(outcome.afterpay(.payments)?.isComplete == true && outcome.afterpay(.payments)?.objects == 210)
    let asked = night.server.asked.filter { $0.path == "/v2/payments" }
    #expect(asked.count == 11)
    let login = "Basic " + Data("32:\(afterpayKey)".utf8).base64EncodedString()
    #expect(asked.allSatisfy { $0.headers["authorization"] == login && $0.headers["accept"] == "application/json" })
    #expect(asked.allSatisfy { $0.headers["user-agent"]?.hasPrefix("Crossfoot/1.0 (") == true })
    #expect(!(try night.everything(outcome)).contains("findme"))
  }

  @Test("the vector of the provider's document") func vector() throws {
    #expect(Data("32:abcdefgh".utf8).base64EncodedString() == "MzI6YWJjZGVmZ2g=")
  }

  @Test("the window reaches 121 days before the range, in UTC with Z; the look-back claims nothing") func window()
    async throws
  {
    let night = try await AfterpayNight(AfterpayNight.holding(1))
    _ = try await night.pull()
    let asked = try #require(night.server.asked.first { $0.path == "/v2/payments" })
    #expect(asked["fromCreatedDate"] == "2025-10-31T00:00:00Z" && asked["toCreatedDate"] == "2026-03-02T00:10:00Z")
    #expect(asked["includeNextLink"] == "true" && asked["limit"] == "250")
    let manifest = try #require(try night.manifest(.payments))
    #expect(manifest.pull.coversFrom == dayEnd - day && manifest.pull.watermark == dayEnd && manifest.complete)
  }

  @Test("nothing that names the customer lands") func allowList() async throws {
    let night = try await AfterpayNight(AfterpayNight.holding(1))
    let outcome = try await night.pull()
    #expect(!(try night.everything(outcome)).contains("jenny.rosen"))
    #expect(try night.manifest(.payments)?.droppedFields == 1)
  }

  @Test("a link to another host is refused before anything is sent there; what came before it stays") func foreignLink()
    async throws
  {
    let other = try await LoopbackServer { _ in .json("{}") }
    let night = try await AfterpayNight { asked, _, _ in
      asked.path == "/v2/payments"
        ? AfterpayNight.page([1], total: 2, next: "\(other.baseURL)/v2/payments?cursor=2") : AfterpayNight.noDisputes
    }
    let outcome = try await night.pull()
    #expect(outcome.afterpay(.payments)?.isComplete == false && outcome.refusal == nil)
    #expect(outcome.afterpay(.payments)?.reason?.contains("links to other hosts are not followed") == true)
    #expect(other.asked.isEmpty)
    #expect(try night.lines(.payments).count == 1)
  }

  @Test("a link that leads to another path of the same host is not followed: one of them would concede a dispute")
  func foreignPath() async throws {
    let night = try await AfterpayNight { asked, _, base in
      asked.path == "/v2/payments"
        ? AfterpayNight.page([1], total: 2, next: "\(base)/v2/disputes/dp-1/accept?x=/v2/payments")
        : AfterpayNight.noDisputes
    }
    let outcome = try await night.pull()
    #expect(outcome.afterpay(.payments)?.reason?.contains("does not lead to /v2/payments") == true)
    #expect(!night.server.asked.contains { $0.path.contains("accept") })
  }

  @Test("pages that hold fewer than they state, or payments from outside the window, are not all there is")
  func assertions() async throws {
    let short = try await AfterpayNight { asked, _, _ in
      asked.path == "/v2/payments" ? AfterpayNight.page([1, 2], total: 3) : AfterpayNight.noDisputes
    }
    #expect(
      try await short.pull().afterpay(.payments)?.reason
        == "afterpay payments: the list states 3 payments and holds 2; run again later, or ask Afterpay's support")
    let old = try await AfterpayNight { asked, _, _ in
      asked.path == "/v2/payments"
        ? AfterpayNight.page([1], total: 1, created: "2025-01-01T00:00:00.000Z") : AfterpayNight.noDisputes
    }
    #expect(try await old.pull().afterpay(.payments)?.reason?.contains("payment 1 from outside the window") == true)
    let round = try await AfterpayNight { asked, _, base in
      asked.path == "/v2/payments"
        ? AfterpayNight.page([1], total: 9, next: "\(base)/v2/payments?cursor=1") : AfterpayNight.noDisputes
    }
    #expect(try await round.pull().afterpay(.payments)?.reason?.contains("comes back to a page") == true)
  }

  @Test("a payment that moved to the next page counts once") func repeated() async throws {
    let night = try await AfterpayNight { asked, _, base in
      guard asked.path == "/v2/payments" else { return AfterpayNight.noDisputes }
      return asked["cursor"] == nil
        ? AfterpayNight.page([1, 2], total: 3, next: "\(base)/v2/payments?cursor=2")
        : AfterpayNight.page([2, 3], total: 3)
    }
    let outcome = try await night.pull()
    #expect(outcome.afterpay(.payments)?.isComplete == true && outcome.afterpay(.payments)?.objects == 3)
  }

  @Test("what earlier nights left open, and what an export names, is asked for by id") func named() async throws {
    let night = try await AfterpayNight { asked, _, _ in
      switch asked.path {
      case "/v2/payments": AfterpayNight.page([1], total: 1)
      case "/v2/payments/7": .json(AfterpayNight.payment(7, created: "2025-09-01T00:00:00.000Z"))
      case "/v2/disputes": AfterpayNight.noDisputes
      default: .json(#"{"errorCode":"not_found","errorId":"x","message":"no","httpStatusCode":404}"#, status: 404)
      }
    }
    try night.put(
      "a.csv",
      """
      Settlement Date,Afterpay Order ID,Settlement Amount,Merchant Fee incl Tax,Net Settlement Amount,Type
      03/02/2026,8,$5.00,$0.10,$4.90,Order
      03/02/2026,1,$5.00,$0.10,$4.90,Order

      """)
    let outcome = try await night.pull(open: ["payments": ["1", "7"]])
    #expect(outcome.incomplete == [])
    #expect(
      night.server.asked.map(\.path).filter { $0.hasPrefix("/v2/payments/") } == ["/v2/payments/7", "/v2/payments/8"])
    #expect(try night.lines(.payments).count == 2)
  }

  @Test("an export that a spreadsheet saved with semicolons is refused by its name", arguments: ["a.csv", "a.txt"])
  func semicolons(name: String) async throws {
    let night = try await AfterpayNight { asked, _, _ in
      asked.path == "/v2/disputes" ? AfterpayNight.noDisputes : AfterpayNight.page([], total: 0)
    }
    try night.put(
      name,
      """
      Settlement Date;Afterpay Order ID;Settlement Amount;Merchant Fee incl Tax;Net Settlement Amount;Type
      03/02/2026;8;$5.00;$0.10;$4.90;Order

      """)
    _ = try await night.pull()
    let line = try #require(try night.lines(.settlements).first)
    #expect(line.contains(name) && !line.contains(#""stray":true"#), "\(line)")
  }

  @Test("disputes are walked by offset, and know their payment by its token") func disputes() async throws {
    let night = try await AfterpayNight { asked, _, _ in
      guard asked.path == "/v2/disputes" else { return AfterpayNight.page([1], total: 1) }
      let offset = Int(asked["offset"] ?? "") ?? 0
      let dispute =
        #"{"id":"dp-\#(offset)","order":"003.t1","amount":"10.00","status":"won","evidence":"of Jenny Rosen"}"#
      return .json(#"{"data":[\#(dispute)],"offset":\#(offset),"limit":1,"total":3}"#)
    }
    let outcome = try await night.pull()
    #expect(outcome.afterpay(.disputes)?.objects == 3 && outcome.afterpay(.disputes)?.isComplete == true)
    #expect(
      try night.lines(.disputes).first
        == #"{"id":"dp-0","order":"003.t1","amount":"10.00","status":"won","payment":"1"}"#)
  }
}
