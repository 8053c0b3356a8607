/// What looks like a fault at Cash App, and is none.
extension CashAppStories {
  func tellLookAlikes() {
    for tell in [
      CashAppStories.splitTender, CashAppStories.notYetDue, CashAppStories.unpaidOrders, CashAppStories.cancelledAndRefunded,
      CashAppStories.twoOrdersOnePayment, CashAppStories.capturesMakeTotal, CashAppStories.refundsUpToCapture,
      CashAppStories.equalRefundsApart, CashAppStories.refundsWithoutReference, CashAppStories.wonAndReturned,
      CashAppStories.feeOffByACent, CashAppStories.overTheWeekend,
    ] { tell(self)() }
  }

  private func splitTender() {
    let amount = dice.number(900...9_000)
    let sale = sell(amount: amount, total: amount + dice.number(100...9_000))
    sale.order.tender = amount
    note([.amountMismatch], [sale], "an order paid in part with a voucher")
  }

  private func notYetDue() {
    let order = order(2_500, at: dice.number(Season.beforeEnd(2 * 86_400...4 * 86_400).bounds(plan)))
    note([.missingPayment], [], orders: [order], "an order whose settlement is not due")
    book.tomorrow { [self] in _ = sell(2_500, for: order, at: plan.endsAt + 3_600) }
  }

  private func unpaidOrders() {
    for status in ["pending", "cancelled"] {
      let order = order(1_900, at: dice.number(early.bounds(plan)))
      order.status = status
      note([.missingPayment], [], orders: [order], "an order without a payment that is \(status)")
    }
  }

  private func cancelledAndRefunded() {
    let sale = sell(early)
    sale.order.status = "cancelled"
    refund(sale, sale.payment.captured, at: later(sale))
    note([.capturedAfterCancel, .unrecordedRefund], [sale], "a cancelled order whose money went back in full")
  }

  private func twoOrdersOnePayment() {
    let at = dice.number(settled.bounds(plan))
    let first = order(1_300, at: at)
    let second = order(2_000, at: at)
    let sale = sell(3_300, for: first, at: at, knowsPayment: true)
    second.references = first.references
    note([.ambiguousMatch, .amountMismatch], [sale], orders: [second], "two orders paid with one payment")
  }

  private func capturesMakeTotal() {
    let at = dice.number(settled.bounds(plan))
    let order = order(5_000, at: at)
    let sales = [sell(3_200, for: order, at: at), sell(1_800, for: order, at: at + 400)]
    note([.duplicatePayment, .amountMismatch], sales, "two captures that make the total together")
  }

  private func refundsUpToCapture() {
    let sale = sell(early)
    let first = part(sale, 30...45)
    refund(sale, first, at: sale.payment.at + 7_000)
    refund(sale, sale.payment.captured - first, at: sale.payment.at + 40_000)
    note([.overRefunded], [sale], "refunds of exactly what was captured")
  }

  private func equalRefundsApart() {
    let sale = sell(early)
    let amount = part(sale, 15...40)
    refund(sale, amount, at: sale.payment.at + 9_000)
    refund(sale, amount, at: sale.payment.at + 9_601 + dice.number(1...9_000))
    note([.possibleDuplicateRefund], [sale], "two equal refunds more than ten minutes apart, both recorded")
  }

  private func refundsWithoutReference() {
    let sale = sell(early)
    let amounts = [part(sale, 10...20), part(sale, 30...40)]
    let at = sale.payment.at + 8_000
    for amount in amounts { refund(sale, amount, at: at + amount % 7 * 900, isRecorded: false) }
    for amount in amounts.reversed() { record(amount, of: sale, at: at + 9_000) }
    note([.refundAmountMismatch, .missingRefund], [sale], "two refunds recorded in the other order, without a reference")
  }

  private func wonAndReturned() {
    let sale = sell(early)
    let dispute = ledger.dispute(sale.payment, sale.payment.captured, at: later(sale))
    ledger.conclude(dispute, "WON", returned: sale.payment.captured, at: dispute.createdAt + 2 * Season.day)
    note([.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale], "a dispute that was won and given back; its fee is kept")
  }

  private func feeOffByACent() {
    let sale = sell()
    sale.payment.row.feeVariable += dice.pick([-1, 1])
    note([.providerFeeDeviation], [sale], "a fee that is a cent off the rate card")
  }

  /// Friday after the cut-off: in Monday's batch.
  private func overTheWeekend() {
    let first = batches.cutOff(after: plan.startsAt)
    let friday = stride(from: first, to: plan.endsAt - 4 * Season.day, by: Int64.Stride(Season.day)).first {
      batches.cutOff(after: $0) - $0 > Season.day
    }
    let at = (friday ?? first) + 1_800
    note([.settlementOverdue, .missingPayment], [sell(4_200, for: order(4_200, at: at), at: at)], "a sale after Friday's cut-off")
  }
}
