/// Records that look like faults at Cash App, and are none; those that every direct account can have are elsewhere.
extension CashAppStories {
  func plantLookAlikes() {
    tellSharedLookAlikes()
    notYetDue()
    wonAndReturned()
    feeOffByACent()
    overTheWeekend()
    toldABatchLate()
  }

  private func notYetDue() {
    let terms = terms(.beforeEnd(2 * 86_400...4 * 86_400))
    let order = order(for: terms)
    note([.missingPayment], [], orders: [order], "an order whose settlement is not due")
    book.tomorrow { [self] in
      var late = terms
      late.at = plan.endsAt + 3_600
      _ = sell(late, for: order, link: .name)
    }
  }

  private func wonAndReturned() {
    let sale = sell(terms(seasonOfRefunds))
    guard let dispute = dispute(sale) else { return }
    ledger.conclude(dispute, "WON", returned: dispute.amount, at: dispute.createdAt + 2 * Season.day)
    note(
      [.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale],
      "a dispute that was won and given back; its fee is kept")
  }

  private func feeOffByACent() {
    let sale = sell(terms())
    row(sale)?.feeVariable += dice.pick([-1, 1])
    note([.providerFeeDeviation], [sale], "a fee that is a cent off the rate card")
  }

  /// Past Friday's cut-off: in Monday's batch.
  private func overTheWeekend() {
    var terms = terms()
    let cutOffs = (0..<plan.days - 4).map { plan.startsAt + $0 * Season.day + 23 * Season.hour }
    terms.at = (cutOffs.first { batches.cutOff(after: $0) - $0 > Season.day } ?? plan.startsAt) + 1_800
    note([.settlementOverdue, .missingPayment], [sell(terms)], "a sale after Friday's cut-off")
  }

  /// A row belongs to the batch that reports it, however old it is.
  private func toldABatchLate() {
    let sale = sell(terms(.beforeEnd(26 * 3_600...40 * 3_600)))
    row(sale)?.toldAt = plan.endsAt + 3_600
    note([.lateRecord, .missingPayment], [sale], "a capture that the batch after next tells")
  }
}
