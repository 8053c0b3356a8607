/// Faults that Afterpay shows in its own way: between its API and its settlement files above all.
extension AfterpayStories {
  func plantFault(_ type: FaultType) {
    switch type {
    case .missingPayment where dice.chance(50): lapsedAuthorisation()
    case .authorisationUncaptured: authorisationUncaptured()
    case .disputeOpened:
      dispute(.disputeOpened, dice.pick(["needs_response", "under_review"]), "a dispute that awaits an answer")
    case .disputeLost: dispute(.disputeLost, "lost", "a dispute that was lost")
    case .settlementOverdue: settlementOverdue()
    case .unsettledRefund: unsettledRefund()
    case .orphanSettlement: orphanSettlement()
    case .settlementRowBroken: settlementRowBroken()
    case .providerFeeDeviation: providerFeeDeviation()
    case .unknownRecordType: unknownRecordType()
    case .recordChanged: recordChanged()
    case .lateRecord: lateRecord()
    default: _ = tellShared(type)
    }
  }

  private func lapsedAuthorisation() {
    let terms = terms(seasonOfMissing)
    let order = order(for: terms)
    order.provider = account.name
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    made.events[0].expiresAt = terms.at + 36 * Season.hour
    ledger.void(made, at: terms.at + dice.number(7_200...20_000), type: dice.pick(["VOIDED", "EXPIRED"]))
    plant(.missingPayment, [], orders: [order], mayName: [made.id], "a paid order whose authorisation was released")
  }

  private func authorisationUncaptured() {
    let isExpiring = dice.chance(40)
    let terms = terms(.beforeEnd(isExpiring ? 2 * 86_400...6 * 86_400 : 8 * 86_400...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    if isExpiring { made.events[0].expiresAt = plan.endsAt + dice.number(7_200...80_000) }
    book.plant(
      .authorisationUncaptured, of: account.name, orders: [order], payments: [made.id], resolved: isExpiring ? 2 : nil,
      isExpiring
        ? "an authorisation of a paid order that lapses within a day"
        : "an authorisation of a paid order, eight days old")
    guard isExpiring else { return }
    book.tomorrow { [self] in ledger.capture(made.amount, of: made, at: plan.endsAt + 1_500) }
  }

  private func dispute(_ type: FaultType, _ status: String, _ story: String) {
    let sale = sell(terms())
    plant(type, [sale], records: [dispute(sale, status)], story)
  }

  /// - Returns: the dispute's id.
  func dispute(_ sale: DirectSale, _ status: String) -> String {
    let at = sale.payment.at + dice.number(30_000...90_000)
    let isClosed = status == "won" || status == "lost"
    let dispute = AfterpayDisputeRecord(
      id: "dp_\(ledger.id())", token: records[sale.payment.id]?.token ?? "", order: sale.payment.id, at: at,
      updatedAt: isClosed ? at + 40_000 : at, amount: sale.payment.captured, status: status,
      closing: isClosed ? (status == "won" ? "evidence_accepted" : "deadline_expired") : nil, night: night)
    ledger.disputes.append(dispute)
    return dispute.id
  }

  private func settlementOverdue() {
    let terms = terms(.early)
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at).isLost = true
    let sale = DirectSale(order: order, payment: payment(made, captured: terms.amount))
    plant(.settlementOverdue, [sale], "a capture that no settlement file holds")
  }

  private func unsettledRefund() {
    let sale = sell(terms(.early))
    guard let made = records[sale.payment.id] else { return }
    // Early enough that five days have passed by the range's end.
    let (refund, row) = ledger.refund(part(sale, 20...90), of: made, at: sale.payment.at + dice.number(600...7_000))
    row.isLost = true
    record(refund.amount, of: sale, at: refund.at, reference: refund.id)
    plant(.unsettledRefund, [sale], records: [refund.id], "a refund that no settlement file holds")
  }

  /// A row of a payment that the API does not know; some name an order that is there.
  private func orphanSettlement() {
    let terms = terms()
    let order = dice.chance(40) ? order(for: terms) : nil
    let stranger = AfterpayPaymentRecord(
      id: ledger.id(), token: "", at: terms.at, amount: terms.amount, reference: order?.id ?? "chk_\(dice.letters(12))",
      night: night)
    ledger.settle("Order", terms.amount, of: stranger, on: terms.at)
    book.plant(
      .orphanSettlement, of: account.name, orders: order.map { [$0] } ?? [], payments: [stranger.id],
      "a settlement row of a payment that the API does not know")
  }

  private func settlementRowBroken() {
    let (sale, row) = settled()
    row.net -= dice.number(20...300) * 10_000 * dice.pick([-1, 1])
    plant(.settlementRowBroken, [sale], "a settlement row whose net is not its amount less its fee")
  }

  private func providerFeeDeviation() {
    let (sale, row) = settled()
    let more = dice.number(20...300) * 10_000 * dice.pick([-1, 1])
    row.fee += more
    row.net -= more
    plant(.providerFeeDeviation, [sale], "a fee that is not the rate card's")
  }

  /// A sale and the row that settles it.
  func settled() -> (DirectSale, AfterpaySettledRecord) {
    let terms = terms()
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    let row = ledger.capture(terms.amount, of: made, at: terms.at)
    return (DirectSale(order: order, payment: payment(made, captured: terms.amount)), row)
  }

  private func unknownRecordType() {
    let sale = sell(terms())
    guard let made = records[sale.payment.id] else { return }
    // Each of a kind of its own: rows of one unknown type have one cause.
    let number = book.planted.count { $0.type == .unknownRecordType && $0.provider == account.name } + 1
    let word = "Levy-\(number)"
    ledger.settle(word, -dice.number(50...900), of: made, on: sale.payment.at)
    plant(
      .unknownRecordType, [], records: [word, made.id], mayName: [sale.order.id, made.id],
      "a settlement row of a type nobody described")
  }

  private func recordChanged() {
    let terms = terms(.beforeEnd(600...1_500))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at - 90, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at)
    book.tomorrow { made.events.last?.at -= 30 }
    plant(
      .recordChanged, [], records: [made.id], mayName: [order.id, made.id], night: 2,
      "a capture that came back with another instant")
  }

  private func lateRecord() {
    let terms = terms(.beforeEnd(600...1_500))
    let order = order(for: terms)
    ledger.night = 2
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at)
    ledger.night = night
    plant(
      .lateRecord, [], records: [made.id], mayName: [order.id, made.id], night: 2,
      "a payment that was visible a night late")
  }
}
