/// What looks like a fault of refunds, disputes and settlement rows at Adyen, and is none.
extension AdyenStories {
  func refundsUpToCapture() {
    let sale = sell(terms(early))
    let first = part(sale, 30...45)
    refund(sale, first, at: sale.at + 7_000)
    refund(sale, sale.payment.captured - first, at: sale.at + 40_000)
    note([.overRefunded], [sale], "refunds of exactly what was captured")
  }

  func refundsWithoutReference() {
    let sale = sell(terms(early))
    let amounts = [part(sale, 10...20), part(sale, 30...40)]
    let at = sale.at + 8_000
    for amount in amounts { refund(sale, amount, at: at + amount % 7 * 900, isRecorded: false) }
    for amount in amounts.reversed() { record(amount, of: sale, at: at + 9_000) }
    note([.refundAmountMismatch, .missingRefund], [sale], "two refunds recorded in the other order, without a reference")
  }

  func equalRefundsApart() {
    let sale = sell(terms(early))
    let amount = part(sale, 15...40)
    refund(sale, amount, at: sale.at + 9_000)
    refund(sale, amount, at: sale.at + 9_601 + dice.number(1...9_000))
    note([.possibleDuplicateRefund], [sale], "two equal refunds more than ten minutes apart, both recorded")
  }

  func refundInsideGrace() {
    let sale = sell(terms(early))
    let amount = part(sale, 20...60)
    record(amount, of: sale, at: plan.endsAt - dice.number(3_600...18 * 3_600), reference: sale.payment.psp)
    note([.missingRefund], [sale], "a refund that was recorded hours ago and is made tomorrow")
    book.tomorrow { [self] in refund(sale, amount, at: plan.endsAt + 3_000, isRecorded: false) }
  }

  /// The first refund came back, the second one arrived; the orders know of one.
  func refundedAgain() {
    let sale = sell(terms(early))
    let amount = part(sale, 20...80)
    let first = refund(sale, amount, at: sale.at + 9_000, isRecorded: false)
    ledger.fail(first, at: first.at + Season.day)
    let second = refund(sale, amount, at: first.at + Season.day + 20_000, isRecorded: false)
    record(amount, of: sale, at: sale.at + 9_000, reference: dice.pick([second.modification, sale.payment.psp, nil]))
    note([.refundFailed, .unrecordedRefund, .overRefunded], [sale], "a refund that failed and was made again")
  }

  /// Notified hours ago; its row comes with the next batch.
  func refundUnderWay() {
    let sale = sell(terms(early))
    refund(sale, part(sale, 20...80), at: plan.endsAt - dice.number(3_600...20 * 3_600))
    note([.unsettledRefund, .settlementOverdue], [sale], "a refund that the next batch will hold")
  }

  func disputeWonAndReturned() {
    let sale = sell(terms(.beforeEnd(6 * 86_400...plan.days * 86_400 - 1_800), method: .mc))
    let dispute = ledger.chargeback(sale.payment, sale.payment.captured, at: sale.at + 30_000)
    ledger.reverse(dispute, of: sale.payment, sale.payment.captured, at: sale.at + 30_000 + Season.day)
    note([.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale], "a dispute that was won and given back")
  }

  /// Ten rupees: what is withheld is more than they are worth.
  func feesExceedTheSale() {
    var terms = terms(currency: "inr", method: .visa)
    terms.amount = 1_000
    terms.rate = AdyenRate(tenThousandths: 110)
    let sale = sell(terms)
    if let row = sale.payment.row {
      row.fees = AdyenFees(markup: 4, scheme: 0, interchange: 10)
      row.net = -3
    }
    note([.settlementRowBroken, .unrecordedRefund], [sale], "a sale whose fees exceed it: its row is a debit")
  }

  /// Converted elsewhere, rounded otherwise.
  func roundedOtherwise() {
    let sale = sell(terms(currency: merchant.currency == "gbp" ? "eur" : "gbp"))
    sale.payment.row?.net += dice.pick([-1, 1])
    note([.settlementRowBroken], [sale], "a converted row that is rounded the other way")
  }

  /// What the account also tells, and means no money.
  func tidings() {
    let psp = ledger.psp()
    let event = AdyenEvent(
      code: "OFFER_CLOSED", psp: psp, reference: "", currency: merchant.currency, value: 1_000, at: plan.startsAt + 90_000, night: night)
    ledger.tell(event)
    note([.unknownRecordType], [], payments: [psp], "a notification that moves no money")
  }
}
