/// Which story plants which fault, and the traffic of every day.
extension AdyenStories {
  var types: [FaultType] {
    let everywhere: [FaultType] = [
      .missingPayment, .missingOrder, .amountMismatch, .currencyMismatch, .duplicatePayment, .ambiguousMatch, .capturedAfterCancel,
      .missingRefund, .unrecordedRefund, .refundAmountMismatch, .overRefunded, .refundFailed, .possibleDuplicateRefund,
      .disputeOpened, .disputeLost, .settlementRowBroken, .batchOutOfBalance, .payoutFailed, .unknownRecordType,
    ]
    let notified: [FaultType] = [
      .authorisationUncaptured, .paymentFailedAfterPaid, .unsettledRefund, .disputeInquiry, .settlementOverdue,
    ]
    return everywhere + (merchant.isNotified ? notified : []) + (merchant.isDownloaded ? [] : [.recordChanged])
      + (kiosk == nil ? [] : [.initWithoutOrder, .duplicateInitHash, .approvalStuck])
  }

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
    case .settlementOverdue: settlementOverdue()
    case .settlementRowBroken: settlementRowBroken()
    case .initWithoutOrder: initWithoutOrder()
    case .duplicateInitHash: duplicateInitHash()
    case .approvalStuck: approvalStuck()
    case .recordChanged: recordChanged()
    default: tellAfterwards(type)
    }
  }

  /// The faults of refunds and disputes; those of batches are planted when the batches are made.
  private func tellAfterwards(_ type: FaultType) {
    switch type {
    case .missingRefund: missingRefund()
    case .unrecordedRefund: unrecordedRefund()
    case .refundAmountMismatch: refundAmountMismatch()
    case .overRefunded: overRefunded()
    case .refundFailed: refundFailed()
    case .possibleDuplicateRefund: possibleDuplicateRefund()
    case .unsettledRefund: unsettledRefund()
    case .disputeOpened: disputeOpened()
    case .disputeLost: disputeLost()
    case .disputeInquiry: disputeInquiry()
    default: break
    }
  }

  func tellLookAlikes() {
    for tell in lookAlikes + (merchant.isNotified ? notifiedLookAlikes : []) { tell(self)() }
    if kiosk != nil { tellKioskLookAlikes() }
  }

  private var lookAlikes: [(AdyenStories) -> () -> Void] {
    [
      AdyenStories.splitTender, AdyenStories.orderInsideGrace, AdyenStories.unpaidOrders, AdyenStories.cancelledAndRefunded,
      AdyenStories.twoOrdersOnePayment, AdyenStories.toleratedCent, AdyenStories.refundsUpToCapture,
      AdyenStories.refundsWithoutReference, AdyenStories.equalRefundsApart, AdyenStories.refundInsideGrace, AdyenStories.refundedAgain,
      AdyenStories.disputeWonAndReturned, AdyenStories.feesExceedTheSale, AdyenStories.roundedOtherwise, AdyenStories.partialCaptures,
    ]
  }

  /// Those that need notifications.
  private var notifiedLookAlikes: [(AdyenStories) -> () -> Void] {
    [
      AdyenStories.refusedBeforeSuccess, AdyenStories.refusedAfterSuccess, AdyenStories.capturedLess,
      AdyenStories.standingAuthorisations, AdyenStories.cancelledAuthorisation, AdyenStories.zeroAuthorisation,
      AdyenStories.refundUnderWay, AdyenStories.tidings,
    ]
  }

  /// A sale as most of them are; some are captured by hand, some are refunded.
  func ordinarySale() {
    if kiosk != nil, dice.chance(20) { return kioskSale() }
    let season: Season = night > 1 ? .nextDay : .beforeEnd(2_400...plan.days * 86_400 - 1_800)
    let terms = terms(season)
    if night == 1, merchant.isNotified, dice.chance(8), terms.at < plan.endsAt - 4 * Season.day {
      let sale = authorise(terms, for: order(for: terms))
      ledger.capture(sale.payment, at: terms.at + dice.number(3_600...3 * 86_400))
      return
    }
    let sale = sell(terms)
    if dice.chance(12), terms.at < plan.endsAt - 3 * Season.day { refundLater(sale) }
  }

  /// One full refund, or one or two partial ones, within two days.
  private func refundLater(_ sale: AdyenSale) {
    if dice.chance(50) { return _ = refund(sale, sale.payment.captured, at: later(sale)) }
    let first = later(sale)
    for number in 0..<dice.number(1...2) { refund(sale, part(sale, 8...30) + number, at: first + number * 9_000) }
  }
}
