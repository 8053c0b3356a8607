/// Faults of refunds and disputes at Adyen.
extension AdyenStories {
  func missingRefund() {
    let sale = sell(terms(early))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    record(amount, of: sale, at: sale.at + dice.number(3_600...40_000), reference: dice.pick([nil, sale.payment.psp]))
    plant(.missingRefund, [sale], "a refund that the orders record and nobody made")
  }

  func unrecordedRefund() {
    let sale = sell(terms(early))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    let made = refund(sale, amount, at: later(sale), isRecorded: false)
    plant(.unrecordedRefund, [sale], records: [made.modification], "a refund that the orders do not record")
  }

  /// Some hours to a day after a sale.
  func later(_ sale: AdyenSale) -> Int64 {
    sale.at + dice.number(3_600...80_000)
  }

  func refundAmountMismatch() {
    let sale = sell(terms(early))
    let amount = part(sale, 20...60)
    let at = later(sale)
    let made = refund(sale, amount, at: at, isRecorded: false)
    let reference = dice.pick([made.modification, sale.payment.psp, nil])
    record(dice.chance(50) ? amount + 100 : amount - 60, of: sale, at: at, reference: reference)
    plant(.refundAmountMismatch, [sale], records: [made.modification], "a refund recorded with another amount than was paid")
  }

  func overRefunded() {
    let sale = sell(terms(early))
    let amounts = [part(sale, 55...70), part(sale, 71...90)]
    let made = amounts.enumerated().map { refund(sale, $1, at: sale.at + 7_200 + Int64($0) * 30_000).modification }
    plant(.overRefunded, [sale], records: made, "two refunds that together exceed the capture")
  }

  func refundFailed() {
    let sale = sell(terms(early))
    let made = refund(sale, dice.chance(50) ? sale.payment.captured : part(sale, 10...60), at: later(sale))
    ledger.fail(made, at: made.at + dice.number(1...2) * Season.day)
    plant(.refundFailed, [sale], records: [made.modification], "a refund that the customer's bank sent back")
  }

  func possibleDuplicateRefund() {
    let sale = sell(terms(early))
    let amount = part(sale, 15...45)
    let at = later(sale)
    let first = refund(sale, amount, at: at)
    let second = refund(sale, amount, at: at + dice.number(20...590), isRecorded: false)
    plant(
      .possibleDuplicateRefund, [sale], records: [first.modification, second.modification],
      "the same refund twice within minutes, one of them recorded")
  }

  /// Notified, done, and never booked.
  func unsettledRefund() {
    let sale = sell(terms(early))
    let made = refund(sale, part(sale, 20...80), at: sale.at + dice.number(600...3_000), settles: false)
    plant(.unsettledRefund, [sale], records: [made.modification], "a refund that no settlement holds")
  }

  /// A sale of a card, early enough to be disputed inside the range.
  private func disputable() -> AdyenSale {
    sell(terms(.beforeEnd(6 * 86_400...plan.days * 86_400 - 1_800), method: dice.pick([.visa, .mc])))
  }

  func disputeOpened() {
    let sale = disputable()
    let amount = dice.chance(70) ? sale.payment.captured : part(sale, 30...80)
    let dispute = ledger.chargeback(sale.payment, amount, at: later(sale))
    plant(.disputeOpened, [sale], records: [dispute], "a dispute that holds the money")
  }

  func disputeLost() {
    let sale = disputable()
    let (amount, at) = (sale.payment.captured, later(sale))
    let dispute = ledger.chargeback(sale.payment, amount, at: at)
    ledger.reverse(dispute, of: sale.payment, amount, at: at + Season.day)
    ledger.lose(dispute, of: sale.payment, amount, at: at + 2 * Season.day)
    plant(.disputeLost, [sale], records: [dispute], "a dispute that was won and then lost for good")
  }

  func disputeInquiry() {
    let sale = disputable()
    let inquiry = ledger.inquire(about: sale.payment, at: later(sale))
    plant(.disputeInquiry, [sale], records: [inquiry], "a question of the customer's bank")
  }

  func settlementOverdue() {
    let terms = terms(early, method: dice.pick([.visa, .mc]))
    let sale = authorise(terms, for: order(for: terms))
    let capture = ledger.capture(sale.payment, at: terms.at + 30, settles: false)
    plant(.settlementOverdue, [sale], records: [capture, sale.payment.psp], "a capture that no settlement holds")
  }

  /// The net says something else than gross, rate and fees.
  func settlementRowBroken() {
    let sale = sell(terms())
    sale.payment.row?.net += dice.pick([-13, 13, 250])
    plant(.settlementRowBroken, [sale], "a row whose net is not its gross less its fees")
  }

  /// Another night's file says something else of the same row.
  func recordChanged() {
    let sale = sell(terms())
    sale.payment.row?.createdAtTomorrow = sale.payment.row.map { $0.createdAt - 60 }
    plant(
      .recordChanged, [], mayName: [sale.order.id, sale.payment.psp], night: 2, "a row that came back with another instant")
  }
}
