/// Faults of refunds.
extension StripeStories {
  func missingRefund() {
    let sale = sell(terms(.early))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    record(
      amount, of: sale, at: sale.terms.at + dice.number(3_600...80_000), reference: dice.pick([nil, sale.payment.id]))
    plant(.missingRefund, [sale], "a refund that the orders record and nobody made")
  }

  func unrecordedRefund() {
    let sale = sell(refundableTerms(.early))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    let made = refund(sale, amount, at: sale.terms.at + dice.number(3_600...80_000), isRecorded: false)
    plant(.unrecordedRefund, [sale], records: [made.id], "a refund that the orders do not record")
  }

  /// Terms whose refund comes back in the ledger's currency.
  func refundableTerms(_ season: Season = .middle, split: [SplitKind] = SplitKind.allCases) -> Terms {
    let tender: Tender = dice.pick(weighted: [(.usd, 6), (.eur, 3), (.jpy, 1), (.kwd, 1)])
    return terms(season, tender: tender, split: split)
  }

  func refundAmountMismatch() {
    let sale = sell(refundableTerms(.early))
    let amount = part(sale, 20...60)
    let at = sale.terms.at + dice.number(3_600...80_000)
    let made = refund(sale, amount, at: at, isRecorded: false)
    let reference = dice.pick([made.id, sale.payment.id, nil])
    record(dice.chance(50) ? amount + 100 : amount - 60, of: sale, at: at, reference: reference)
    plant(.refundAmountMismatch, [sale], records: [made.id], "a refund recorded with another amount than was paid")
  }

  func overRefunded() {
    let sale = sell(refundableTerms(.early, split: [.platform]))
    let amounts = [part(sale, 55...70), part(sale, 71...90)]
    var records: [String] = []
    for (number, amount) in amounts.enumerated() {
      records.append(refund(sale, amount, at: sale.terms.at + 7_200 + Int64(number) * 30_000).id)
    }
    plant(.overRefunded, [sale], records: records, "two refunds that together exceed the capture")
  }

  func refundFailed() {
    let sale = sell(refundableTerms(.early, split: [.platform, .separate, .full]))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    let at = sale.terms.at + dice.number(3_600...80_000)
    let made = ledger.refund(sale.payment, amount, at: at)
    record(amount, of: sale, at: at, reference: reference(to: made, of: sale))
    ledger.failRefund(made, of: sale.payment, at: at + dice.number(1...2) * Season.day)
    plant(.refundFailed, [sale], records: [made.id], "a refund that the customer's bank sent back")
  }

  func refundPending() {
    let sale = sell(refundableTerms(.early, split: [.platform, .separate, .full]))
    let amount = part(sale, 20...90)
    let made = ledger.pend(sale.payment, amount, at: sale.terms.at + dice.number(600...7_000))
    record(amount, of: sale, at: made.created, reference: reference(to: made, of: sale))
    plant(.refundPending, [sale], records: [made.id], "a refund that has waited for days")
  }

  func possibleDuplicateRefund() {
    let sale = sell(refundableTerms(.early))
    let amount = part(sale, 15...45)
    let at = sale.terms.at + dice.number(3_600...80_000)
    let first = refund(sale, amount, at: at)
    let second = refund(sale, amount, at: at + dice.number(20...590), isRecorded: false)
    plant(
      .possibleDuplicateRefund, [sale], records: [first.id, second.id],
      "the same refund twice within minutes, one of them recorded")
  }

  func refundWithoutReversal() {
    let sale = sell(refundableTerms(split: SplitKind.destinations))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    let made = ledger.refund(sale.payment, amount, at: sale.terms.at + dice.number(3_600...80_000))
    record(amount, of: sale, at: made.created, reference: reference(to: made, of: sale))
    plant(.refundWithoutReversal, [sale], records: [made.id], "a refund that the platform paid alone")
  }

