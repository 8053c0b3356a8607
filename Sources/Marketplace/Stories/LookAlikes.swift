/// The look-alikes: at least one of each in every market with faults.
extension MarketBuilder {
  /// Tells each look-alike that many times.
  func tellLookAlikes(times: Int) {
    for _ in 0..<times {
      for tell in lookAlikeStories { tell(self)() }
    }
  }

  private var lookAlikeStories: [(MarketBuilder) -> () -> Void] {
    [
      MarketBuilder.splitTender, MarketBuilder.twoCapturesMakeTotal, MarketBuilder.declinedBeforeSuccess,
      MarketBuilder.partialCapture, MarketBuilder.partialCapture, MarketBuilder.orderInsideGrace, MarketBuilder.unpaidOrders,
      MarketBuilder.cancelledAndRefunded, MarketBuilder.knownByItsCharge, MarketBuilder.twoOrdersOnePayment,
      MarketBuilder.foreignCurrency, MarketBuilder.standingAuthorisations, MarketBuilder.expiredAuthorisation,
      MarketBuilder.failedAndCancelled, MarketBuilder.approvalsUnderWay, MarketBuilder.toleratedCent,
      MarketBuilder.refundInsideGrace, MarketBuilder.recordInsideGrace, MarketBuilder.refundsWithoutReference,
      MarketBuilder.refundsUpToCapture, MarketBuilder.freshPendingRefund, MarketBuilder.equalRefundsApart,
      MarketBuilder.separateRefund, MarketBuilder.reversalOffByOne, MarketBuilder.twelveReversals, MarketBuilder.refundAtOneRate,
      MarketBuilder.disputeWonAndReturned, MarketBuilder.closedInquiry, MarketBuilder.transferTomorrow,
      MarketBuilder.transferInPieces, MarketBuilder.twoSellers, MarketBuilder.transfersUpToCapture,
      MarketBuilder.commissionsAsAgreed, MarketBuilder.feesNearTheCard, MarketBuilder.notYetSettled, MarketBuilder.notReady,
      MarketBuilder.unlinkedTransfer, MarketBuilder.repairedTransfer, MarketBuilder.recoveredAndWon, MarketBuilder.refundedAgain,
    ]
  }
}
