/// The faults that can be planted: every check that one of the providers and the orders can raise.
package enum FaultType: String, Sendable, CaseIterable {
  case missingPayment = "missing_payment"
  case missingOrder = "missing_order"
  case amountMismatch = "amount_mismatch"
  case currencyMismatch = "currency_mismatch"
  case duplicatePayment = "duplicate_payment"
  case ambiguousMatch = "ambiguous_match"
  case capturedAfterCancel = "captured_after_cancel"
  case authorisationUncaptured = "authorisation_uncaptured"
  case paymentFailedAfterPaid = "payment_failed_after_paid"
  case approvalStuck = "approval_stuck"
  case missingRefund = "missing_refund"
  case unrecordedRefund = "unrecorded_refund"
  case refundAmountMismatch = "refund_amount_mismatch"
  case overRefunded = "over_refunded"
  case refundFailed = "refund_failed"
  case refundPending = "refund_pending"
  case possibleDuplicateRefund = "possible_duplicate_refund"
  case transferMissing = "transfer_missing"
  case transferAmountMismatch = "transfer_amount_mismatch"
  case wrongDestination = "wrong_destination"
  case overTransferred = "over_transferred"
  case applicationFeeMissing = "application_fee_missing"
  case applicationFeeMismatch = "application_fee_mismatch"
  case applicationFeeCapped = "application_fee_capped"
  case refundWithoutReversal = "refund_without_reversal"
  case underReversed = "under_reversed"
  case reversalWithoutRefund = "reversal_without_refund"
  case applicationFeeNotReturned = "application_fee_not_returned"
  case applicationFeeOverReturned = "application_fee_over_returned"
  case failedRefundStillReversed = "failed_refund_still_reversed"
  case failedPaymentNotReversed = "failed_payment_not_reversed"
  case providerFeeDeviation = "provider_fee_deviation"
  case feeSumMismatch = "fee_sum_mismatch"
  case fxLoss = "fx_loss"
  case disputeOpened = "dispute_opened"
  case disputeLost = "dispute_lost"
  case disputeWonUnreturned = "dispute_won_unreturned"
  case disputeInquiry = "dispute_inquiry"
  case settlementOverdue = "settlement_overdue"
  case payoutMismatch = "payout_mismatch"
  case payoutFailed = "payout_failed"
  case unknownRecordType = "unknown_record_type"
  case recordChanged = "record_changed"
  case lateRecord = "late_record"
  case balanceMismatch = "balance_mismatch"
  case initWithoutOrder = "init_without_order"
  case duplicateInitHash = "duplicate_init_hash"
  case batchGap = "batch_gap"
  case batchOutOfBalance = "batch_out_of_balance"
  case settlementRowBroken = "settlement_row_broken"
  case unsettledRefund = "unsettled_refund"
  case orphanSettlement = "orphan_settlement"
  case reportLate = "report_late"
  case credentialExpiring = "credential_expiring"

  /// Those that Stripe and the orders can raise.
  package static let stripe = allCases.filter { !ofOtherProviders.contains($0) }

  /// What needs init hashes, settlement files and batches, reports, or keys that end.
  private static let ofOtherProviders: Set<FaultType> = [
    .initWithoutOrder, .duplicateInitHash, .batchGap, .batchOutOfBalance, .settlementRowBroken, .unsettledRefund,
    .orphanSettlement, .reportLate, .credentialExpiring,
  ]

  /// Faults that only the second night can show.
  package var needsSecondNight: Bool {
    self == .recordChanged || self == .lateRecord || self == .balanceMismatch
  }
}

/// A planted fault: exactly one discrepancy is expected of it.
package struct Planted: Sendable {
  package var type: FaultType
  /// The configured name of the provider among whose orders and payments it lies.
  package var provider: String
  /// The orders that the row must name, all of them.
  package var orderIDs: [String]
  /// The payments that the row must name, all of them.
  package var paymentIDs: [String]
  /// Ids of the records behind it: refund, transfer, payout, ledger row …
  package var recordIDs: [String]
  /// Orders and payments that the row may name or leave out, where the documents do not say.
  package var mayName: [String]
  /// The night from which it can be seen.
  package var night: Int
  /// The night on which it is gone again.
  package var resolvedNight: Int?
  /// What was done, for people.
  package var story: String

  /// Whether a discrepancy of that type about these orders and payments is the expected one.
  package func explains(type: String, orderIDs: [String], paymentIDs: [String], recordID: String) -> Bool {
    guard type == self.type.rawValue else { return false }
    let named = Set(orderIDs + paymentIDs).subtracting(mayName)
    guard named == Set(self.orderIDs + self.paymentIDs).subtracting(mayName) else { return false }
    let isNamedAtAll = !self.orderIDs.isEmpty || !self.paymentIDs.isEmpty
    return isNamedAtAll || recordIDs.isEmpty
      || recordIDs.contains { recordID.split(whereSeparator: " :".contains).contains($0[...]) }
  }

  /// Whether it is open at the end of that night's range.
  package func isOpen(on night: Int) -> Bool {
    night >= self.night && night < resolvedNight ?? Int.max
  }
}

/// Something that looks like a fault and is none: no discrepancy may name it.
package struct LookAlike: Sendable {
  package var resembles: [FaultType]
  package var orderIDs: [String]
  package var paymentIDs: [String]
  package var story: String
}
