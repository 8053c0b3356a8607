/// Faults of transfers, commissions and fees.
extension StripeStories {
  func transferMissing() {
    var terms = refundableTerms(split: SplitKind.destinations)
    let isSkipped = dice.chance(70)
    terms.loss = isSkipped ? .transferSkipped : .transferLost
    let sale = sell(terms)
    sale.order.seller = terms.seller
    plant(
      .transferMissing, [sale],
      isSkipped ? "a transfer that the provider skipped" : "a charge that names its seller, and no transfer exists")
  }

  func transferAmountMismatch() {
    var terms = refundableTerms(.early, split: [.transferAmount, .separate])
    let off = max(2, terms.amount * dice.number(2...4) / 100)
    var agreed = agreedFee(terms)
    switch terms.split {
    case .transferAmount where dice.chance(50):
      terms.loss = .transferShort(off)
    case .separate(let amount):
      terms.split = .separate(amount - off)
    default:
      agreed = agreed.map { $0 + off }
    }
    let sale = sell(terms)
    sale.order.fee = agreed
    plant(
      .transferAmountMismatch, [sale], records: sale.payment.transfers.map(\.id),
      "a transfer of another amount than was agreed")
  }

  func wrongDestination() {
    let terms = terms(.middle, split: SplitKind.destinations + [.separate])
    let sale = sell(terms)
    sale.order.seller = dice.pick(sellers.filter { $0 != terms.seller })
    if sale.payment.transfers.isEmpty { return }
    plant(
      .wrongDestination, [sale], records: sale.payment.transfers.map(\.id),
      "a transfer to another seller than the order's")
  }

  func overTransferred() {
    var terms = refundableTerms(split: [.separate])
    terms.split = .separate(terms.amount * 7 / 10)
    terms.transferGroup = "cart_\(dice.letters(8))"
    let sale = sell(terms, link: .both)
    sale.order.seller = terms.seller
    sale.order.fee = nil
    let at = terms.at + 4_000
    let linked = ledger.send(terms.amount * 2 / 10, of: sale.payment, to: terms.seller, at: at)
    let unlinked = ledger.makeTransfer(
      terms.amount * dice.number(15...30) / 100, terms.tender.settlement, to: terms.seller, source: nil, at: at + 3_000)
    if dice.chance(50) { unlinked.orderID = sale.order.id } else { unlinked.group = terms.transferGroup }
    plant(
      .overTransferred, [sale], records: [linked.id, unlinked.id], "three transfers that together exceed the payment")
  }

  func applicationFeeMissing() {
    var terms = refundableTerms(split: [.full])
    let commission = max(5, terms.amount * dice.number(5...20) / 100)
    if dice.chance(40) {
      terms.split = .applicationFee(commission)
      terms.loss = .fee
    }
    let sale = sell(terms)
    sale.order.fee = commission
    plant(.applicationFeeMissing, [sale], "a commission that was agreed and not collected")
  }

  func applicationFeeMismatch() {
    let terms = terms(.middle, split: [.applicationFee])
    let sale = sell(terms)
    let agreed = agreedFee(terms) ?? 0
    sale.order.fee = agreed + max(2, agreed * dice.number(10...40) / 100)
    plant(
      .applicationFeeMismatch, [sale], records: sale.payment.fee.map { [$0.id] } ?? [],
      "another commission than was agreed")
  }

  func applicationFeeCapped() {
    var terms = refundableTerms(split: [.applicationFee])
    terms.split = .applicationFee(terms.amount * dice.number(120...180) / 100)
    let sale = sell(terms)
    sale.order.fee = agreedFee(terms)
    plant(
      .applicationFeeCapped, [sale], records: sale.payment.fee.map { [$0.id] } ?? [],
      "a commission above the whole payment")
  }

  func providerFeeDeviation() {
    let sale = sell(terms(.middle, method: .card))
    guard let row = sale.payment.row else { return }
    row.fee += max(8, sale.payment.captured / 200)
    row.parts = [("stripe_fee", row.fee, "Stripe processing fees")]
    plant(.providerFeeDeviation, [sale], records: [row.id], "a processing fee above the rate card")
  }

  func feeSumMismatch() {
    let sale = sell(terms(.middle, method: .card))
    guard let row = sale.payment.row else { return }
    if dice.chance(50) {
      row.fee += dice.number(3...12)
    } else {
      row.parts = [("stripe_fee", row.fee - dice.number(3...12), "Stripe processing fees")]
    }
    plant(.feeSumMismatch, [sale], records: [row.id], "a fee whose parts do not add up to it")
  }

  func unknownRecordType() {
    let currency = dice.pick(["usd", "eur"])
    // Each of a kind of its own: rows of one unknown type have one cause.
    let number = book.planted.count { $0.type == .unknownRecordType } + 1
    let type = dice.pick(["marketing_credit", "carbon_levy", "network_rebate"]) + "_\(number)"
    let row = ledger.book(
      type, type, source: nil, dice.number(50...900) * dice.pick([-1, 1]), currency, at: instant(.middle))
    row.description = "A row of a kind that nobody described"
    plant(.unknownRecordType, [], records: [row.id], "a ledger row of an unknown type")
  }
}
