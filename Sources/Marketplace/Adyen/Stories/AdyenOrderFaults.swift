/// Faults between orders and payments at Adyen.
extension AdyenStories {
  func missingPayment() {
    let terms = terms(merchant.isNotified ? .beforeEnd(30 * 3_600...plan.days * 86_400 - 3_600) : early)
    let order = order(for: terms)
    switch merchant.isNotified ? dice.number(0...2) : 0 {
    case 0:
      plant(.missingPayment, [], orders: [order], "an order that nobody paid")
    case 1:
      for attempt in 0...dice.number(0...2) {
        var again = terms
        again.at += 30 + attempt * 50
        _ = authorise(again, for: order, isSuccess: false)
      }
      plant(.missingPayment, [], orders: [order], "an order whose every attempt was refused")
    default:
      let sale = authorise(terms, for: order)
      ledger.cancel(sale.payment, at: terms.at + dice.number(7_200...20_000))
      plant(.missingPayment, [], orders: [order], mayName: [sale.payment.psp], "a paid order whose authorisation was cancelled")
    }
  }

  func missingOrder() {
    let dangling = "ORD-\(plan.seed)-X\(dice.letters(6))"
    let payment = ledger.pay(terms(), reference: dangling)
    plant(.missingOrder, [], payments: [payment.psp], mayName: [dangling], "a payment for an order that does not exist")
  }

  func amountMismatch() {
    var terms = terms()
    switch dice.number(0...2) {
    case 0:
      let off = terms.amount * dice.number(5...30) / 100 + 60
      let total = dice.chance(50) ? terms.amount + off : max(50, terms.amount - off)
      plant(.amountMismatch, [sell(terms, total: total)], "an order of another amount than was captured")
    case 1:
      let sale = sell(terms, total: terms.amount * 2 + 1_000)
      sale.order.tender = terms.amount + 250
      plant(.amountMismatch, [sale], "a split tender of which too little was captured")
    default:
      terms.method = .visa
      let sale = authorise(terms, for: order(for: terms))
      ledger.capture(sale.payment, part(of: terms.amount, 50...70), at: terms.at + 4_000)
      ledger.expire(sale.payment, at: terms.at + 9_000)
      plant(.amountMismatch, [sale], "a partial capture whose rest expired")
    }
  }

  func part(of amount: Int64, _ percent: ClosedRange<Int64>) -> Int64 {
    max(10, amount * dice.number(percent) / 100)
  }

  func currencyMismatch() {
    let sale = sell(terms(currency: merchant.currency))
    sale.order.currency = merchant.currency == "usd" ? "eur" : "usd"
    plant(.currencyMismatch, [sale], "an order priced in another currency than the capture")
  }

  func duplicatePayment() {
    var terms = terms()
    let first = sell(terms)
    var sales = [first]
    for _ in 0..<(dice.chance(25) ? 2 : 1) {
      terms.at += dice.number(60...20_000)
      sales.append(sell(terms, for: first.order))
    }
    plant(.duplicatePayment, sales, "captures that each pay the order in full")
  }

  func ambiguousMatch() {
    let terms = terms()
    let first = sell(terms, link: .psp)
    let second = order(for: terms)
    second.references = first.order.references
    plant(.ambiguousMatch, [first], orders: [second], "two orders that each claim the same payment in full")
  }

  func capturedAfterCancel() {
    let sale = sell(terms())
    sale.order.status = "cancelled"
    plant(.capturedAfterCancel, [sale], "a cancelled order whose money was captured and kept")
  }

  func authorisationUncaptured() {
    let terms = terms(.beforeEnd(8 * 86_400...plan.days * 86_400 - 3_600), method: .visa)
    plant(.authorisationUncaptured, [authorise(terms, for: order(for: terms))], "an authorisation of a paid order, eight days old")
  }

  func paymentFailedAfterPaid() {
    let terms = terms(early, method: .klarna)
    let sale = sell(terms, link: .reference)
    ledger.failCapture(sale.payment, sale.payment.captures[0], at: terms.at + dice.number(2...3) * Season.day)
    plant(.paymentFailedAfterPaid, [sale], "a capture that failed days after the order was served")
  }
}
