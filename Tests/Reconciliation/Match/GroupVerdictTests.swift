import Testing

@testable import Reconciliation

/// Sums and facts of a group → its status, its finding, and since when: docs/contract.md section 5.4 and the
/// catalogue of discrepancies, one line for each branch. The story in brackets made the rule necessary.
@Suite struct GroupVerdictTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let facts: GroupFacts
    let status: GroupVerdict.Status
    let finding: GroupVerdict.Condition
    let since: Int64
    var difference: Int64?

    init(
      _ description: String, _ facts: GroupFacts, _ status: GroupVerdict.Status, _ finding: GroupVerdict.Condition,
      since: Int64,
      difference: Int64?
    ) {
      self.description = description
      self.facts = facts
      self.status = status
      self.finding = finding
      self.since = since
      self.difference = difference
    }
  }

  @Test("sums and facts to a verdict", arguments: withoutOrder + withoutCapture + bothSides + notDue)
  func verdict(_ one: Case) throws {
    let verdict = try GroupVerdict(one.facts)
    #expect(verdict.status == one.status)
    #expect(verdict.finding == one.finding)
    #expect(verdict.since == one.since)
    #expect(verdict.differenceMinor == one.difference)
  }

  @Test("every finding and every status is in the table")
  func completeTable() {
    let cases = Self.withoutOrder + Self.withoutCapture + Self.bothSides + Self.notDue
    #expect(Set(cases.map(\.finding)) == Set(GroupVerdict.Condition.allCases))
    #expect(Set(cases.map(\.status)) == Set(GroupVerdict.Status.allCases))
  }

  @Test("a difference beyond 64 bits is an error, never another amount")
  func overflow() {
    var facts = GroupFacts.paid()
    facts.capturedMinor = .max
    facts.dueMinor = -1
    #expect(throws: AmountOverflow("captured less tender")) { try GroupVerdict(facts) }
  }

  /// A capture at 150 that no order refers to.
  static let withoutOrder: [Case] = [
    Case(
      "money that no order knows (S28b)", .unclaimed(), .unmatchedPayment, .missingOrder, since: 150, difference: 1000),
    Case(
      "it failed altogether: nothing to claim (S14a)", .unclaimed { ($0.capturedMinor, $0.failed) = (0, 1) },
      .unmatchedPayment, .none, since: 150,
      difference: 0),
    Case(
      "captured before coverage began", .unclaimed { $0.isCovered = false }, .pending, .none, since: 150,
      difference: 1000),
    Case(
      "orders are not read that far", .unclaimed { $0.areOrdersReadable = false }, .pending, .none, since: 150,
      difference: 1000),
    Case(
      "started by the front end, and no order came (PAR02)", .started(), .unmatchedPayment, .initWithoutOrder,
      since: 400, difference: 1000),
    Case("its order may still come", .started { $0.initDueAt = 1000 }, .pending, .none, since: 150, difference: 1000),
    Case(
      "orders are not read to its due instant", .started { $0.ordersUntil = 399 }, .pending, .none, since: 150,
      difference: 1000),
    Case(
      "no policy says when its order is due", .started { $0.initDueAt = nil }, .pending, .none, since: 150,
      difference: 1000),
  ]

  /// An order of 10.00 placed at 100, its capture due at 300.
  static let withoutCapture: [Case] = [
    Case("due, and no capture (S28b)", .unpaid(), .unmatchedOrder, .missingPayment, since: 300, difference: -1000),
    Case(
      "its authorisation lapsed at 500 (AP04)", .unpaid { $0.releasedAt = 500 }, .unmatchedOrder, .missingPayment,
      since: 500, difference: -1000),
    Case("not due yet", .unpaid { $0.dueAt = 1000 }, .pending, .none, since: 100, difference: -1000),
    Case(
      "payments are not read that far (stream-dead)", .unpaid { $0.isCaptureReadable = false }, .pending, .none,
      since: 100, difference: -1000),
    Case("authorised (A24)", .unpaid { $0.authorised = 1 }, .pending, .authorised, since: 100, difference: -1000),
    Case(
      "nothing to pay", .unpaid { ($0.dueMinor, $0.tenderMinor) = (0, 0) }, .matched, .none, since: 100, difference: 0),
    Case(
      "one hash on two orders (PAR03)", .unpaid { $0.isHashOnSeveralOrders = true }, .unmatchedOrder,
      .duplicateInitHash, since: 100, difference: -1000),
    Case("cancelled: nothing is owed", .unpaid { $0.cancelAll() }, .matched, .none, since: 100, difference: 0),
    Case(
      "an order that is pending itself", .unpaid { ($0.due, $0.dueMinor, $0.served) = (0, 0, 0) }, .pending, .none,
      since: 100, difference: -1000),
  ]

  /// An order of 10.00 placed at 100 and a capture at 150.
  static let bothSides: [Case] = [
    Case("paid in full", .paid(), .matched, .none, since: 150, difference: 0),
    Case(
      "a cent less, within tolerance", .paid { ($0.capturedMinor, $0.toleranceMinor) = (999, 1) }, .matched, .none,
      since: 150, difference: -1),
    Case(
      "a cent less (order-amount-differs)", .paid { $0.capturedMinor = 999 }, .mismatched, .amountMismatch, since: 150,
      difference: -1),
    Case("a cent more", .paid { $0.capturedMinor = 1001 }, .mismatched, .amountMismatch, since: 150, difference: 1),
    Case(
      "short, the rest lapsed at 600 (A04)", .paid { ($0.capturedMinor, $0.releasedAt) = (400, 600) }, .mismatched,
      .amountMismatch, since: 600,
      difference: -600),
    Case(
      "more, whatever lapsed", .paid { ($0.capturedMinor, $0.releasedAt) = (1100, 600) }, .mismatched, .amountMismatch,
      since: 150, difference: 100),
    Case(
      "short, the rest authorised (P07g)", .paid { ($0.capturedMinor, $0.authorised) = (400, 1) }, .pending,
      .authorised, since: 150, difference: -600),
    Case(
      "short, captures before coverage", .paid { ($0.capturedMinor, $0.isCovered) = (400, false) }, .pending, .none,
      since: 150, difference: -600),
    Case(
      "short, payments read to 149", .paid { ($0.capturedMinor, $0.paymentsUntil) = (400, 149) }, .pending, .none,
      since: 150, difference: -600),
    Case(
      "short, the provider that may hold the rest read to 149 (half-of-an-order-at-a-provider-that-was-not-read)",
      .paid { ($0.capturedMinor, $0.restReadUntil) = (400, 149) }, .pending, .none, since: 150, difference: -600),
    Case(
      "short, placed before the coverage of the provider that may hold the rest (a-first-batch-that-never-came)",
      .paid { ($0.capturedMinor, $0.isRestCovered) = (400, false) }, .pending, .none, since: 150, difference: -600),
    Case(
      "more, as one of its orders was cancelled, and that part went back (one-of-two-orders-cancelled)",
      .paid { $0.cancelOne(captured: 1500, refunded: 500) }, .matched, .none, since: 150, difference: 500),
    Case(
      "more, as one of its orders was cancelled, and nothing went back",
      .paid { $0.cancelOne(captured: 1500, refunded: 0) }, .mismatched, .amountMismatch, since: 150, difference: 500),
    Case(
      "more, as one of its orders was cancelled, known at 800, refunds read to 500",
      .paid {
        $0.cancelOne(captured: 1500, refunded: 0)
        ($0.cancelReadAt, $0.refundsReadUntil) = (800, 500)
      }, .pending, .none, since: 150, difference: 500),
    Case(
      "more, orders read to 149", .paid { ($0.capturedMinor, $0.ordersUntil) = (1100, 149) }, .pending, .none,
      since: 150, difference: 100),
    Case(
      "more, payments read to 149 (A40)", .paid { ($0.capturedMinor, $0.paymentsUntil) = (1100, 149) }, .mismatched,
      .amountMismatch, since: 150, difference: 100),
    Case(
      "in two currencies (order-in-another-currency)", .paid { $0.paymentCurrency = "USD" }, .mismatched,
      .currencyMismatch, since: 150, difference: nil),
    Case(
      "orders in several currencies", .paid { $0.orderCurrency = nil }, .mismatched, .currencyMismatch, since: 150,
      difference: nil),
    Case(
      "paid twice (S28a)", .paid { ($0.capturedMinor, $0.fullPayments) = (2000, 2) }, .mismatched, .duplicatePayment,
      since: 150, difference: 1000),
    Case(
      "two captures make one tender (order-two-captures-make-one)", .paid { $0.payments = 2 }, .matched, .none,
      since: 150, difference: 0),
    Case(
      "two orders claim one payment (order-two-claim-one-payment)",
      .paid { ($0.orders, $0.due, $0.dueMinor, $0.fullOrders) = (2, 2, 2000, 2) },
      .ambiguous, .ambiguousMatch, since: 150, difference: -1000),
    Case(
      "paid once, served twice (PAR03)", .paid { $0.isHashOnSeveralOrders = true }, .mismatched, .duplicateInitHash,
      since: 150, difference: 0),
    Case(
      "failed after it was served (S14c)", .failedLate(), .mismatched, .paymentFailedAfterPaid, since: 700,
      difference: -1000),
    Case(
      "failed before it was served: short, and no more", .failedLate { $0.served = 0 }, .mismatched, .amountMismatch,
      since: 700, difference: -1000),
    Case(
      "failed, and its capture is of before coverage", .failedLate { ($0.capturedAt, $0.isCovered) = (0, false) },
      .pending, .none, since: 100,
      difference: -1000),
    Case(
      "failed, never captured, placed within coverage (A31)",
      .failedLate { ($0.capturedAt, $0.paymentsFrom) = (0, 50) }, .mismatched,
      .paymentFailedAfterPaid, since: 700, difference: -1000),
  ]

  /// Orders that owe nothing now, and a capture at 150.
  static let notDue: [Case] = [
    Case(
      "cancelled and held (order-cancelled-and-held)", .paid { $0.cancelAll() }, .matched, .capturedAfterCancel,
      since: 150, difference: 0),
    Case(
      "cancelled, known at 800, refunds read to 500 (a-cancelled-order-and-refunds-that-were-not-read)",
      .paid { ($0.cancelReadAt, $0.refundsReadUntil, $0.areRefundsRead, _) = (800, 500, false, $0.cancelAll()) },
      .pending, .none, since: 150, difference: 0),
    Case(
      "cancelled, known at 800, settlements end at 500, within a day of the capture",
      .paid { ($0.cancelReadAt, $0.refundsReadUntil, _) = (800, 500, $0.cancelAll()) }, .pending, .none, since: 150,
      difference: 0),
    Case(
      "cancelled, known at 200,000, settlements end at 100,000, more than a day after the capture",
      .paid {
        ($0.instant, $0.cancelReadAt, $0.refundsReadUntil, _) = (200_000, 200_000, 100_000, $0.cancelAll())
      }, .matched, .capturedAfterCancel, since: 150, difference: 0),
    Case(
      "cancelled, known at 400, refunds read to 500",
      .paid { ($0.cancelReadAt, $0.refundsReadUntil, _) = (400, 500, $0.cancelAll()) }, .matched, .capturedAfterCancel,
      since: 150, difference: 0),
    Case(
      "cancelled, and refunded after the snapshot", .paid { ($0.isRefundedLater, _) = (true, $0.cancelAll()) },
      .pending, .none, since: 150, difference: 0),
    Case(
      "cancelled, and taken by a dispute", .paid { ($0.disputedMinor, _) = (1000, $0.cancelAll()) }, .matched, .none,
      since: 150, difference: 0),
    Case(
      "cancelled and refunded", .paid { ($0.refundedMinor, _) = (1000, $0.cancelAll()) }, .matched, .none, since: 150,
      difference: 0),
    Case(
      "cancelled, paid in two currencies, one of them held (a-cancelled-order-paid-in-two-currencies)",
      .paid { ($0.paymentCurrency, $0.isAnyCurrencyHeld, _) = (nil, true, $0.cancelAll()) }, .mismatched,
      .capturedAfterCancel, since: 150, difference: nil),
    Case(
      "cancelled, paid in two currencies, both refunded",
      .paid { ($0.paymentCurrency, $0.isAnyCurrencyHeld, _) = (nil, false, $0.cancelAll()) }, .mismatched, .none,
      since: 150, difference: nil),
    Case(
      "pending and paid in full", .paid { ($0.due, $0.dueMinor) = (0, 0) }, .matched, .none, since: 150, difference: 0),
    Case(
      "pending and paid in part", .paid { ($0.due, $0.dueMinor, $0.capturedMinor) = (0, 0, 400) }, .pending, .none,
      since: 150, difference: -600),
    Case(
      "one cancelled and held, one pending (a-cancelled-order-beside-a-pending-one)", .paid { $0.cancelOneOfTwo() },
      .mismatched, .capturedAfterCancel, since: 150, difference: -500),
    Case(
      "one cancelled, one pending, no more held than the pending one is to bring",
      .paid { ($0.refundedMinor, _) = (500, $0.cancelOneOfTwo()) }, .pending, .none, since: 150, difference: -500),
    Case(
      "one cancelled, one pending, both paid in full and one returned",
      .paid { ($0.refundedMinor, _, $0.capturedMinor) = (1000, $0.cancelOneOfTwo(), 1500) }, .matched, .none,
      since: 150, difference: 0),
    Case(
      "one cancelled, one pending, both paid in full",
      .paid { (_, $0.capturedMinor) = ($0.cancelOneOfTwo(), 1500) }, .matched, .capturedAfterCancel, since: 150,
      difference: 0),
    Case(
      "one cancelled, one pending in another currency",
      .paid { (_, $0.orderCurrency) = ($0.cancelOneOfTwo(), nil) }, .pending, .none, since: 150, difference: nil),
    Case(
      "cancelled, held with another amount", .paid { ($0.capturedMinor, _) = (400, $0.cancelAll()) }, .mismatched,
      .capturedAfterCancel, since: 150,
      difference: -600),
  ]
}
