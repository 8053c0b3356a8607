/// Faults between orders and payments.
extension DirectAccount {
  /// Plants a fault of a type that every direct account can show; false for any other.
  func tellShared(_ type: FaultType) -> Bool {
    switch type {
    case .missingPayment: missingPayment()
    case .missingOrder: missingOrder()
    case .amountMismatch: amountMismatch()
    case .currencyMismatch: currencyMismatch()
    case .duplicatePayment: duplicatePayment()
    case .ambiguousMatch: ambiguousMatch()
    case .capturedAfterCancel: capturedAfterCancel()
    case .missingRefund: missingRefund()
    case .unrecordedRefund: unrecordedRefund()
    case .refundAmountMismatch: refundAmountMismatch()
    case .overRefunded: overRefunded()
    case .possibleDuplicateRefund: possibleDuplicateRefund()
    default: return false
    }
    return true
  }

  func missingPayment() {
    let order = order(for: terms(seasonOfMissing))
    // Where several providers could have the payment, the order states the intended one.
    order.provider = account.name
    plant(.missingPayment, [], orders: [order], "an order that nobody paid")
  }

  func missingOrder() {
    var terms = terms()
    let dangling = "ORD-\(plan.seed)-X\(dice.letters(6))"
    let isDangling = dice.chance(50)
    if isDangling { terms.orderID = dangling }
    let payment = take(terms)
    plant(
      .missingOrder, [], payments: [payment], mayName: isDangling ? [dangling] : [],
      isDangling ? "a payment for an order that does not exist" : "a payment that names no order")
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
      let order = order(for: terms, total: terms.amount * 3)
      let first = sell(terms, for: order)
      terms.at += 900
      terms.amount += 130
      plant(.amountMismatch, [first, sell(terms, for: order)], "two captures that leave a part of the order open")
    }
  }

  func currencyMismatch() {
    let sale = sell(terms())
    sale.order.currency = sale.payment.currency == "chf" ? "sek" : "chf"
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
    let first = sell(terms, link: .reference)
    let second = order(for: terms)
    second.references = first.order.references
    plant(.ambiguousMatch, [first], orders: [second], "two orders that each claim the same payment in full")
  }

  func capturedAfterCancel() {
    let sale = sell(terms())
    sale.order.status = "cancelled"
    plant(.capturedAfterCancel, [sale], "a cancelled order whose money was captured and kept")
  }
}
