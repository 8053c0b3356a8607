import Testing
@testable import Reconciliation

extension GroupFacts {
  typealias Change = (inout GroupFacts) -> Void

  /// An order of 10.00 EUR, served, placed at 100, read in full at 1000; no payment.
  static func unpaid(_ change: Change = { _ in }) -> GroupFacts {
    var facts = GroupFacts()
    facts.instant = 1000
    (facts.orders, facts.due, facts.served) = (1, 1, 1)
    (facts.orderCurrency, facts.dueMinor, facts.tenderMinor) = ("EUR", 1000, 1000)
    (facts.placedAt, facts.dueAt, facts.isCaptureReadable) = (100, 300, true)
    facts.paymentsUntil = 1000
    change(&facts)
    return facts
  }

  /// The same with a capture of 10.00 EUR at 150.
  static func paid(_ change: Change = { _ in }) -> GroupFacts {
    var facts = unpaid()
    facts.capture()
    change(&facts)
    return facts
  }

  /// The capture alone, orders read to 1000.
  static func unclaimed(_ change: Change = { _ in }) -> GroupFacts {
    var facts = GroupFacts()
    facts.instant = 1000
    facts.capture()
    change(&facts)
    return facts
  }

  /// The capture alone, started by the ordering front end: its order is due at 400.
  static func started(_ change: Change = { _ in }) -> GroupFacts {
    unclaimed { facts in
      (facts.hasInitHash, facts.initDueAt) = (true, 400)
      change(&facts)
    }
  }

  /// Order and capture, which failed at 700; the provider's payments are read from 500.
  static func failedLate(_ change: Change = { _ in }) -> GroupFacts {
    paid { facts in
      (facts.capturedMinor, facts.failed, facts.failedAt, facts.paymentsFrom) = (0, 1, 700, 500)
      change(&facts)
    }
  }

  private mutating func capture() {
    (payments, paymentCurrency, capturedMinor, capturedAt, isCovered) = (1, "EUR", 1000, 150, true)
    (paymentsUntil, ordersUntil, areOrdersReadable) = (1000, 1000, true)
  }

  /// A second order of 5.00 was cancelled.
  mutating func cancelOne(captured: Int64, refunded: Int64) {
    (orders, cancelled, tenderMinor, capturedMinor, refundedMinor) = (2, 1, 1500, captured, refunded)
  }

  /// The order of 10.00 is cancelled, and one of 5.00 is pending.
  mutating func cancelOneOfTwo() {
    (orders, due, dueMinor, cancelled, served) = (2, 0, 0, 1, 0)
    (tenderMinor, pendingMinor) = (1500, 500)
  }

  /// Every order is cancelled.
  mutating func cancelAll() {
    (due, dueMinor, cancelled, served) = (0, 0, orders, 0)
  }
}
