import JSON
import Testing
import TestSupport

@testable import Providers

@Suite("Sub-lists, payout rows, balances and fields of Stripe's objects") struct StripePartsTests {
  private func reversal(_ number: Int) -> String {
    #"{"id":"trr_\#(number)","object":"transfer_reversal","amount":10,"currency":"usd","created":\#(dayEnd - 20),"#
      + #""transfer":"tr_1","source_refund":null,"balance_transaction":"txn_r\#(number)"}"#
  }

  private func putTwelve(_ shelf: StripeShelf, url: String) {
    let embedded = (2..<12).map(reversal)
    shelf.put(
      "transfers", "tr_1", created: dayEnd - 30,
      ["amount": "200", "amount_reversed": "120", "reversals": StripeShelf.listText(embedded, hasMore: true, url: url)])
    for number in 0..<12 {
      shelf.put(
        "transfers/tr_1/reversals", "trr_\(number)", created: dayEnd - 20,
        ["object": "\"transfer_reversal\"", "amount": "10", "balance_transaction": "\"txn_r\(number)\""])
      shelf.row("txn_r\(number)", created: dayEnd - 20, type: "transfer_refund", source: "tr_1")
    }
  }

  @Test("a transfer with twelve reversals is landed with all of them") func twelve() async throws {
    let night = try await StripeNight()
    putTwelve(night.shelf, url: "/v1/transfers/tr_1/reversals")
    #expect(try await night.pull().incomplete == [])
    let line = try #require(try night.lines(.transfers).first)
    let ids = try JSONParser().parse(Array(line.utf8)) { root in
      #expect((try? root["reversals"]["has_more"].bool()) == false)
      return try root["reversals"]["data"].elements.map { try $0["id"].string() }
    }
    #expect(Set(ids).count == 12 && ids.count == 12)
  }

