import Foundation
import Landing
import Payments
import Settings
import Testing

@testable import OrderSources

/// Orders and started payments from PAR's exports: docs/contract.md section 5.8.
@Suite struct PAROrdersTests {
  private static let hash = "0123456789abcdef0123456789abcdef"

  private func pull(_ files: [String: String], in workplace: Workplace) async throws -> OrderPullOutcome {
    let folder = workplace.folder + "/par"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files { _ = try workplace.write("par/\(name)", text.utf8) }
    return try await workplace.pull(PAROrders(name: "shop", directory: folder, currency: "KWD"))
  }

  private static func order(
    _ id: String, at: String, status: String = "paid", total: String = "1234", response: String = "OK"
  ) -> String {
    """
    {"call":"orders","at":"\(at)","request":{"payment_info":{"payment_init_hash":"\(hash.uppercased())"}},\
    "response":{"status":"\(response)","code":200,"data":{"id":\(id),"number":"7","status":"\(status)",\
    "total":\(total)}}}

    """
  }

  @Test func `an order is its newest line, placed when it was first reported, in minor units of the source's currency`()
    async throws
  {
    try await Workplace.with { workplace in
      let late = Self.order("\"o-1\"", at: "2026-03-01T12:00:00Z", status: "Picked Up", total: "2345")
      let early = Self.order("\"o-1\"", at: "2026-03-01T10:00:00+01:00")
      let outcome = try await pull(["b.jsonl": early, "a.jsonl": late, "a-again.jsonl": late], in: workplace)
      // One order, and the hash that two calls report.
      #expect(outcome.rows == 3 && outcome.refused == 0 && outcome.isComplete)
      let order = try #require(try workplace.orders().first)
      #expect(
        order.orderID == "o-1" && order.placedAt == 1_772_355_600 && order.status == .fulfilled
          && order.statusWord == nil)
      #expect(order.currency == "KWD" && order.totalMinor == 2345 && order.tenderMinor == 2345)
      #expect(order.paymentReferences == [Self.hash])
      #expect(try workplace.orders().count == 1)
    }
  }

  @Test func `a call that failed is no order, one of another kind is named in the log`() async throws {
    try await Workplace.with { workplace in
      let text = Self.order("1", at: "2026-03-01T10:00:00Z", response: "ERROR") + "{\"call\":\"venues\"}\n\n"
      let outcome = try await pull(["a.jsonl": text, "b.txt": "no export"], in: workplace)
      #expect(outcome.rows == 0 && outcome.refused == 0 && outcome.unknownColumns == ["the call venues"])
      #expect(try workplace.orders().isEmpty)
    }
  }

  @Test func `an approval is asked, and what asks for it is not kept`() async throws {
    try await Workplace.with { workplace in
      let call = { (word: String, at: String, action: String) in
        """
        {"call":"\(word)","at":"\(at)","request":{"payment_init_hash":"\(Self.hash)",\
        "order_info":{"customer_phone_number":"0612"},\
        "payment_info":{"amount":1458,"encrypted_cvv":"ENC"}},"response":{"code":200,\
        "data":{"additional_info":{"approval_action":\(action)}}}}

        """
      }
      let text =
        call("init-payment", "2026-03-01T10:00:00Z", "\"SECRET\"")
        + call("auth-payment", "2026-03-01T10:01:00Z", "null")
      _ = try await pull(["a.jsonl": text], in: workplace)
      let calls = try workplace.landed(.inits).compactMap { if case .initCall(let call) = $0 { call } else { nil } }
      #expect(calls.map(\.asksApproval) == [true, false] && calls.map(\.amountMinor) == [1458, 1458])
      #expect(calls.map(\.call) == ["init-payment", "auth-payment"] && Set(calls.map(\.initHash)) == [Self.hash])
      for manifest in try workplace.landing.manifests(asOf: nil) {
        try workplace.landing.read(manifest) { bytes, _ in
          let line = String(decoding: bytes, as: UTF8.self)
          #expect(!line.contains("SECRET") && !line.contains("ENC") && !line.contains("0612"))
        }
      }
    }
  }

  @Test func `a bad line costs itself, a folder that is not there the source`() async throws {
    try await Workplace.with { workplace in
      let text = "{\"call\":\"orders\"\n[1]\n" + Self.order("1", at: "2026-03-01T10:00:00Z", status: "beamed")
      let outcome = try await pull(["a.jsonl": text], in: workplace)
      #expect(outcome.rows == 2 && outcome.refused == 2)
      #expect(try workplace.refused().map(\.location) == ["a.jsonl:1", "a.jsonl:2"])
      #expect(try workplace.orders().map(\.statusWord) == ["beamed"])
      await #expect(throws: OrderSourceError.self) {
        _ = try await workplace.pull(PAROrders(name: "shop", directory: workplace.folder + "/none", currency: "KWD"))
      }
    }
  }
}
