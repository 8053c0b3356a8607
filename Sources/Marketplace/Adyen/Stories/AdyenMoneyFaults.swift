/// Faults of disputes and of single settlement rows.
extension AdyenStories {
  /// A sale by card, early enough to be disputed inside the range.
  private func disputable() -> DirectSale {
    sell(terms(.beforeEnd(6 * 86_400...plan.days * 86_400 - 1_800)), by: dice.pick([.visa, .mc]))
  }

  func disputeOpened() {
    let sale = disputable()
    let amount = dice.chance(70) ? sale.payment.captured : part(sale, 30...80)
    let dispute = ledger.chargeback(adyen(sale.payment), amount, at: later(sale))
    plant(.disputeOpened, [sale], records: [dispute], "a dispute that holds the money")
  }

  func disputeLost() {
    let sale = disputable()
    let (payment, amount, at) = (adyen(sale.payment), sale.payment.captured, later(sale))
    let dispute = ledger.chargeback(payment, amount, at: at)
    ledger.reverse(dispute, of: payment, amount, at: at + Season.day)
    ledger.lose(dispute, of: payment, amount, at: at + 2 * Season.day)
    plant(.disputeLost, [sale], records: [dispute], "a dispute that was won and then lost for good")
  }

  func disputeInquiry() {
    let sale = disputable()
    let inquiry = ledger.inquire(about: adyen(sale.payment), at: later(sale))
    plant(.disputeInquiry, [sale], records: [inquiry], "a question of the customer's bank")
  }

  /// The net contradicts gross, rate and fees.
  func settlementRowBroken() {
    let sale = sell(terms())
    adyen(sale.payment).row?.net += dice.pick([-13, 13, 250])
    plant(.settlementRowBroken, [sale], "a row whose net is not its gross less its fees")
  }

  /// Another night's file states something else for the same row.
  func recordChanged() {
    let sale = sell(terms())
    adyen(sale.payment).row?.isBookedOtherwiseTomorrow = true
    plant(
      .recordChanged, [], mayName: [sale.order.id, sale.payment.id], night: 2,
      "a row that came back with another instant")
  }
}