  @Test("a sub-list's link to another host is not followed, and the stream is incomplete") func foreign() async throws {
    let night = try await StripeNight()
    putTwelve(night.shelf, url: "https://evil.example/v1/transfers/tr_1/reversals")
    let outcome = try await night.pull()
    #expect(outcome.incomplete == ["transfers"])
    #expect(
      outcome.of(.transfers)?.reason
        == "stripe reversals of tr_1: a link leads to evil.example instead of 127.0.0.1; links to other hosts are not "
        + "followed: check base_url"
    )
  }

  @Test("an automatic payout's rows are landed without its own, and unseen ones join the ledger") func payoutRows()
    async throws
  {
    let night = try await StripeNight()
    night.shelf.put(
      "payouts", "po_1", created: dayEnd - 90, ["automatic": "true", "reconciliation_status": "\"completed\""])
    night.shelf.put(
      "payouts", "po_2", created: dayEnd - 80, ["automatic": "false", "reconciliation_status": "\"not_applicable\""])
    night.shelf.put(
      "payouts", "po_3", created: dayEnd - 70, ["automatic": "true", "reconciliation_status": "\"in_progress\""])
    night.shelf.row("txn_a", created: dayEnd - 4 * day, source: nil, payout: "po_1")
    night.shelf.row("txn_b", created: dayEnd - 3 * day, source: nil, payout: "po_1")
    night.shelf.row("txn_po", created: dayEnd - 90, net: -200, type: "payout", source: "po_1", payout: "po_1")
    #expect(try await night.pull().incomplete == [])
    #expect(try night.ids(.payoutLines) == ["po_1", "po_1"])
    #expect(try night.lines(.payoutLines).first?.hasPrefix(#"{"payout":"po_1","balance_transaction":{"#) == true)
    #expect(Set(try night.ids(.balanceTransactions)) == ["txn_a", "txn_b", "txn_po"])
    #expect(night.server.asked.compactMap { $0["payout"] } == ["po_1"])
  }

  @Test("a payout that turns out to be manual is no failure") func manual() async throws {
    let night = try await StripeNight { asked, _ in
      asked["payout"] == nil
        ? nil
        : .json(
          #"""
          {"error":{"message":"Balance transaction history can only be filtered on automatic transfers, not manual."}}
          """#,
          status: 400)
    }
    night.shelf.put("payouts", "po_1", created: dayEnd - 90, ["automatic": "true"])
    #expect(try await night.pull().incomplete == [])
  }

  @Test("a balance that stands still is settled; one that moves is looked at again") func balances() async throws {
    let still = try await StripeNight()
    still.shelf.state(balances: [500])
    _ = try await still.pull()
    #expect(try still.lines(.balances).count == 2)
    #expect(
      try still.lines(.balances).allSatisfy {
        $0.contains(#""settled":true"#) && $0.contains("\"observed_at\":\(dayEnd + 600)")
      })
    let moving = try await StripeNight()
    moving.shelf.state(balances: [500, 600, 600])
    _ = try await moving.pull()
    #expect(try moving.lines(.balances).last?.contains(#""amount":600"#) == true)
    #expect(try moving.lines(.balances).last?.contains(#""settled":true"#) == true)
    let restless = try await StripeNight()
    restless.shelf.state(balances: Array(1...50))
    let outcome = try await restless.pull()
    #expect(outcome.incomplete == [])
    #expect(try restless.lines(.balances).allSatisfy { $0.contains(#""settled":false"#) })
  }

  @Test("a row booked while the ledger is read is landed, and the balance is as of just after it") func tail()
    async throws
  {
    let night = try await StripeNight()
    night.shelf.row("txn_now", created: dayEnd + 600, source: nil)
    night.shelf.state(balances: [100])
    _ = try await night.pull()
    #expect(try night.ids(.balanceTransactions) == ["txn_now"])
    #expect(try night.lines(.balances).last?.contains("\"observed_at\":\(dayEnd + 601)") == true)
  }

  @Test("what a row booked while the ledger is read is about is read again") func tailSource() async throws {
    let night = try await StripeNight()
    night.shelf.put("transfers", "tr_1", created: dayEnd - 50)
    night.shelf.row("txn_now", created: dayEnd + 600, type: "transfer_refund", source: "tr_1")
    _ = try await night.pull()
    #expect(try night.ids(.transfers) == ["tr_1", "tr_1"])
  }

  @Test("nothing personal is landed, and the manifest counts what was dropped") func fields() async throws {
    let night = try await StripeNight({ $0.orderReference = ["metadata.shop_order", "payment_intent"] }) { _, _ in nil }
    night.shelf.put(
      "charges", "ch_1", created: dayEnd - 10,
      [
        "billing_details": #"{"name":"Jenny Rosen","email":"jenny@example.com"}"#,
        "receipt_email": #""jenny@example.com""#,
        "description": #""for Jenny Rosen""#, "statement_descriptor": #""ROSEN""#,
        "payment_method_details": #"{"type":"card","card":{"last4":"4242","fingerprint":"Xt5","capture_before":123}}"#,
        "metadata": #"{"shop_order":"o-1","order_id":"o-2","transfer_group":"g","customer":"Jenny Rosen"}"#,
        "transfer_data":
          #"{"amount":null,"destination":{"id":"acct_9","object":"account","email":"jenny@example.com"}}"#,
      ])
    night.shelf.row("txn_1", created: dayEnd - 10, source: "ch_1")
    _ = try await night.pull()
    let text = try StripeStream.allCases.flatMap { try night.lines($0) }.joined()
    for word in ["Jenny", "Rosen", "ROSEN", "jenny@", "4242", "Xt5", "owner@"] {
      #expect(!text.contains(word), "\(word)")
    }
    let line = try #require(try night.lines(.charges).first)
    #expect(line.contains(#""metadata":{"shop_order":"o-1","order_id":"o-2","transfer_group":"g"}"#))
    #expect(line.contains(#""transfer_data":{"amount":null,"destination":{"id":"acct_9"}}"#))
    #expect(line.contains(#""payment_method_details":{"type":"card","card":{"capture_before":123}}"#))
    #expect(try night.manifest(.charges)?.droppedFields == 9)
  }

  @Test("an interrupted pull goes on at its last page, and what its first half named is still brought in")
  func resumed()
    async throws
  {
    let isDown = Switch()
    let (asked, signal) = AsyncStream<Void>.makeStream()
    let night = try await StripeNight { asked, _ in
      guard isDown.isOn, asked.path == "/v1/charges", asked["starting_after"] == "ch_50" else { return nil }
      signal.yield()
      return .silence
    }
    for number in 0..<150 {
      night.shelf.put(
        "charges", "ch_\(number)", created: dayEnd - 1000 + Int64(number), ["payment_intent": "\"pi_\(number)\""])
    }
    night.shelf.put("payment_intents", "pi_149", created: dayEnd - 30 * day)
    isDown.isOn = true
    let first = Task { try await night.pull() }
    for await _ in asked { break }
    first.cancel()
    #expect(try await first.value.incomplete.contains("charges"))
    #expect(try night.landing.manifests().isEmpty)
    isDown.isOn = false
    let before = night.server.asked.count
    #expect(try await night.pull(now: dayEnd + 1800).incomplete == [])
    let again = night.server.asked.dropFirst(before).filter { $0.path == "/v1/charges" }
    #expect(again.compactMap { $0["starting_after"] } == ["ch_50"])
    #expect(try night.ids(.charges).count == 150)
    #expect(try night.ids(.paymentIntents) == ["pi_149"])
    #expect(try night.manifest(.charges)?.pull.windowTo == dayEnd + 600)
  }
}
