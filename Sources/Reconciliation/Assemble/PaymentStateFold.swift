import Payments

/// Folds the facts of one payment into its state at an instant.
struct PaymentStateFold {
  private let facts: PaymentFacts
  private let instant: Int64
  private let money: PaymentMoney?
  private let captures: CaptureTotals
  private let commissions: CommissionTotals

  /// The state; the payment must have been created by then and must not be a declined attempt.
  ///
  /// - Throws: `MoneyError.overflow`.
  static func state(of facts: PaymentFacts, at instant: Int64) throws(MoneyError) -> PaymentState {
    try PaymentStateFold(facts, instant).state()
  }

  private init(_ facts: PaymentFacts, _ instant: Int64) throws(MoneyError) {
    self.facts = facts
    self.instant = instant
    money = try PaymentMoney(facts.entries, before: instant)
    captures = try facts.payment.isFolded ? CaptureTotals(facts.captures, before: instant) : CaptureTotals(money)
    commissions = try CommissionTotals(facts.commissions, before: instant)
  }

  private var payment: PaymentRecord { facts.payment }

  private func state() throws(MoneyError) -> PaymentState {
    let excess = try excessMinor()
    let settled = money?.settlementCaptured.minor ?? 0
    return PaymentState(
      status: try status(), isCaptured: isCaptured, capturedAt: captures.capturedAt, failedAt: captures.failedAt,
      capturedMinor: try Checked.difference(try keptMinor(), excess), refundedMinor: max(money?.refunded.minor ?? 0, 0),
      failedMinor: captures.failed.minor,
      chargedMinor: try Checked.difference(captures.charged.minor, excess),
      settlementCurrency: money?.settlementCurrency,
      settlementCapturedMinor: money?.settlementCurrency == payment.currency
        ? try Checked.difference(settled, excess) : settled,
      chargeType: chargeType, destination: destination, askedTransferMinor: askedTransferMinor,
      askedFeeMinor: askedFeeMinor,
      connectedAccount: money?.connectedAccount ?? destination, transfers: money?.transfers ?? 0,
      transferCurrency: money?.transferCurrencies.only,
      transferredMinor: money?.transferred.minor ?? 0, reversedMinor: money?.reversed.minor ?? 0,
      commissions: commissions.count,
      commissionCurrency: commissions.currencies.only, collectedMinor: commissions.collected.minor,
      returnedMinor: returnedMinor,
      disputedMinor: max(money?.disputed.minor ?? 0, 0), isCovered: isCovered, openMinor: try openMinor(),
      releasedAt: releasedAt)
  }

  private func keptMinor() throws(MoneyError) -> Int64 {
    try Checked.difference(captures.charged.minor, captures.failed.minor)
  }

  /// For a folded payment any report of a capture or movement of money besides fees counts, otherwise only the booked
  /// capture.
  private var isCaptured: Bool {
    payment.isFolded ? captures.isReported || money?.isMoved == true : captures.capturedAt != nil
  }

  private func status() throws(MoneyError) -> PaymentState.Status {
    guard isCaptured else { return uncapturedStatus }
    let refunded = money?.refunded.minor ?? 0
    if captures.failed.minor > 0 && captures.charged.minor <= captures.failed.minor { return .failed }
    if money.map({ $0.disputed.minor > 0 }) == true { return .disputed }
    guard refunded > 0 else { return .captured }
    return try refunded >= keptMinor() && captures.capturedAt != nil ? .refunded : .partiallyRefunded
  }

  private var uncapturedStatus: PaymentState.Status {
    if isBefore(payment.canceledAt) { return .canceled }
    if payment.isFolded && !isBefore(payment.authorisedAt) { return .started }
    if payment.status == "failed" || isBefore(facts.voidedAt)
      || facts.intent.map({ $0.isCanceled(before: instant) }) == true
    {
      return .canceled
    }
    return .authorised
  }

  private func isBefore(_ moment: Int64?) -> Bool { moment.map { $0 < instant } ?? false }

  /// Where refunds were not read, the reversal of a partial capture cannot be attributed: the payment's own captured
  /// amount is used instead.
  private func excessMinor() throws(MoneyError) -> Int64 {
    guard facts.coverage.areRefundsComplete == false, payment.capturedMinor > 0,
      captures.charged.minor > payment.capturedMinor
    else { return 0 }
    return try Checked.difference(captures.charged.minor, payment.capturedMinor)
  }

  private var destination: Text? { payment.destination ?? facts.intent?.destination }
  private var askedTransferMinor: Int64? { payment.transferAmountMinor ?? facts.intent?.transferAmountMinor }
  private var askedFeeMinor: Int64? { payment.applicationFeeMinor ?? facts.intent?.applicationFeeMinor }

  private var chargeType: PaymentState.ChargeType {
    guard destination != nil else {
      return facts.linkedTransfers > 0 || money.map { $0.transfers > 0 } == true ? .separate : .platform
    }
    if askedTransferMinor != nil { return .destinationTransferAmount }
    return askedFeeMinor ?? 0 > 0 || commissions.count > 0 ? .destinationApplicationFee : .destinationFull
  }

  /// The refunded part of the commission, if it is in the currency of the commission.
  private var returnedMinor: Int64 {
    guard let money, let currency = money.commissionCurrencies.only else { return 0 }
    return commissions.currencies.first.map { $0 == currency } ?? true ? money.commissionReturned.minor : 0
  }

  private var isCovered: Bool {
    guard let capturedAt = captures.capturedAt, let from = facts.coverage.paymentsFrom else { return false }
    return capturedAt >= from
  }

  private func openMinor() throws(MoneyError) -> Int64 {
    guard payment.isFolded, isCaptured, let lapsesAt = payment.captureBefore, lapsesAt >= instant,
      !isBefore(payment.canceledAt)
    else { return 0 }
    return max(try Checked.difference(payment.amountMinor, captures.charged.minor), 0)
  }

  private var releasedAt: Int64? {
    if payment.isFolded {
      let isLeft = !isCaptured || captures.charged.minor < payment.amountMinor
      return payment.authorisedAt != nil && isBefore(payment.canceledAt) && isLeft ? payment.canceledAt : nil
    }
    guard !isCaptured else { return nil }
    return [facts.voidedAt, facts.intent?.canceledAt].compactMap { $0 }.first { $0 < instant }
  }
}

extension IntentRecord {
  /// Whether it was canceled by then, or at a time that is not stated.
  func isCanceled(before instant: Int64) -> Bool {
    canceledAt.map { $0 < instant } ?? (status == "canceled")
  }
}
