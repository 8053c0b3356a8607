/// The verdict on a group, from its sums at a snapshot (docs/contract.md section 5.4).
struct GroupVerdict: Sendable, Equatable {
  /// `match_status` of order_matches.csv.
  enum Status: String, Sendable, CaseIterable {
    case matched, mismatched, unmatchedOrder = "unmatched_order", unmatchedPayment = "unmatched_payment", ambiguous,
      pending
  }

  /// The finding about the group: `none`, the type of a discrepancy, or `authorised` (money that can still be
  /// captured).
  enum Condition: String, Sendable, CaseIterable {
    case none, authorised
    case missingPayment = "missing_payment"
    case missingOrder = "missing_order"
    case amountMismatch = "amount_mismatch"
    case currencyMismatch = "currency_mismatch"
    case duplicatePayment = "duplicate_payment"
    case ambiguousMatch = "ambiguous_match"
    case capturedAfterCancel = "captured_after_cancel"
    case paymentFailedAfterPaid = "payment_failed_after_paid"
    case initWithoutOrder = "init_without_order"
    case duplicateInitHash = "duplicate_init_hash"
  }

  var status: Status
  var finding: Condition
  /// The instant from which the finding holds.
  var since: Int64
  /// Captured less due, for the report; nil where the currencies differ.
  var differenceMinor: Int64?

  /// - Throws: `AmountOverflow` where a difference needs more than 64 bits.
  init(_ facts: GroupFacts) throws(AmountOverflow) {
    let judgement = try Judgement(facts)
    status = judgement.status(facts)
    finding = judgement.finding(facts)
    since = judgement.since(facts)
    differenceMinor = try GroupVerdict.difference(facts)
  }

  private static func difference(_ facts: GroupFacts) throws(AmountOverflow) -> Int64? {
    if facts.orders > 0, facts.payments > 0, !facts.isOneCurrency { return nil }
    if facts.due == 0, facts.payments == 0, facts.cancelled == facts.orders { return 0 }
    let owed = facts.due > 0 ? facts.dueMinor : facts.tenderMinor
    return try facts.capturedMinor.subtracting(owed, "captured less tender")
  }
}

/// The judgement from which the verdict is made: the finding, and whether more is still to come.
private struct Judgement {
  private let found: GroupVerdict.Condition
  /// Whether it is not due yet, or cannot be known yet.
  private let isPending: Bool
  /// Whether what was captured equals the tenders of all orders, within tolerance.
  private let makesTender: Bool

  init(_ facts: GroupFacts) throws(AmountOverflow) {
    makesTender = facts.isOneCurrency ? try facts.isWithinTolerance(facts.tenderMinor) : false
    let finding = try Judgement.find(facts, makesTender: makesTender)
    found = finding ?? GroupVerdict.Condition.none
    isPending = finding == nil
  }

  /// The finding; nil: pending.
  private static func find(_ facts: GroupFacts, makesTender: Bool) throws(AmountOverflow) -> GroupVerdict.Condition? {
    if facts.orders == 0 { return withoutOrder(facts) }
    if facts.payments == 0 { return withoutCapture(facts) }
    if facts.due > 0 { return try ofBothSides(facts) }
    let areAllCancelled = facts.cancelled == facts.orders
    // What a pending order of the group is to bring may be held for that one.
    if areAllCancelled || facts.cancelled > 0 && facts.isOneCurrency, try facts.isHeld(beyond: facts.pendingMinor) {
      return facts.areReturnsKnown ? .capturedAfterCancel : nil
    }
    return areAllCancelled || makesTender ? GroupVerdict.Condition.none : nil
  }

  private static func withoutOrder(_ facts: GroupFacts) -> GroupVerdict.Condition? {
    if facts.capturedMinor == 0, facts.failed > 0 { return GroupVerdict.Condition.none }
    if !facts.isCovered || !facts.areOrdersReadable { return nil }
    if !facts.hasInitHash { return .missingOrder }
    guard let dueAt = facts.initDueAt, dueAt < facts.instant, dueAt <= facts.ordersUntil else { return nil }
    return .initWithoutOrder
  }

