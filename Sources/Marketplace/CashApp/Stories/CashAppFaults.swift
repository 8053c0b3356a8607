/// Faults that can be planted at Cash App.
extension CashAppStories {
  func missingPayment() {
    let at = dice.number(early.bounds(plan))
    plant(.missingPayment, [], orders: [order(dice.number(900...40_000), at: at)], "an order that nobody paid")
  }

  func missingOrder() {
    let dangling = "ORD-\(plan.seed)-X\(dice.letters(6))"
    let payment = ledger.pay(dice.number(900...40_000), reference: dangling, at: dice.number(settled.bounds(plan)))
    plant(.missingOrder, [], payments: [payment.id], mayName: [dangling], "a payment for an order that does not exist")
  }

  func amountMismatch() {
    let amount = dice.number(900...40_000)
    let off = amount * dice.number(5...30) / 100 + 60
    plant(.amountMismatch, [sell(amount: amount, total: dice.chance(50) ? amount + off : max(50, amount - off))], "less captured, or more, than ordered")
  }

  func currencyMismatch() {
    let sale = sell()
    sale.order.currency = "eur"
    plant(.currencyMismatch, [sale], "an order priced in another currency than the capture")
  }

  func duplicatePayment() {
    let first = sell()
    let again = sell(first.payment.captured, for: first.order, at: first.payment.at + dice.number(60...20_000))
    plant(.duplicatePayment, [first, again], "captures that each pay the order in full")
  }

  func ambiguousMatch() {
    let at = dice.number(settled.bounds(plan))
    let amount = dice.number(900...40_000)
    let first = sell(amount, for: order(amount, at: at), at: at, knowsPayment: true)
    let second = order(amount, at: at)
    second.references = first.order.references
    plant(.ambiguousMatch, [first], orders: [second], "two orders that each claim the same payment in full")
  }

  func capturedAfterCancel() {
    let sale = sell()
    sale.order.status = "cancelled"
    plant(.capturedAfterCancel, [sale], "a cancelled order whose money was captured and kept")
  }

  func missingRefund() {
    let sale = sell(early)
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    record(amount, of: sale, at: sale.payment.at + dice.number(3_600...30_000), reference: dice.pick([nil, sale.payment.id]))
    plant(.missingRefund, [sale], "a refund that the orders record and nobody made")
  }

  func unrecordedRefund() {
    let sale = sell(early)
    let made = refund(sale, dice.chance(50) ? sale.payment.captured : part(sale, 10...60), at: later(sale), isRecorded: false)
    plant(.unrecordedRefund, [sale], records: [made], "a refund that the orders do not record")
  }

  func refundAmountMismatch() {
    let sale = sell(early)
    let amount = part(sale, 20...60)
    let at = later(sale)
    let made = refund(sale, amount, at: at, isRecorded: false)
    record(dice.chance(50) ? amount + 100 : amount - 60, of: sale, at: at, reference: dice.pick([made, sale.payment.id, nil]))
    plant(.refundAmountMismatch, [sale], records: [made], "a refund recorded with another amount than was paid")
  }

  func overRefunded() {
    let sale = sell(early)
    let amounts = [part(sale, 55...70), part(sale, 71...90)]
    let made = amounts.enumerated().map { refund(sale, $1, at: sale.payment.at + 7_200 + Int64($0) * 30_000) }
    plant(.overRefunded, [sale], records: made, "two refunds that together exceed the capture")
  }

  func possibleDuplicateRefund() {
    let sale = sell(early)
    let amount = part(sale, 15...45)
    let at = later(sale)
    let made = [refund(sale, amount, at: at), refund(sale, amount, at: at + dice.number(20...590), isRecorded: false)]
    plant(.possibleDuplicateRefund, [sale], records: made, "the same refund twice within minutes, one of them recorded")
  }

  func disputeOpened() {
    let sale = sell()
    let dispute = ledger.dispute(sale.payment, dice.chance(70) ? sale.payment.captured : part(sale, 30...80), at: later(sale))
    plant(.disputeOpened, [sale], records: [dispute.id], "a dispute that holds the money")
  }

  func disputeLost() {
    let sale = sell(early)
    let dispute = ledger.dispute(sale.payment, sale.payment.captured, at: later(sale))
    ledger.conclude(dispute, dice.pick(["LOST", "ACCEPTED"]), returned: 0, at: dispute.createdAt + 2 * Season.day)
    plant(.disputeLost, [sale], records: [dispute.id], "a dispute that was lost")
  }

  func disputeWonUnreturned() {
    let sale = sell(early)
    let dispute = ledger.dispute(sale.payment, sale.payment.captured, at: later(sale))
    ledger.conclude(dispute, "WON", returned: 0, at: dispute.createdAt + 2 * Season.day)
    plant(.disputeWonUnreturned, [sale], records: [dispute.id], "a dispute that was won, and no money came back")
  }

  func providerFeeDeviation() {
    let sale = sell()
    sale.payment.row.feeFixed += dice.pick([30, 55, -9])
    plant(.providerFeeDeviation, [sale], "a fee that is not the rate card's")
  }

  func settlementRowBroken() {
    let sale = sell()
    sale.payment.row.netOff = dice.pick([-37, 37, 500])
    plant(.settlementRowBroken, [sale], "a row whose net is not its gross less its fee")
  }

  func unknownRecordType() {
    let number = book.planted.count { $0.type == .unknownRecordType && $0.provider == account.name } + 1
    let word = dice.pick(["ADJUSTMENT", "REBATE", "LEVY"]) + "_\(number)"
    ledger.adjust(word, dice.number(50...900) * dice.pick([-1, 1]), at: dice.number(settled.bounds(plan)))
    plant(.unknownRecordType, [], "a row of an unknown type, \(word)")
  }

  /// A file that is made again says something else of the same row.
  func recordChanged() {
    let sale = sell()
    sale.payment.row.atTomorrow = sale.payment.at - 60
    plant(.recordChanged, [], mayName: [sale.order.id, sale.payment.id], night: 2, "a row that came back with another instant")
  }

  /// Captured before the first night's last cut-off, told in the second night's file.
  func lateRecord() {
    let sale = sell(.beforeEnd(26 * 3_600...40 * 3_600))
    sale.payment.row.toldAt = plan.endsAt + 3_600
    plant(.lateRecord, [], mayName: [sale.order.id, sale.payment.id], night: 2, "a capture that was told a batch late")
  }
}
