/// Faults between orders and payments.
extension StripeStories {
  func missingPayment() {
    let terms = terms(.beforeEnd(30 * 3_600...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    // Where several providers could have the payment, the order states the intended one.
    if plan.accounts.count > 1 { order.provider = account.name }
    switch dice.number(0...2) {
    case 0:
      plant(.missingPayment, [], orders: [order], "an order that nobody paid")
    case 1:
      var declined = terms
      declined.metadataOrderID = order.id
      let intent = ledger.makeIntent(declined, shopper: Shopper(number: dice.number(1...90_000)))
      for attempt in 0...dice.number(0...2) { ledger.decline(intent, at: terms.at + 30 + attempt * 50) }
      intent.status = "canceled"
      intent.canceledAt = terms.at + 900
      plant(.missingPayment, [], orders: [order], "an order whose every attempt was declined")
    default:
      let sale = voided(terms, for: order)
      plant(
        .missingPayment, [], orders: [order], mayName: [sale.payment.id], "a paid order whose authorisation was voided")
    }
  }

  /// An authorisation that is released again: a refund object without money.
  func voided(_ terms: Terms, for order: OrderRecord) -> Sale {
    var terms = terms
    terms.capture = .never
    terms.method = .card
    let sale = sell(terms, for: order)
    let at = terms.at + dice.number(7_200...20_000)
    sale.payment.intent.status = "canceled"
    sale.payment.intent.amountCapturable = 0
    sale.payment.intent.canceledAt = at
    let release = ledger.makeRefund(terms.amount, of: sale.payment.charge, at: at)
    release.reason = "expired_uncaptured_charge"
    sale.payment.charge.amountRefunded = terms.amount
    return sale
  }

  func missingOrder() {
    var terms = terms(.middle)
    let dangling = "ORD-\(plan.seed)-X\(dice.letters(6))"
    let isDangling = dice.chance(50)
    if isDangling { terms.metadataOrderID = dangling }
    let payment = ledger.pay(terms)
    plant(
      .missingOrder, [], payments: [payment], mayName: isDangling ? [dangling] : [],
      isDangling ? "a payment for an order that does not exist" : "a payment that names no order")
  }

  func amountMismatch() {
    var terms = terms(.middle)
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
      terms.split = .platform
      let order = order(for: terms, total: terms.amount * 3)
      let first = sell(terms, for: order)
      terms.at += 900
      terms.amount += 130
      plant(.amountMismatch, [first, sell(terms, for: order)], "two captures that leave a part of the order open")
    }
  }

  func currencyMismatch() {
    let terms = terms(.middle, tender: dice.pick([.usd, .eur]), split: [.platform, .full, .applicationFee])
    let sale = sell(terms)
    sale.order.currency = terms.tender == .usd ? "eur" : "usd"
    sale.order.fee = nil
    plant(.currencyMismatch, [sale], "an order priced in another currency than the capture")
  }

  func duplicatePayment() {
    var terms = terms(.middle, split: [.platform, .full, .applicationFee])
    let first = sell(terms)
    var sales = [first]
    for _ in 0..<(dice.chance(25) ? 2 : 1) {
      terms.at += dice.number(60...20_000)
      sales.append(sell(terms, for: first.order))
    }
    plant(.duplicatePayment, sales, "captures that each pay the order in full")
  }

  func ambiguousMatch() {
    var terms = terms(.middle, split: [.platform])
    terms.metadataOrderID = nil
    let first = sell(terms, link: .intent)
    let second = order(for: terms)
    second.references = first.order.references
    plant(.ambiguousMatch, [first], orders: [second], "two orders that each claim the same payment in full")
  }

  func capturedAfterCancel() {
    let sale = sell(terms(.middle))
    sale.order.status = "cancelled"
    plant(.capturedAfterCancel, [sale], "a cancelled order whose money was captured and kept")
  }

  func authorisationUncaptured() {
    let isExpiring = dice.chance(40)
    var terms = terms(
      .beforeEnd(isExpiring ? 522_000...601_200 : 8 * 86_400...plan.days * 86_400 - 3_600), method: .card)
    terms.capture = .never
    let sale = sell(terms)
    sale.payment.charge.captureBefore = sale.payment.charge.created + (isExpiring ? 7 : 30) * Season.day
    plant(
      .authorisationUncaptured, [sale], resolved: isExpiring ? 2 : nil,
      isExpiring
        ? "an authorisation of a paid order that lapses within a day"
        : "an authorisation of a paid order, eight days old")
    guard isExpiring else { return }
    tomorrow { [self] in
      ledger.capture(sale.payment, sale.terms, sale.terms.amount, inTwoRows: false, at: plan.endsAt + 1_500)
    }
  }

  func paymentFailedAfterPaid() {
    let sale = asynchronousSale()
    ledger.fail(
      sale.payment, at: sale.terms.at + dice.number(2...4) * Season.day, undoingTransfer: true, undoingFee: true)
    plant(.paymentFailedAfterPaid, [sale], "a bank debit that failed days after the order was served")
  }

  /// A sale by a bank debit, early enough to fail inside the range.
  func asynchronousSale(split: [SplitKind] = [.platform, .applicationFee, .transferAmount, .full]) -> Sale {
    let isDollar = dice.chance(50)
    return sell(
      terms(
        .beforeEnd(5 * 86_400...plan.days * 86_400 - 3_600), tender: isDollar ? .usd : .eur,
        method: isDollar ? .bankAccount : .sepaDebit, split: split))
  }

  func approvalStuck() {
    var terms = terms(.beforeEnd(2 * 3_600...plan.days * 86_400 - 3_600), method: .card)
    let order = dice.chance(60) ? order(for: terms) : nil
    order?.status = "pending"
    terms.metadataOrderID = order?.id
    let intent = ledger.makeIntent(terms, shopper: Shopper(number: dice.number(1...90_000)))
    intent.status = "requires_action"
    book.plant(
      .approvalStuck, of: account.name, orders: order.map { [$0] } ?? [], payments: [intent.id], records: [intent.id],
      "a payment that waits for the customer's bank for hours")
  }
}
