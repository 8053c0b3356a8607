/// The look-alikes: at least one of each in every market with faults.
extension StripeStories {
  func plantLookAlikes() {
    for plant in lookAlikeStories { plant(self)() }
  }

  private var lookAlikeStories: [(StripeStories) -> () -> Void] {
    [
      StripeStories.splitTender, StripeStories.twoCapturesMakeTotal, StripeStories.declinedBeforeSuccess,
      StripeStories.partialCapture, StripeStories.partialCapture, StripeStories.orderInsideGrace,
      StripeStories.unpaidOrders,
      StripeStories.cancelledAndRefunded, StripeStories.knownByItsCharge, StripeStories.twoOrdersOnePayment,
      StripeStories.foreignCurrency, StripeStories.standingAuthorisations, StripeStories.expiredAuthorisation,
      StripeStories.failedAndCancelled, StripeStories.approvalsUnderWay, StripeStories.toleratedCent,
      StripeStories.refundInsideGrace, StripeStories.recordInsideGrace, StripeStories.refundsWithoutReference,
      StripeStories.refundsUpToCapture, StripeStories.freshPendingRefund, StripeStories.equalRefundsApart,
      StripeStories.separateRefund, StripeStories.reversalOffByOne, StripeStories.twelveReversals,
      StripeStories.refundAtOneRate,
      StripeStories.disputeWonAndReturned, StripeStories.closedInquiry, StripeStories.transferTomorrow,
      StripeStories.transferInPieces, StripeStories.twoSellers, StripeStories.transfersUpToCapture,
      StripeStories.commissionsAsAgreed, StripeStories.feesNearTheCard, StripeStories.notYetSettled,
      StripeStories.notReady,
      StripeStories.unlinkedTransfer, StripeStories.repairedTransfer, StripeStories.recoveredAndWon,
      StripeStories.refundedAgain,
    ]
  }
}