  func underReversed() {
    let sale = sell(refundableTerms(split: [.transferAmount, .full]))
    let at = sale.terms.at + dice.number(3_600...60_000)
    guard let transfer = sale.payment.transfers.first else { return }
    let first = part(sale, 20...40)
    let second = sale.payment.captured - first
    let reversed = Tender.share(transfer.amount, second, of: sale.payment.captured)
    var made: [RefundRecord] = []
    if dice.chance(50) {
      made.append(ledger.refund(sale.payment, first, at: at))
      made.append(ledger.refund(sale.payment, second, at: at + 9_000, reversing: .exactly(reversed)))
    } else {
      made.append(ledger.refund(sale.payment, second, at: at, reversing: .exactly(reversed / 2)))
    }
    for refund in made { record(refund.amount, of: sale, at: refund.created, reference: refund.id) }
    plant(.underReversed, [sale], records: made.map(\.id), "refunds of which too little was taken back from the seller")
  }

  func reversalWithoutRefund() {
    let sale = sell(refundableTerms(split: [.applicationFee, .full]))
    guard let transfer = sale.payment.transfers.first else { return }
    let back = max(50, transfer.amount * dice.number(10...60) / 100)
    let reversal = ledger.reverse(transfer, back, at: sale.terms.at + dice.number(7_200...90_000))
    plant(
      .reversalWithoutRefund, [sale], records: [reversal.id, transfer.id],
      "money taken back from a seller without a reason")
  }

  func applicationFeeNotReturned() {
    let sale = sell(refundableTerms(split: [.applicationFee]))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 30...70)
    let made = ledger.refund(
      sale.payment, amount, at: sale.terms.at + dice.number(3_600...80_000), reversing: .proportional)
    record(amount, of: sale, at: made.created, reference: reference(to: made, of: sale))
    plant(.applicationFeeNotReturned, [sale], records: [made.id], "a refund of which the platform kept its commission")
  }

  func applicationFeeOverReturned() {
    let sale = sell(refundableTerms(split: [.applicationFee]))
    guard let fee = sale.payment.fee else { return }
    let at = sale.terms.at + dice.number(3_600...80_000)
    if dice.chance(50) {
      let amount = part(sale, 20...50)
      let made = ledger.refund(
        sale.payment, amount, at: at, reversing: .proportional, returningFee: .exactly(fee.amount))
      record(amount, of: sale, at: at, reference: reference(to: made, of: sale))
    } else {
      ledger.giveBack(fee, max(1, fee.amount / dice.number(1...2)), at: at)
    }
    plant(.applicationFeeOverReturned, [sale], records: [fee.id], "more commission returned than the refunds call for")
  }

  func failedRefundStillReversed() {
    let sale = sell(refundableTerms(.early, split: SplitKind.destinations))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 20...60)
    let made = refund(sale, amount, at: sale.terms.at + dice.number(3_600...80_000))
    ledger.failRefund(made, of: sale.payment, at: made.created + dice.number(1...2) * Season.day)
    plant(.failedRefundStillReversed, [sale], records: [made.id], "a failed refund whose reversal stands")
  }

  func failedPaymentNotReversed() {
    let sale = asynchronousSale(split: SplitKind.destinations)
    let isFeeOnly = sale.payment.fee != nil && dice.chance(50)
    ledger.fail(
      sale.payment, at: sale.terms.at + dice.number(2...4) * Season.day, undoingTransfer: isFeeOnly,
      undoingFee: !isFeeOnly)
    sale.order.status = "cancelled"
    plant(
      .failedPaymentNotReversed, [sale],
      isFeeOnly ? "a failed debit whose commission was kept" : "a failed debit whose transfer stands")
  }

  func fxLoss() {
    let rate = dice.number(71_000...75_000)
    var terms = terms(.middle, tender: .cad(rate: rate), method: .card, split: [.full])
    terms.amount = dice.number(9_000...40_000)
    let sale = sell(terms)
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 50...90)
    let made = ledger.refund(
      sale.payment, amount, at: terms.at + dice.number(3_600...80_000), reversing: .proportional,
      rate: rate + dice.number(1_500...4_000))
    record(amount, of: sale, at: made.created, reference: reference(to: made, of: sale))
    plant(.fxLoss, [sale], records: [made.id], "a refund that was converted dearer than its reversal")
  }
}