  private static func withoutCapture(_ facts: GroupFacts) -> GroupVerdict.Condition? {
    if facts.due == 0 { return facts.cancelled == facts.orders ? GroupVerdict.Condition.none : nil }
    if facts.dueMinor == 0 { return GroupVerdict.Condition.none }
    if facts.isHashOnSeveralOrders { return .duplicateInitHash }
    if facts.authorised > 0 { return .authorised }
    guard let dueAt = facts.dueAt, dueAt < facts.instant else { return nil }
    // If an authorisation lapsed within the coverage, nothing is unknown, however old the order is.
    let isLapseRead = facts.served > 0 && facts.lapseReadUntil.map { dueAt <= $0 } ?? false
    return facts.isCaptureReadable || isLapseRead ? .missingPayment : nil
  }

  private static func ofBothSides(_ facts: GroupFacts) throws(AmountOverflow) -> GroupVerdict.Condition? {
    if !facts.isOneCurrency { return .currencyMismatch }
    if facts.isHashOnSeveralOrders { return .duplicateInitHash }
    if try facts.isWithinTolerance(facts.dueMinor) { return GroupVerdict.Condition.none }
    let isShort = facts.capturedMinor < facts.dueMinor
    if facts.failed > 0, isShort, facts.capturedAt > 0 || facts.placedAt >= facts.paymentsFrom {
      return .paymentFailedAfterPaid
    }
    if facts.fullPayments > 1 { return .duplicatePayment }
    if facts.fullOrders > 1 { return .ambiguousMatch }
    if isShort, facts.authorised > 0 { return .authorised }
    if isShort, !facts.isCovered || !facts.isRestRead { return nil }
    // What a cancelled order of the group paid is to go back; what has gone back is no difference.
    if !isShort, facts.cancelled > 0 {
      guard try facts.isHeld(beyond: facts.dueMinor) else { return GroupVerdict.Condition.none }
      if !facts.areReturnsKnown { return nil }
    }
    // A further order may be among those that are not read yet.
    if !isShort, facts.capturedAt > facts.ordersUntil { return nil }
    return .amountMismatch
  }

  func status(_ facts: GroupFacts) -> GroupVerdict.Status {
    if isPending || found == .authorised { return .pending }
    if found == .missingPayment || found == .duplicateInitHash && facts.payments == 0 { return .unmatchedOrder }
    if facts.orders == 0 { return .unmatchedPayment }
    if found == .ambiguousMatch { return .ambiguous }
    if facts.due > 0 { return found == .none ? .matched : .mismatched }
    return facts.payments == 0 || makesTender ? .matched : .mismatched
  }

  /// A payment that failed before the order was served is reported as an amount mismatch only.
  func finding(_ facts: GroupFacts) -> GroupVerdict.Condition {
    found == .paymentFailedAfterPaid && facts.served == 0 ? .amountMismatch : found
  }

  func since(_ facts: GroupFacts) -> Int64 {
    switch found {
    case .missingPayment: max(facts.dueAt ?? 0, facts.releasedAt)
    case .amountMismatch where facts.capturedMinor < facts.dueMinor: max(facts.bothAt, facts.releasedAt)
    case .missingOrder: facts.capturedAt
    case .initWithoutOrder: facts.initDueAt ?? facts.capturedAt
    case .paymentFailedAfterPaid: max(facts.placedAt, facts.failedAt ?? 0)
    default: facts.bothAt
    }
  }
}

extension GroupFacts {
  /// Whether a refund of a cancelled order would have been read: past the snapshot, or past the time at which the
  /// cancellation was read. A source that was read but ends earlier, as settlements do, has to reach a day beyond the
  /// capture.
  fileprivate var areReturnsKnown: Bool {
    let enough = min(instant, cancelReadAt, areRefundsRead ? capturedAt + 86_400 : .max)
    return !isRefundedLater && refundsReadUntil >= enough
  }

  /// Whether the rest of a short order would have been read.
  fileprivate var isRestRead: Bool { isRestCovered && bothAt <= min(paymentsUntil, restReadUntil) }

  /// Whether more than an amount, and the tolerance, is neither refunded nor disputed.
  fileprivate func isHeld(beyond owedMinor: Int64) throws(AmountOverflow) -> Bool {
    if let isAnyCurrencyHeld { return isAnyCurrencyHeld }
    return try capturedMinor.subtracting(refundedMinor, "captured less refunded")
      .subtracting(disputedMinor, "captured less refunded and disputed")
      .subtracting(owedMinor, "held less tender") > toleranceMinor
  }

  /// Whether what was captured equals an amount, within tolerance.
  fileprivate func isWithinTolerance(_ amountMinor: Int64) throws(AmountOverflow) -> Bool {
    try capturedMinor.subtracting(amountMinor, "captured less tender").magnitude <= toleranceMinor.magnitude
  }
}
