/// Which story plants which fault.
extension MarketBuilder {
  /// Plants one fault of that type; those of payouts are planted when the payouts are made.
  func tell(_ type: FaultType) {
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

  /// How often each type is planted: all in turn, in an order of the seed's, as far as each has room.
  ///
  /// - Throws: `MarketplaceError.tooManyFaults`.
  func quotas() throws -> [FaultType: Int] {
    let types = dice.shuffled(plan.types.filter { plan.nights > 1 || !$0.needsSecondNight })
    var quotas: [FaultType: Int] = [:]
    var left = plan.faults
    while left > 0 {
      let open = types.filter { quotas[$0, default: 0] < $0.room ?? Int.max }
      guard !open.isEmpty else { throw MarketplaceError.tooManyFaults(asked: plan.faults, room: plan.faults - left) }
      for type in open.prefix(left) { quotas[type, default: 0] += 1 }
      left -= min(left, open.count)
    }
    return quotas
  }
}
