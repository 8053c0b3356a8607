/// Faults that can be planted at Cash App beside those of every direct account.
extension CashAppStories {
  var types: [FaultType] {
    [
      .missingPayment, .missingOrder, .amountMismatch, .currencyMismatch, .duplicatePayment, .ambiguousMatch,
      .capturedAfterCancel,
      .missingRefund, .unrecordedRefund, .refundAmountMismatch, .overRefunded, .possibleDuplicateRefund, .disputeOpened,
      .disputeLost,
      .disputeWonUnreturned, .providerFeeDeviation, .settlementRowBroken, .unknownRecordType, .batchOutOfBalance,
      .recordChanged,
    ]
  }

  func room(for type: FaultType) -> Int? {
    type == .batchOutOfBalance ? 2 : nil
  }

  /// Faults of balance summaries are planted when the batches are made.
  func plantFault(_ type: FaultType) {
    switch type {
    case .disputeOpened: disputeOpened()
    case .disputeLost: concluded(.disputeLost, dice.pick(["LOST", "ACCEPTED"]), "a dispute that was lost")
    case .disputeWonUnreturned:
      concluded(.disputeWonUnreturned, "WON", "a dispute that was won, and no money came back")
    case .providerFeeDeviation: providerFeeDeviation()
    case .settlementRowBroken: settlementRowBroken()
    case .unknownRecordType: unknownRecordType()
    case .recordChanged: recordChanged()
    default: _ = tellShared(type)
    }
  }

  private func disputeOpened() {
    let sale = sell(terms())
    let dispute = dispute(sale, dice.chance(70) ? nil : part(sale, 30...80))
    plant(.disputeOpened, [sale], records: [dispute?.id ?? ""], "a dispute that holds the money")
  }

  private func concluded(_ type: FaultType, _ state: String, _ story: String) {
    let sale = sell(terms(seasonOfRefunds))
    guard let dispute = dispute(sale) else { return }
    ledger.conclude(dispute, state, returned: 0, at: dispute.createdAt + 2 * Season.day)
    plant(type, [sale], records: [dispute.id], story)
  }

  private func providerFeeDeviation() {
    let sale = sell(terms())
    row(sale)?.feeFixed += dice.pick([30, 55, -9])
    plant(.providerFeeDeviation, [sale], "a fee that is not the rate card's")
  }

  private func settlementRowBroken() {
    let sale = sell(terms())
    row(sale)?.netOff = dice.pick([-37, 37, 500])
    plant(.settlementRowBroken, [sale], "a row whose net is not its gross less its fee")
  }

  private func unknownRecordType() {
    // Each of a kind of its own: rows of one unknown type have one cause.
    let number = book.planted.count { $0.type == .unknownRecordType && $0.provider == account.name } + 1
    let word = dice.pick(["ADJUSTMENT", "REBATE", "LEVY"]) + "_\(number)"
    ledger.adjust(word, dice.number(50...900) * dice.pick([-1, 1]), at: instant(seasonOfSales))
    plant(.unknownRecordType, [], "a row of an unknown type, \(word)")
  }

  /// A file that is generated again states something else for the same row.
  private func recordChanged() {
    let sale = sell(terms())
    row(sale)?.atTomorrow = sale.payment.at - 60
    plant(
      .recordChanged, [], mayName: [sale.order.id, sale.payment.id], night: 2,
      "a row that came back with another instant")
  }
}
