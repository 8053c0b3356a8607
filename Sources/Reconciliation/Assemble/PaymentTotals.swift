import Payments

/// What was captured and taken back by an instant: from the money rows, or from the events of a folded payment.
struct CaptureTotals {
  /// Whether a capture, or one taken back, is reported.
  private(set) var isReported = false
  private(set) var capturedAt: Int64?
  private(set) var failedAt: Int64?
  private(set) var charged = CheckedSum()
  private(set) var failed = CheckedSum()

  init(_ money: PaymentMoney?) {
    guard let money else { return }
    (capturedAt, failedAt, charged, failed) = (money.capturedAt, money.failedAt, money.charged, money.failed)
  }

  /// A capture counts from its first report, with or without a money row; what was taken back had been captured before.
  ///
  /// - Throws: `MoneyError.overflow`.
  init(_ captures: [Capture], before instant: Int64) throws(MoneyError) {
    for capture in captures where capture.confirmedAt < instant {
      isReported = true
      if !capture.isFailure || capture.isAlone { try charged.add(capture.amountMinor) }
      if capture.isFailure {
        try failed.add(capture.amountMinor)
        failedAt = Known.min(failedAt, capture.confirmedAt)
      } else {
        capturedAt = Known.min(capturedAt, capture.capturedAt)
      }
    }
  }
}

/// The commission objects of a payment by an instant.
struct CommissionTotals {
  private(set) var count: Int64 = 0
  private(set) var currencies = PaymentMoney.Currencies()
  private(set) var collected = CheckedSum()

  /// - Throws: `MoneyError.overflow`.
  init(_ commissions: [CommissionFact], before instant: Int64) throws(MoneyError) {
    for commission in commissions where commission.countsFrom < instant {
      count += 1
      currencies.add(commission.currency)
      try collected.add(commission.amountMinor)
    }
  }
}
