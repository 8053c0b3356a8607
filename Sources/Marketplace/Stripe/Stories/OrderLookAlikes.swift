/// Records that look like faults between orders and payments, and are none.
extension StripeStories {
  func splitTender() {
    let terms = terms(.middle)
    let sale = sell(terms, total: terms.amount + dice.number(100...9_000))
    sale.order.tender = terms.amount
    note([.amountMismatch], [sale], "an order paid in part with a voucher")
  }

  func twoCapturesMakeTotal() {
    var terms = terms(.middle, split: [.platform])
    let rest = terms.amount / 3 / 10 * 10 + 20
    let order = order(for: terms, total: terms.amount + rest)
    let first = sell(terms, for: order)
    terms.at += 700
    terms.amount = rest
    note(
      [.duplicatePayment, .amountMismatch], [first, sell(terms, for: order)],
      "two captures that make the total together")
  }

  func declinedBeforeSuccess() {
    var terms = terms(.middle, method: .card)
    terms.declinedAttempts = Int(dice.number(1...3))
    note([.missingPayment, .duplicatePayment], [sell(terms)], "declined attempts before the one that counts")
  }

  func partialCapture() {
    var terms = terms(
      .beforeEnd(4 * 86_400...plan.days * 86_400 - 3_600), tender: .usd, method: .card, split: [.platform, .full])
    let inTwoRows = dice.chance(50)
    let order = order(for: terms)
    terms.amount += terms.amount / 4
    terms.capture = .later(seconds: dice.number(3_600...2 * 86_400), amount: order.total, inTwoRows: inTwoRows)
    note(
      [.amountMismatch, .unrecordedRefund, .providerFeeDeviation], [sell(terms, for: order)],
      inTwoRows ? "a partial capture in two ledger rows" : "a partial capture in one ledger row")
  }

  func orderInsideGrace() {
    let terms = terms(.beforeEnd(3_600...20 * 3_600))
    let order = order(for: terms)
    note([.missingPayment], [], orders: [order], "an order that is paid only the next day, inside its grace")
    tomorrow { [self] in
      var late = terms
      late.at = plan.endsAt + 1_800
      _ = sell(late, for: order, link: .metadata)
    }
  }

  func unpaidOrders() {
    for status in ["pending", "cancelled"] {
      let order = order(for: terms(.early))
      order.status = status
      note([.missingPayment], [], orders: [order], "an order without a payment that is \(status)")
    }
  }

  func cancelledAndRefunded() {
    let sale = sell(refundableTerms())
    sale.order.status = "cancelled"
    refund(sale, sale.payment.captured, at: sale.terms.at + dice.number(3_600...80_000))
    note(
      [.capturedAfterCancel, .unrecordedRefund, .failedRefundStillReversed], [sale],
      "a cancelled order whose money went back in full")
  }

  func knownByItsCharge() {
    let terms = terms(.middle)
    let order = order(for: terms, placedAt: terms.at + 120)
    note(
      [.missingOrder], [sell(terms, for: order, link: .charge)],
      "an order that is written after its payment and knows only the charge")
  }

  func twoOrdersOnePayment() {
    let terms = terms(.middle, split: [.platform])
    let first = order(for: terms, total: terms.amount - terms.amount / 3)
    let second = order(for: terms, total: terms.amount / 3)
    let sale = sell(terms, for: first, link: .intent)
    second.references = first.references
    note([.ambiguousMatch, .amountMismatch], [sale], orders: [second], "two orders paid with one payment")
  }

  func foreignCurrency() {
    let sale = sell(
      terms(.middle, tender: .cad(rate: dice.number(71_000...75_000)), split: [.platform, .full, .applicationFee]))
    note(
      [.currencyMismatch, .transferAmountMismatch, .applicationFeeMismatch], [sale],
      "a capture that settles in another currency")
  }

  func standingAuthorisations() {
    for status in ["paid", "pending"] {
      let isOld = status == "pending"
      var terms = terms(
        .beforeEnd(isOld ? 8 * 86_400...plan.days * 86_400 - 3_600 : 2 * 86_400...4 * 86_400), method: .card)
      terms.capture = .never
      let sale = sell(terms)
      sale.order.status = status
      sale.payment.charge.captureBefore = sale.payment.charge.created + (isOld ? 30 : 7) * Season.day
      note(
        [.authorisationUncaptured, .missingPayment], [sale],
        isOld ? "an old authorisation of a pending order" : "a fresh authorisation")
    }
  }

  func expiredAuthorisation() {
    let terms = terms(.early)
    let order = order(for: terms)
    order.status = "cancelled"
    note(
      [.refundFailed, .unrecordedRefund], [voided(terms, for: order)],
      "an authorisation that was released with its order")
  }

  func failedAndCancelled() {
    let sale = asynchronousSale(split: SplitKind.destinations)
    ledger.fail(sale.payment, at: sale.terms.at + 3 * Season.day, undoingTransfer: true, undoingFee: true)
    sale.order.status = "cancelled"
    note(
      [.paymentFailedAfterPaid, .failedPaymentNotReversed, .reversalWithoutRefund, .applicationFeeOverReturned], [sale],
      "a failed debit whose order was cancelled and whose flow was undone")
  }

  func approvalsUnderWay() {
    let started = ledger.makeIntent(terms(.beforeEnd(400...3_000), method: .card), shopper: Shopper(number: 7))
    started.status = "requires_action"
    note([.approvalStuck], [], payments: [started.id], "an approval that began within the hour")
    tomorrow { [self] in
      started.status = "canceled"
      started.canceledAt = plan.endsAt + 300
    }
    let left = ledger.makeIntent(terms(.early), shopper: Shopper(number: 8))
    note([.approvalStuck], [], payments: [left.id], "a checkout that was left before anything was tried")
  }

  func toleratedCent() {
    let terms = terms(.middle, tender: .eur)
    note(
      [.amountMismatch], [sell(terms, total: terms.amount + dice.pick([-1, 1]))],
      "an order one cent off, as the tolerance allows"
    )
  }
}
