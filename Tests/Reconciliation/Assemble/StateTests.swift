import Payments
import Testing

@testable import Reconciliation

@Suite("What facts come to at a moment")
struct StateTests {
  /// The moment is 10. A fact is `kind amount @date` for an entry, `capture amount @date` for a reported capture of a
  /// folded payment, or a word about the payment: `folded`, `authorised`, `canceled`, `lapses`, `voided`, `asked`,
  /// `to`, `transfers`.
  ///
  /// Expected: `status captured/refunded/failed type`, and `open=` where there is any.
  @Test(
    "Payments",
    arguments: [
      Case("S03-manual-capture-is-dated-by-its-row", "asked 1000", "authorised 0/0/0 platform"),
      Case("S03-manual-capture-is-dated-by-its-row", "asked 1000; capture 1000 @10", "authorised 0/0/0 platform"),
      Case("S03-manual-capture-is-dated-by-its-row", "asked 1000; capture 1000 @9", "captured 1000/0/0 platform"),
      Case("S18b-partial-capture-two-rows", "asked 2000; capture 2000 @2; back 500 @2", "captured 1500/0/0 platform"),
      Case(
        "S07-partial-refund-in-proportion", "asked 1000; capture 1000 @2; refund 400 @3",
        "partially_refunded 1000/400/0 platform"),
      Case(
        "S04-full-refund-without-flags", "asked 1000; capture 1000 @2; refund 1000 @3",
        "refunded 1000/1000/0 platform"),
      Case(
        "S16-failed-refund-still-reversed", "asked 1000; capture 1000 @2; refund 1000 @3; refund_failure 1000 @4",
        "captured 1000/0/0 platform"),
      Case(
        "S14a-asynchronous-failure-undone", "asked 1000; capture 1000 @2; charge_failure 1000 @4",
        "failed 0/0/1000 platform"),
      Case(
        "S11-dispute-lost-and-recovered", "asked 1000; capture 1000 @2; dispute 1000 @4", "disputed 1000/0/0 platform"),
      Case(
        "S12a-dispute-won-fee-kept", "asked 1000; capture 1000 @2; dispute 1000 @4; dispute_reversal 1000 @5",
        "captured 1000/0/0 platform"),
      Case("order-authorised-and-not-captured", "asked 1000; voided 5", "canceled 0/0/0 platform"),
      Case(
        "S27-separate-transfers-beyond-the-charge", "asked 1000; capture 1000 @2; transfers 2",
        "captured 1000/0/0 separate"),
      Case(
        "S01-destination-charge-with-application-fee", "asked 1000; capture 1000 @2; to acct fee=123",
        "captured 1000/0/0 destination_application_fee"),
      Case(
        "S02-transfer-amount-derives-the-commission", "asked 1000; capture 1000 @2; to acct amount=877",
        "captured 1000/0/0 destination_transfer_amount"),
      Case("S15a-skipped-transfer", "asked 1000; capture 1000 @2; to acct", "captured 1000/0/0 destination_full"),
      Case("A23-cash-app-pay-through-adyen", "folded 1000", "started 0/0/0 platform"),
      Case("A24-authorised-and-not-captured", "folded 1000; authorised 2", "authorised 0/0/0 platform"),
      Case("A24-authorised-and-not-captured", "folded 1000; authorised 2; canceled 9", "canceled 0/0/0 platform"),
      Case("an attempt that only cost a fee", "folded 1000; authorised 2; fee 35 @3", "authorised 0/0/0 platform"),
      Case(
        "an attempt that cost a fee and was canceled", "folded 1000; authorised 2; canceled 9; fee 35 @3",
        "canceled 0/0/0 platform"),
      Case(
        "a refund of before coverage that came back", "folded 1000; authorised 2; refund_failure 400 @3",
        "captured 0/0/0 platform"),
      Case(
        "A29-a-capture-waits-for-its-report", "folded 1000; authorised 2; reported 1000 @3",
        "captured 1000/0/0 platform"),
      Case(
        "A31-a-capture-that-fails-and-was-never-told", "folded 1000; authorised 2; failed 1000 @3",
        "failed 0/0/1000 platform"),
      Case(
        "AP-open-remainder", "folded 1000; authorised 2; lapses 20; reported 600 @3",
        "captured 600/0/0 platform open=400"),
      Case("AP-open-remainder", "folded 1000; authorised 2; lapses 9; reported 600 @3", "captured 600/0/0 platform"),
    ])
  func payments(_ line: Case) throws {
    let state = try PaymentStateFold.state(of: try facts(line), at: 10)
    let open = state.openMinor == 0 ? "" : " open=\(state.openMinor)"
    let amounts = "\(state.capturedMinor)/\(state.refundedMinor)/\(state.failedMinor)"
    #expect("\(state.status.rawValue) \(amounts) \(state.chargeType.rawValue)\(open)" == line.expected)
  }

  private func facts(_ line: Case) throws -> PaymentFacts {
    var facts = PaymentFacts(payment: PaymentRecord(paymentID: "P", currency: "EUR", createdAt: 1))
    for words in line.parts {
      let line = Words(words)
      let number = Int64(line.plain[1]) ?? 0
      switch line.plain[0] {
      case "asked": facts.payment.amountMinor = number
      case "folded": (facts.payment.isFolded, facts.payment.amountMinor) = (true, number)
      case "authorised": facts.payment.authorisedAt = number
      case "canceled": facts.payment.canceledAt = number
      case "lapses": facts.payment.captureBefore = number
      case "voided": facts.voidedAt = number
      case "transfers": facts.linkedTransfers = Int(number)
      case "to":
        facts.payment.destination = Text(line.plain[1])
        (facts.payment.applicationFeeMinor, facts.payment.transferAmountMinor) = (
          line.number("fee"), line.number("amount")
        )
      case "reported", "failed": facts.captures.append(capture(number, line.date, isFailure: line.plain[0] == "failed"))
      default: facts.entries.append(try Entry(line))
      }
    }
    return facts
  }

