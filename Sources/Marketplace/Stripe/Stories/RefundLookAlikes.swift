/// Records that look like faults of refunds, and are none.
extension StripeStories {
  func refundInsideGrace() {
    let sale = sell(refundableTerms(.early))
    let amount = part(sale, 20...60)
    let reference = sale.payment.id
    record(amount, of: sale, at: plan.endsAt - dice.number(3_600...18 * 3_600), reference: reference)
    note([.missingRefund], [sale], "a refund that was recorded hours ago and is made tomorrow")
    tomorrow { [self] in refund(sale, amount, at: plan.endsAt + 3_600, isRecorded: false) }
  }

  func recordInsideGrace() {
    let sale = sell(refundableTerms(.early))
    let made = refund(sale, part(sale, 20...60), at: plan.endsAt - dice.number(3_600...18 * 3_600), isRecorded: false)
    note([.unrecordedRefund], [sale], "a refund that was made hours ago and is recorded tomorrow")
    tomorrow { [self] in record(made.amount, of: sale, at: plan.endsAt + 600, reference: made.id, on: 2) }
  }

  func refundsWithoutReference() {
    let sale = sell(refundableTerms())
    let amounts = [part(sale, 10...20), part(sale, 30...40)]
    let at = sale.terms.at + 8_000
    for amount in amounts { refund(sale, amount, at: at + amount % 7 * 900, isRecorded: false) }
    for amount in amounts.reversed() { record(amount, of: sale, at: at + 9_000) }
    note(
      [.refundAmountMismatch, .missingRefund], [sale], "two refunds recorded in the other order, without a reference")
  }

  func refundsUpToCapture() {
    let sale = sell(refundableTerms())
    let first = part(sale, 30...45)
    refund(sale, first, at: sale.terms.at + 7_000)
    refund(sale, sale.payment.captured - first, at: sale.terms.at + 40_000)
    note(
      [.overRefunded, .underReversed, .applicationFeeNotReturned, .refundWithoutReversal], [sale],
      "refunds of exactly what was captured")
  }

  func freshPendingRefund() {
    let sale = sell(refundableTerms(.early, split: [.platform, .separate]))
    let made = ledger.pend(sale.payment, part(sale, 20...60), at: plan.endsAt - dice.number(2 * 86_400...3 * 86_400))
    record(made.amount, of: sale, at: made.created, reference: made.id)
    note([.refundPending, .missingRefund], [sale], "a refund that has waited for two days")
    tomorrow { [self] in ledger.conclude(made, of: sale.payment, at: plan.endsAt + 5_000) }
  }

  func equalRefundsApart() {
    let sale = sell(refundableTerms())
    let amount = part(sale, 15...40)
    let at = sale.terms.at + 9_000
    refund(sale, amount, at: at)
    refund(sale, amount, at: at + 601 + dice.number(1...9_000))
    note([.possibleDuplicateRefund], [sale], "two equal refunds more than ten minutes apart, both recorded")
  }

  func separateRefund() {
    let sale = sell(refundableTerms(split: [.separate]))
    refund(sale, part(sale, 20...60), at: sale.terms.at + 9_000)
    note([.refundWithoutReversal], [sale], "a refund of a separate charge, which reverses nothing")
  }

  func reversalOffByOne() {
    let sale = sell(refundableTerms(split: [.applicationFee]))
    guard let transfer = sale.payment.transfers.first, let fee = sale.payment.fee else { return }
    let amount = part(sale, 30...60)
    let back = Tender.share(transfer.amount, amount, of: sale.payment.captured) - 1
    let share = Tender.share(fee.amount, amount, of: sale.payment.captured) + dice.pick([-1, 1])
    let made = ledger.refund(
      sale.payment, amount, at: sale.terms.at + 9_000, reversing: .exactly(back), returningFee: .exactly(share))
    record(amount, of: sale, at: made.created, reference: made.id)
    note(
      [.underReversed, .applicationFeeNotReturned, .applicationFeeOverReturned], [sale],
      "a reversal and a returned commission one minor unit off")
  }

  func twelveReversals() {
    let sale = sell(refundableTerms(.early, split: [.applicationFee, .full]))
    let step = max(10, sale.payment.captured / 20 / 10 * 10)
    for number in 0..<12 { refund(sale, step, at: sale.terms.at + 9_000 + Int64(number) * 3_000) }
    note([.underReversed, .refundWithoutReversal], [sale], "twelve reversals, more than a transfer embeds")
  }

  func refundAtOneRate() {
    let sale = sell(terms(.middle, tender: .cad(rate: dice.number(71_000...75_000)), method: .card, split: [.full]))
    refund(sale, dice.chance(50) ? sale.payment.captured : part(sale, 20...60), at: sale.terms.at + 9_000)
    note([.fxLoss], [sale], "a refund across currencies at the capture's own rate")
  }

  func disputeWonAndReturned() {
    let sale = sell(terms(.middle, method: .card))
    let dispute = ledger.dispute(sale.payment, status: "needs_response", at: sale.terms.at + 30_000)
    ledger.win(dispute, of: sale.payment, feeReturned: dice.chance(50), at: sale.terms.at + 130_000)
    note([.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale], "a dispute that was won and given back")
  }

  /// Taken back from the seller when the dispute began, sent again when it was won.
  func recoveredAndWon() {
    let sale = sell(refundableTerms(split: [.applicationFee, .full]), link: .both)
    guard let transfer = sale.payment.transfers.first else { return }
    let dispute = ledger.dispute(sale.payment, status: "needs_response", at: sale.terms.at + 20_000)
    ledger.reverse(transfer, transfer.amount, at: dispute.created + 3_000)
    ledger.win(dispute, of: sale.payment, feeReturned: true, at: dispute.created + 90_000)
    ledger.makeTransfer(
      transfer.amount, transfer.currency, to: transfer.destination, source: nil, at: dispute.created + 95_000
    ).orderID = sale.order.id
    note(
      [.reversalWithoutRefund, .overTransferred, .disputeWonUnreturned], [sale],
      "a dispute that was recovered from the seller, won and paid out to the seller again")
  }

  /// The first refund came back, the second one arrived; the orders know of one.
  func refundedAgain() {
    let sale = sell(refundableTerms(.early, split: [.platform]))
    let amount = part(sale, 20...80)
    let at = sale.terms.at + 9_000
    let first = ledger.refund(sale.payment, amount, at: at)
    ledger.failRefund(first, of: sale.payment, at: at + Season.day)
    let second = ledger.refund(sale.payment, amount, at: at + Season.day + 20_000)
    record(amount, of: sale, at: at, reference: dice.pick([second.id, sale.payment.id, nil]))
    note([.refundFailed, .unrecordedRefund, .overRefunded], [sale], "a refund that failed and was made again")
  }

  func closedInquiry() {
    let sale = sell(terms(.middle, method: .card))
    _ = inquiry(about: sale, status: dice.pick(["warning_closed", "prevented"]))
    note([.disputeInquiry], [sale], "an inquiry that was closed")
  }
}
