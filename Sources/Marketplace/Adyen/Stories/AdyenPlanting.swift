/// Which story plants which fault, and the traffic of every day.
extension AdyenStories {
  var types: [FaultType] {
    let everywhere: [FaultType] = [
      .missingPayment, .missingOrder, .amountMismatch, .currencyMismatch, .duplicatePayment, .ambiguousMatch,
      .capturedAfterCancel,
      .missingRefund, .unrecordedRefund, .refundAmountMismatch, .overRefunded, .refundFailed, .possibleDuplicateRefund,
      .disputeOpened, .disputeLost, .settlementRowBroken, .batchOutOfBalance, .payoutFailed, .unknownRecordType,
    ]
    let notified: [FaultType] = [
      .authorisationUncaptured, .paymentFailedAfterPaid, .unsettledRefund, .disputeInquiry, .settlementOverdue,
    ]
    return everywhere + (merchant.isNotified ? notified : []) + (merchant.isDownloaded ? [] : [.recordChanged])
      + (kiosk == nil ? [] : [.initWithoutOrder, .duplicateInitHash, .approvalStuck])
  }

  /// Faults of whole batches are planted when the batches are made.
  func plantFault(_ type: FaultType) {
    switch type {
    case .missingPayment: missingAuthorisedPayment()
    case .amountMismatch: amountMismatchOfParts()
    case .authorisationUncaptured: authorisationUncaptured()
    case .paymentFailedAfterPaid: paymentFailedAfterPaid()
    case .refundFailed: refundFailed()
    case .unsettledRefund: unsettledRefund()
    case .settlementOverdue: settlementOverdue()
    case .disputeOpened: disputeOpened()
    case .disputeLost: disputeLost()
    case .disputeInquiry: disputeInquiry()
    case .settlementRowBroken: settlementRowBroken()
    case .recordChanged: recordChanged()
    case .initWithoutOrder: initWithoutOrder()
    case .duplicateInitHash: duplicateInitHash()
    case .approvalStuck: approvalStuck()
    default: _ = tellShared(type)
    }
  }

  /// A sale as most of them are; some are captured by hand, some are refunded.
  func ordinarySale() {
    if kiosk != nil, dice.chance(20) { return kioskSale() }
    let terms = terms(night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800))
    if night == 1, merchant.isNotified, dice.chance(8), terms.at < plan.endsAt - 4 * Season.day {
      let sale = authorise(terms, for: order(for: terms))
      ledger.capture(adyen(sale.payment), at: terms.at + dice.number(3_600...3 * 86_400))
      return
    }
    let sale = sell(terms)
    if dice.chance(12), terms.at < plan.endsAt - 3 * Season.day { refundLater(sale) }
  }

  /// One full refund, or one or two partial ones, within two days.
  private func refundLater(_ sale: DirectSale) {
    if dice.chance(50) { return _ = refund(sale, sale.payment.captured, at: later(sale)) }
    let first = later(sale)
    for number in 0..<dice.number(1...2) { refund(sale, part(sale, 8...30) + number, at: first + number * 9_000) }
  }
}
