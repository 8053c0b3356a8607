/// Records that look like faults of transfers, fees and settlement, and are none.
extension StripeStories {
  func transferTomorrow() {
    var terms = refundableTerms(.beforeEnd(5_000...2 * 86_400), split: [.separate])
    guard case .separate(let amount) = terms.split else { return }
    terms.split = .platform
    let sale = sell(terms)
    (sale.order.seller, sale.order.fee) = (terms.seller, terms.amount - amount)
    note([.transferMissing, .settlementOverdue], [sale], "a separate charge whose transfer is sent tomorrow")
    tomorrow { [self] in ledger.send(amount, of: sale.payment, to: terms.seller, at: plan.endsAt + 6_000) }
  }

  func transferInPieces() {
    var terms = refundableTerms(split: [.separate])
    guard case .separate(let amount) = terms.split else { return }
    terms.split = .separate(amount / 2)
    let sale = sell(terms)
    (sale.order.seller, sale.order.fee) = (terms.seller, terms.amount - amount)
    ledger.send(amount - amount / 2, of: sale.payment, to: terms.seller, at: terms.at + 20_000)
    note([.transferAmountMismatch], [sale], "a transfer in two pieces")
  }

  /// A transfer without a link to its charge is found by the order or by the group.
  func unlinkedTransfer() {
    var terms = refundableTerms(split: [.separate])
    guard case .separate(let amount) = terms.split else { return }
    terms.split = .platform
    terms.transferGroup = "cart_\(dice.letters(8))"
    let sale = sell(terms, link: .both)
    (sale.order.seller, sale.order.fee) = (terms.seller, terms.amount - amount)
    let transfer = ledger.makeTransfer(
      amount, terms.tender.settlement, to: terms.seller, source: nil, at: terms.at + dice.number(4_000...90_000))
    if dice.chance(50) { transfer.orderID = sale.order.id } else { transfer.group = terms.transferGroup }
    note([.transferMissing, .wrongDestination], [sale], "a transfer that names only its order or its group")
  }

  /// The provider skipped the transfer, and the platform sent it by hand.
  func repairedTransfer() {
    var terms = refundableTerms(split: [.applicationFee])
    terms.loss = .transferSkipped
    let sale = sell(terms, link: .both)
    guard let commission = agreedFee(terms) else { return }
    (sale.order.seller, sale.order.fee) = (terms.seller, commission)
    ledger.makeTransfer(
      terms.amount - commission, terms.tender.settlement, to: terms.seller, source: nil, at: terms.at + 20_000
    ).orderID = sale.order.id
    note(
      [.transferMissing, .applicationFeeMissing, .transferAmountMismatch], [sale],
      "a skipped transfer that was sent by hand")
  }

  func twoSellers() {
    var terms = refundableTerms(split: [.separate])
    terms.split = .separate(terms.amount / 2)
    let sale = sell(terms)
    (sale.order.seller, sale.order.fee) = (nil, nil)
    let other = dice.pick(sellers.filter { $0 != terms.seller })
    ledger.send(terms.amount / 3, of: sale.payment, to: other, at: terms.at + 4_000)
    note([.wrongDestination], [sale], "two sellers of one order that names none")
  }

  func transfersUpToCapture() {
    var terms = refundableTerms(split: [.separate])
    terms.split = .separate(terms.amount / 2)
    let sale = sell(terms)
    (sale.order.seller, sale.order.fee) = (terms.seller, nil)
    ledger.send(terms.amount - terms.amount / 2, of: sale.payment, to: terms.seller, at: terms.at + 4_000)
    note([.overTransferred], [sale], "transfers of exactly what was captured")
  }

  func commissionsAsAgreed() {
    let free = sell(refundableTerms(split: [.full]))
    free.order.fee = 0
    note([.applicationFeeMissing], [free], "no commission agreed, none collected")
    let unknown = sell(terms(.middle, split: [.applicationFee]))
    unknown.order.fee = nil
    note([.applicationFeeMismatch], [unknown], "a commission of which the order says nothing")
    var terms = refundableTerms(split: [.applicationFee])
    terms.split = .applicationFee(terms.amount)
    note([.applicationFeeCapped], [sell(terms)], "a commission of exactly the whole payment")
  }

  func feesNearTheCard() {
    let odd = sell(terms(.middle, method: .card))
    if let row = odd.payment.row {
      row.fee += dice.pick([-1, 1])
      row.parts = [("stripe_fee", row.fee, "Stripe processing fees")]
    }
    note([.providerFeeDeviation], [odd], "a processing fee one minor unit off")
    let taxed = sell(terms(.middle, method: .card))
    if let row = taxed.payment.row {
      let tax = max(1, row.fee / 5)
      row.fee += tax
      row.parts.append(("tax", tax, "VAT"))
    }
    note([.providerFeeDeviation, .feeSumMismatch], [taxed], "a fee with a line of tax")
  }

  func notYetSettled() {
    let sale = sell(terms(.beforeEnd(40 * 3_600...44 * 3_600)))
    note([.settlementOverdue, .payoutFailed], [sale], "a capture that is not yet due in a payout")
  }

  func notReady() {
    let terms = refundableTerms(.beforeEnd(120...200), split: SplitKind.destinations)
    var unfinished = terms
    unfinished.capture = .never
    let sale = sell(unfinished)
    (sale.payment.charge.isCaptured, sale.payment.charge.amountCaptured) = (true, terms.amount)
    sale.payment.intent.status = "succeeded"
    (sale.payment.intent.amountReceived, sale.payment.intent.amountCapturable) = (terms.amount, 0)
    note([.transferMissing, .missingPayment], [sale], "a capture whose ledger row is not there yet")
    tomorrow { [self] in
      ledger.capture(sale.payment, terms, terms.amount, inTwoRows: false, at: plan.endsAt + 20)
    }
  }
}
