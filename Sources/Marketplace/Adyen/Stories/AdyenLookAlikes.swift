/// What looks like a fault between orders and payments at Adyen, and is none.
extension AdyenStories {
  func splitTender() {
    let terms = terms()
    let sale = sell(terms, total: terms.amount + dice.number(100...9_000))
    sale.order.tender = terms.amount
    note([.amountMismatch], [sale], "an order paid in part with a voucher")
  }

  func refusedBeforeSuccess() {
    var terms = terms(method: .visa)
    let order = order(for: terms)
    _ = authorise(terms, for: order, isSuccess: false)
    terms.at += 120
    note([.missingPayment, .duplicatePayment], [sell(terms, for: order, link: .reference)], "a refused attempt before the one that counts")
  }

  /// The same payment is told as refused after it was told as authorised.
  func refusedAfterSuccess() {
    let sale = sell(terms(), link: .reference)
    ledger.tell(
      "AUTHORISATION", sale.payment.psp, of: sale.payment, value: sale.payment.amount, at: sale.at + 400, isSuccess: false,
      reason: "Refused")
    note([.missingPayment, .paymentFailedAfterPaid], [sale], "a refusal that comes after the authorisation it contradicts")
  }

  func partialCaptures() {
    let terms = terms(.beforeEnd(5 * 86_400...plan.days * 86_400 - 1_800), method: .visa)
    let sale = authorise(terms, for: order(for: terms))
    let first = part(of: terms.amount, 30...60)
    ledger.capture(sale.payment, first, at: terms.at + 5_000)
    ledger.capture(sale.payment, terms.amount - first, at: terms.at + 40_000)
    note([.duplicatePayment, .amountMismatch], [sale], "two captures of one authorisation that make the total together")
  }

  func capturedLess() {
    var terms = terms(.beforeEnd(5 * 86_400...plan.days * 86_400 - 1_800), method: .mc)
    let order = order(for: terms)
    terms.amount += terms.amount / 4
    let sale = authorise(terms, for: order)
    ledger.capture(sale.payment, order.total, at: terms.at + 5_000)
    ledger.expire(sale.payment, at: terms.at + 50_000)
    note([.amountMismatch, .unrecordedRefund], [sale], "a partial capture that is all the order asks for")
  }

  func orderInsideGrace() {
    let terms = terms(.beforeEnd(3_600...20 * 3_600))
    let order = order(for: terms)
    note([.missingPayment], [], orders: [order], "an order that is paid only the next day, inside its grace")
    book.tomorrow { [self] in
      var late = terms
      late.at = plan.endsAt + 1_800
      _ = sell(late, for: order, link: .reference)
    }
  }

  func unpaidOrders() {
    for status in ["pending", "cancelled"] {
      let order = order(for: terms(early))
      order.status = status
      note([.missingPayment], [], orders: [order], "an order without a payment that is \(status)")
    }
  }

  func cancelledAndRefunded() {
    let sale = sell(terms(early))
    sale.order.status = "cancelled"
    refund(sale, sale.payment.captured, at: later(sale))
    note([.capturedAfterCancel, .unrecordedRefund], [sale], "a cancelled order whose money went back in full")
  }

  func twoOrdersOnePayment() {
    let terms = terms()
    let first = order(for: terms, total: terms.amount - terms.amount / 3)
    let second = order(for: terms, total: terms.amount / 3)
    let sale = sell(terms, for: first, link: .psp)
    second.references = first.references
    note([.ambiguousMatch, .amountMismatch], [sale], orders: [second], "two orders paid with one payment")
  }

  func standingAuthorisations() {
    for status in ["paid", "pending"] {
      let isOld = status == "pending"
      let terms = terms(.beforeEnd(isOld ? 8 * 86_400...plan.days * 86_400 - 3_600 : 2 * 86_400...4 * 86_400), method: .visa)
      let sale = authorise(terms, for: order(for: terms))
      sale.order.status = status
      note(
        [.authorisationUncaptured, .missingPayment], [sale],
        isOld ? "an old authorisation of a pending order" : "a fresh authorisation")
    }
  }

  func cancelledAuthorisation() {
    let terms = terms(early)
    let order = order(for: terms)
    order.status = "cancelled"
    let sale = authorise(terms, for: order)
    ledger.cancel(sale.payment, at: terms.at + 9_000)
    note([.missingPayment, .unrecordedRefund], [sale], "an authorisation that was let go with its order")
  }

  /// A card is kept for later: an authorisation of nothing.
  func zeroAuthorisation() {
    var terms = terms(method: .visa)
    terms.amount = 0
    let reference = "mt-card-2026030\(dice.number(1...9))102030-\(Kiosk.hexadecimal(12, &dice))"
    let payment = ledger.authorise(terms, reference: reference)
    note([.missingOrder, .authorisationUncaptured], [], payments: [payment.psp], "an authorisation of nothing, to keep a card")
  }

  func toleratedCent() {
    guard merchant.currency == "eur" else { return }
    let terms = terms(currency: "eur")
    note([.amountMismatch], [sell(terms, total: terms.amount + dice.pick([-1, 1]))], "an order one cent off, as the tolerance allows")
  }
}
