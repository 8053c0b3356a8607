/// Which story plants which fault.
extension StripeStories {
  /// Those of payouts are planted when the payouts are made.
  func plantFault(_ type: FaultType) {
    switch type {
    case .missingPayment: missingPayment()
    case .missingOrder: missingOrder()
    case .amountMismatch: amountMismatch()
    case .currencyMismatch: currencyMismatch()
    case .duplicatePayment: duplicatePayment()
    case .ambiguousMatch: ambiguousMatch()
    case .capturedAfterCancel: capturedAfterCancel()
    case .authorisationUncaptured: authorisationUncaptured()
    case .paymentFailedAfterPaid: paymentFailedAfterPaid()
    case .approvalStuck: approvalStuck()
    case .missingRefund: missingRefund()
    case .unrecordedRefund: unrecordedRefund()
    case .refundAmountMismatch: refundAmountMismatch()
    case .overRefunded: overRefunded()
    case .refundFailed: refundFailed()
    case .refundPending: refundPending()
    case .possibleDuplicateRefund: possibleDuplicateRefund()
    case .transferMissing: transferMissing()
    case .transferAmountMismatch: transferAmountMismatch()
    case .wrongDestination: wrongDestination()
    case .overTransferred: overTransferred()
    case .applicationFeeMissing: applicationFeeMissing()
    case .applicationFeeMismatch: applicationFeeMismatch()
    case .applicationFeeCapped: applicationFeeCapped()
    default: tellAfterwards(type)
    }
  }

  /// The faults of what happens after a capture.
  private func tellAfterwards(_ type: FaultType) {
    switch type {
    case .refundWithoutReversal: refundWithoutReversal()
    case .underReversed: underReversed()
    case .reversalWithoutRefund: reversalWithoutRefund()
    case .applicationFeeNotReturned: applicationFeeNotReturned()
    case .applicationFeeOverReturned: applicationFeeOverReturned()
    case .failedRefundStillReversed: failedRefundStillReversed()
    case .failedPaymentNotReversed: failedPaymentNotReversed()
    case .providerFeeDeviation: providerFeeDeviation()
    case .feeSumMismatch: feeSumMismatch()
    case .fxLoss: fxLoss()
    case .disputeOpened: disputeOpened()
    case .disputeLost: disputeLost()
    case .disputeWonUnreturned: disputeWonUnreturned()
    case .disputeInquiry: disputeInquiry()
    case .settlementOverdue: settlementOverdue()
    case .unknownRecordType: unknownRecordType()
    case .recordChanged: recordChanged()
    case .lateRecord: lateRecord()
    case .balanceMismatch: balanceMismatch()
    default: break
    }
  }
}

extension StripeStories {
  var types: [FaultType] { FaultType.stripe }

  func room(for type: FaultType) -> Int? {
    switch type {
    case .payoutMismatch, .payoutFailed: 3
    case .balanceMismatch: 1
    default: nil
    }
  }

  func begin() {
    ledger.night = night
    if night == 1 { accountRows() }
  }
}
