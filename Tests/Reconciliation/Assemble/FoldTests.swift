import Payments
import Storage
import TestSupport
import Testing

@testable import Reconciliation

@Suite("What the events of a record come to")
struct FoldTests {
  /// Expected: `status captured amount/captured`, with `authorised`, `lapses` and `canceled` where there are any.
  @Test(
    "Payments",
    arguments: [
      Case(
        "A24-authorised-and-not-captured", "webhook authorised A1 1000 @1 until=9",
        "succeeded 1000/0 authorised=1 lapses=9 canceled=9"),
      Case("C01-capture-with-its-fee", "settlement captured C1 1000 @2", "succeeded captured 1000/1000 authorised=2"),
      Case(
        "C06-less-is-captured-than-was-authorised",
        "api authorised P 1000 @1; api captured P 800 @2; api released P 200 @2",
        "succeeded captured 1000/800 authorised=1 canceled=2"),
      Case("A23-cash-app-pay-through-adyen", "webhook started P 1000 @1", "pending 1000/0"),
      Case("A16-notifications-as-they-come", "webhook declined P 1000 @1", "failed declined 1000/0 canceled=1"),
      Case(
        "A16-notifications-as-they-come", "webhook authorised P 1000 @1; webhook declined P 1000 @3",
        "succeeded 1000/0 authorised=1"),
      Case(
        "A31-a-capture-that-fails-and-was-never-told", "webhook capture_failed C1 1000 @4",
        "succeeded 1000/1000 authorised=4"),
      Case("P18b-refund-of-a-capture-that-is-gone", "refund", "succeeded captured 500/0 authorised=3"),
    ])
  func payments(_ line: Case) throws {
    let isRefund = line.given == "refund"
    let events =
      isRefund
      ? [
        try Observation(["settlement", "succeeded", "R1", "500", "@3", "payment=P"], subject: .refund, recordID: "R1")
      ] : try Observation.list(line.parts)
    let payment = try PaymentFold.payment("P", events, CapturePairing.captures(of: "P", events), nil)
    #expect(describe(payment) == line.expected)
  }

  private func describe(_ payment: PaymentRecord) -> String {
    var words =
      [payment.status.string] + (payment.isCaptured ? ["captured"] : []) + (payment.isDeclined ? ["declined"] : [])
    words.append("\(payment.amountMinor)/\(payment.capturedMinor)")
    for (name, moment) in [
      ("authorised", payment.authorisedAt), ("lapses", payment.captureBefore), ("canceled", payment.canceledAt),
    ] {
      if let moment { words.append("\(name)=\(moment)") }
    }
    return words.joined(separator: " ")
  }

  @Test(
    "An authorisation with an id of its own ends when captures took it over, or the rest was released before (P07)"
  )
  func takeOver() throws {
    let events = try Observation.list([["api", "authorised", "P", "1000", "@1"]])
    let whole = PaymentFold.TakeOver(capturedMinor: 1000, takenAt: 4)
    #expect(try PaymentFold.payment("P", events, [], whole).canceledAt == 4)
    #expect(try PaymentFold.payment("P", events, [], .init(capturedMinor: 600, takenAt: 4)).canceledAt == nil)
    let released = events + (try Observation.list([["api", "released", "P", "0", "@3"]]))
    #expect(try PaymentFold.payment("P", released, [], whole).canceledAt == 3)
  }