  private func capture(_ amountMinor: Int64, _ date: Int64, isFailure: Bool) -> Capture {
    Capture(
      paymentID: "P", captureID: "C", isFailure: isFailure, currency: "EUR", amountMinor: amountMinor, capturedAt: date,
      confirmedAt: date,
      isSettled: false, isAlone: isFailure)
  }

  @Test(
    "Where refunds were not read, the payment's own amount stands for what a partial capture left (stream-dead)"
  )
  func excess() throws {
    var facts = try facts(Case("", "asked 2000; capture 2000 @2", ""))
    facts.payment.capturedMinor = 1500
    #expect(try PaymentStateFold.state(of: facts, at: 10).capturedMinor == 2000)
    facts.coverage.areRefundsComplete = false
    #expect(try PaymentStateFold.state(of: facts, at: 10).capturedMinor == 1500)
  }

  /// The moment is 10. `status`, then `row=`, `back=`, `failed=` with their dates. Expected: `status booked failed`.
  @Test(
    "Refunds",
    arguments: [
      Case("S17-pending-then-canceled-refund", "pending", "pending - -"),
      Case("S04-full-refund-without-flags", "succeeded row=9", "succeeded 9 -"),
      Case("S04-full-refund-without-flags", "succeeded row=10", "pending - -"),
      Case("S16-failed-refund-still-reversed", "failed row=3 back=12", "succeeded 3 -"),
      Case("S16-failed-refund-still-reversed", "failed row=3 back=8", "failed 3 8"),
      Case("A08-refund-that-fails", "failed failed=8", "failed - 8"),
      Case("A08-refund-that-fails", "failed failed=12", "succeeded - -"),
      Case("S17-pending-then-canceled-refund", "canceled", "canceled - -"),
    ])
  func refunds(_ line: Case) throws {
    let words = Words(line.parts[0])
    let rows = [words.number("row"), words.number("back")].map { date in
      date.map { LedgerRecord(rowID: "r", amountMinor: -500, bookedAt: $0) }
    }
    let refund = RefundRecord(refundID: "R", status: Text(words.plain[0]), failedAt: words.number("failed"))
    let state = try RefundState(of: .init(refund: refund, row: rows[0], failureRow: rows[1]), at: 10)
    let dates = [state.bookedAt, state.failedAt].map { $0.map(String.init) ?? "-" }
    #expect("\(state.status) \(dates.joined(separator: " "))" == line.expected)
  }

  /// The moment is 10, the dispute's amount 500. `status` as stated, then entries and events. Expected: `status
  /// taken/returned`.
  @Test(
    "Disputes",
    arguments: [
      Case("S11-dispute-lost-and-recovered", "lost; dispute 500 @3", "lost 500/0"),
      Case("S12a-dispute-won-fee-kept", "won; dispute 500 @3; dispute_reversal 500 @12", "open 500/0"),
      Case("S12a-dispute-won-fee-kept", "won; dispute 500 @3; dispute_reversal 500 @9", "won 500/500"),
      Case(
        "C09-a-dispute-is-won", "closed; dispute 500 @3; dispute_reversal 500 @9; settlement closed e 500 @9",
        "won 500/500"),
      Case(
        "C10a-a-dispute-is-won-in-part", "closed; dispute 500 @3; dispute_reversal 200 @9; settlement closed e 200 @9",
        "lost 500/200"),
      Case(
        "A09-dispute-chain", "lost; webhook opened e1 500 @2; webhook won e2 500 @5; webhook lost e3 500 @12", "won 0/0"
      ),
      Case("S13a-inquiry-moves-no-money", "inquiry", "inquiry 0/0"),
    ])
  func disputes(_ line: Case) throws {
    let dispute = DisputeRecord(disputeID: "D", status: Text(line.parts[0][0]), currency: "EUR", amountMinor: 500)
    let facts = line.parts.dropFirst()
    let entries = try facts.filter { $0.count == 3 }.map { try Entry(Words($0)) }
    let events = try Observation.list(facts.filter { $0.count > 3 }, subject: .dispute, recordID: "D")
    let states = try DisputeState.states(of: dispute, entries, events, at: 10)
    #expect(states.map { "\($0.status) \($0.takenMinor)/\($0.returnedMinor)" }.joined(separator: ", ") == line.expected)
  }
}

extension Entry {
  /// `kind amount @date`; `back` is a capture that goes back in part.
  init(_ line: Words) throws {
    let isBack = line.plain[0] == "back"
    let kind = isBack ? .capture : try #require(EntryKind(rawValue: line.plain[0]))
    let isIncoming = !isBack && [.capture, .refundFailure, .disputeReversal].contains(kind)
    let amount = try #require(Int64(line.plain[1]))
    self.init(
      rowID: "r", kind: kind, from: isIncoming ? .customer : .platform, to: isIncoming ? .platform : .customer,
      currency: "EUR", amountMinor: amount,
      presentmentCurrency: "EUR", presentmentMinor: amount, bookedAt: line.date, recordID: "P")
  }
}
