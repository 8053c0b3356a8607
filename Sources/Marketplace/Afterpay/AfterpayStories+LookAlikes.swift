/// What looks like a fault at Afterpay, and is none.
extension AfterpayStories {
  func plantLookAlikes() {
    tellSharedLookAlikes()
    voidBesideCapture()
    capturedInParts()
    declinedBeforeSuccess()
    standingAuthorisations()
    lapsedWithItsOrder()
    settledLate()
    refundOfLastMonth()
    feeOffByACent()
    note([.disputeOpened, .disputeLost], [disputeWon()], "a dispute that was won")
    note([.duplicatePayment, .missingOrder], [cashAppPay()], "Cash App Pay inside Afterpay's checkout")
  }

  /// The rest of an authorisation is voided, and the list of refunds shows it.
  private func voidBesideCapture() {
    let terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount + terms.amount / 4, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at + 9_000)
    ledger.void(made, at: terms.at + 30_000)
    let sale = DirectSale(order: order, payment: payment(made, captured: terms.amount))
    note(
      [.unrecordedRefund, .amountMismatch, .unsettledRefund, .settlementRowBroken], [sale],
      "a void that stands among the refunds")
  }

  private func capturedInParts() {
    let terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount * 2 / 5, of: made, at: terms.at + 3_000)
    ledger.capture(terms.amount - terms.amount * 2 / 5, of: made, at: terms.at + 90_000)
    let sale = DirectSale(order: order, payment: payment(made, captured: terms.amount))
    note(
      [.duplicatePayment, .authorisationUncaptured, .providerFeeDeviation], [sale],
      "one authorisation captured on two days")
  }

  /// A whole cent beside the rate, of an amount whose fee and tax have no parts of a cent: else their roundings would
  /// come on top.
  private func feeOffByACent() {
    var terms = terms()
    terms.amount = dice.number(1...9) * 4_000
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    let row = ledger.capture(terms.amount, of: made, at: terms.at)
    let more: Int64 = 10_000 * dice.pick([-1, 1])
    row.fee += more
    row.net -= more
    note(
      [.providerFeeDeviation], [DirectSale(order: order, payment: payment(made, captured: terms.amount))],
      "a fee that is a cent off the rate card")
  }

  private func declinedBeforeSuccess() {
    let terms = terms()
    let order = order(for: terms)
    for attempt in 1...dice.number(1...2) {
      ledger.decline(terms.amount, at: terms.at - 40 * attempt, reference: order.id)
    }
    note(
      [.missingPayment, .duplicatePayment], [sell(terms, for: order, link: .name)],
      "declined attempts before the one that counts")
  }

  private func standingAuthorisations() {
    for status in ["paid", "pending"] {
      let isOld = status == "pending"
      let terms = terms(.beforeEnd(isOld ? 8 * 86_400...plan.days * 86_400 - 3_600 : 2 * 86_400...4 * 86_400))
      let order = order(for: terms)
      order.status = status
      let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
      note(
        [.authorisationUncaptured, .missingPayment], [], orders: [order], payments: [made.id],
        isOld ? "an old authorisation of a pending order" : "a fresh authorisation")
    }
  }

  private func lapsedWithItsOrder() {
    let terms = terms(.early)
    let order = order(for: terms)
    order.status = "cancelled"
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.void(made, at: terms.at + 30_000, type: "EXPIRED")
    note(
      [.unrecordedRefund, .missingPayment], [], orders: [order], payments: [made.id],
      "an authorisation that lapsed with its order")
  }

  private func settledLate() {
    let terms = terms(.early)
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at).date += 2 * Season.day
    let sale = DirectSale(order: order, payment: payment(made, captured: terms.amount))
    note([.settlementOverdue, .orphanSettlement, .lateRecord], [sale], "a capture that is settled on the third day")
  }

  /// Sold before anything was read; the refund falls into the range.
  private func refundOfLastMonth() {
    var terms = terms(.early)
    terms.at -= 60 * Season.day
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at)
    let sale = DirectSale(order: order, payment: payment(made, captured: terms.amount))
    refund(sale, part(sale, 20...60), at: terms.at + 61 * Season.day)
    note(
      [.missingRefund, .settlementOverdue, .unrecordedRefund, .recordChanged], [sale],
      "a refund of an order of two months ago")
  }

  private func disputeWon() -> DirectSale {
    let sale = sell(terms())
    _ = dispute(sale, "won")
    return sale
  }

  private func cashAppPay() -> DirectSale {
    let sale = sell(terms())
    records[sale.payment.id]?.isCashAppPay = true
    return sale
  }
}