  /// Expected: `status amount created failed`.
  @Test(
    "Refunds",
    arguments: [
      Case(
        "A07-refund-told-and-settled-or-not", "webhook pending e1 500 @1; settlement succeeded e2 500 @3",
        "succeeded 500 1 -"),
      Case("A08-refund-that-fails", "webhook succeeded e1 500 @1; webhook failed e2 500 @3", "failed 500 1 3"),
      Case("A08-refund-that-fails", "webhook failed e1 500 @3; settlement succeeded e2 490 @3", "failed 490 3 3"),
      Case("CA-refund-of-the-api-alone", "api pending e1 500 @1; api canceled e2 500 @2", "canceled 500 1 2"),
      Case(
        "paypal-a-refund-is-denied-after-it-was-booked", "settlement failed e1 0 @2; api succeeded e2 500 @1",
        "failed 500 1 2"),
    ])
  func refunds(_ line: Case) throws {
    let refund = try #require(
      RefundFold.refund("R", try Observation.list(line.parts, subject: .refund, recordID: "R"), nil))
    #expect(
      "\(refund.status) \(refund.amountMinor) \(refund.createdAt) \(refund.failedAt.map(String.init) ?? "-")"
        == line.expected)
  }

  /// Expected: `status amount created respond reason`.
  @Test(
    "Disputes",
    arguments: [
      Case(
        "C03b-chargeback-and-when-to-answer",
        "settlement opened e1 500 @2 detail=4853; api opened e2 500 @1 until=9 detail=fraud", "open 500 1 9 fraud"),
      Case("C03a-chargeback-with-its-fee", "settlement opened e1 500 @2 detail=4853", "open 500 2 - 4853"),
      Case("C09-a-dispute-is-won", "settlement opened e1 500 @2; settlement closed e2 500 @5", "closed 500 2 - -"),
      Case(
        "A09-dispute-chain", "webhook won e2 500 @5; webhook lost e3 500 @5; webhook opened e1 600 @2", "lost 600 2 - -"
      ),
      Case("S13a-inquiry-moves-no-money", "webhook inquiry e1 500 @2; webhook opened e2 500 @2", "open 500 2 - -"),
    ])
  func disputes(_ line: Case) throws {
    let events = try Observation.list(line.parts, subject: .dispute, recordID: "D")
    let dispute = try #require(DisputeFold.dispute("D", events, paymentByOrder: nil))
    let words = [
      dispute.status.string, String(dispute.amountMinor), String(dispute.createdAt),
      dispute.respondBy.map(String.init) ?? "-",
    ]
    #expect((words + [dispute.reason?.string ?? "-"]).joined(separator: " ") == line.expected)
  }

  /// `status rowID amount @date`. Expected: `status amount created row failure`.
  @Test(
    "Payouts",
    arguments: [
      Case("A18a-a-split-its-refund-and-the-sellers-payout", "booked t1 700 @1", "booked 700 1 t1 -"),
      Case("A19-a-payout-that-comes-back", "booked t1 700 @1; returned t2 -700 @4", "returned 700 1 t1 t2"),
      Case("A19-a-payout-that-comes-back", "failed t9 700 @2", "failed 700 2 - -"),
    ])
  func payouts(_ line: Case) throws {
    let found = try withStore(.sqlite) { database in
      for (index, words) in line.parts.enumerated() {
        let line = Words(words)
        try database.execute(
          """
          insert into payout_step (provider, account, payout_id, row_id, status, currency, amount_minor,
            happened_at, landed_file, landed_line)
          values ('p', 'a', 'O', $1, $2, 'EUR', $3, $4, 1, 1)
          """,
          [
            .text(line.plain[1]), .text(line.plain[0]), .integer(try #require(Int64(line.plain[2]))),
            .integer(line.date),
          ])
        // The ledger has every row but t9.
        guard line.plain[1] != "t9" else { continue }
        try database.execute(
          """
          insert into ledger_row (row_no, provider, row_id, account, category, currency, amount_minor, fee_minor,
            net_minor, booked_at,
            known_category, fee_sum_minor, first_landed_at, landed_file, landed_line)
          values ($1, 'p', $2, 'a', 'payout', 'EUR', $3, 0, $3, 5, 1, 0, 1, 1, 1)
          """, [.integer(Int64(index + 1)), .text(line.plain[1]), .integer(-(Int64(line.plain[2]) ?? 0))])
      }
      try Assemble(database: database, sql: TestStore.repository + "/sql").derivePayouts()
      var found = ""
      try database.query("select status, amount_minor, created_at, row_id, failure_row_id from payout") { row in
        found = (0...4).map { row.text($0) ?? "-" }.joined(separator: " ")
      }
      return found
    }
    #expect(found == line.expected)
  }
}
