/// Faults that PayPal shows in its own way.
extension PayPalStories {
  func plantFault(_ type: FaultType) {
    switch type {
    case .missingPayment where dice.chance(40): voidedAuthorisation()
    case .authorisationUncaptured: authorisationUncaptured()
    case .refundFailed: refundFailed()
    case .refundPending: refundPending()
    case .providerFeeDeviation: providerFeeDeviation()
    case .disputeOpened: disputeOpened()
    case .disputeLost: disputeLost()
    case .disputeWonUnreturned: disputeWonUnreturned()
    case .disputeInquiry: disputeInquiry()
    case .unknownRecordType: unknownRecordType()
    case .recordChanged: recordChanged()
    case .lateRecord: lateRecord()
    case .balanceMismatch: balanceMismatch()
    default: _ = tellShared(type)
    }
  }

  private func voidedAuthorisation() {
    let terms = terms(seasonOfMissing)
    let order = order(for: terms)
    order.provider = account.name
    let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
    void(made, at: terms.at + dice.number(7_200...20_000))
    plant(.missingPayment, [], orders: [order], mayName: [made.id], "a paid order whose authorisation was voided")
  }

  func void(_ authorisation: PayPalAuthorisation, at instant: Int64) {
    authorisation.status = "VOIDED"
    authorisation.updatedAt = instant
    authorisation.row.status = "V"
    authorisation.row.at = instant
  }

  private func authorisationUncaptured() {
    let isExpiring = dice.chance(40)
    let terms = terms(.beforeEnd(isExpiring ? 2 * 86_400...6 * 86_400 : 8 * 86_400...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
    if isExpiring { made.lapsesAt = plan.endsAt + dice.number(7_200...80_000) }
    book.plant(
      .authorisationUncaptured, of: account.name, orders: [order], payments: [made.id], resolved: isExpiring ? 2 : nil,
      isExpiring
        ? "an authorisation of a paid order that lapses within a day"
        : "an authorisation of a paid order, eight days old")
    guard isExpiring else { return }
    book.tomorrow { [self] in _ = capture(made, made.amount, at: plan.endsAt + 1_500) }
  }

  private func refundFailed() {
    let (sale, refund) = pendingRefund(.early, after: 3_600...40_000)
    refund.status = "FAILED"
    refund.updatedAt = refund.at + dice.number(1...2) * Season.day
    refund.row.status = "D"
    refund.row.at = refund.updatedAt
    plant(.refundFailed, [sale], records: [refund.id], "a refund that the customer's bank sent back")
  }

  private func refundPending() {
    let (sale, refund) = pendingRefund(.early, after: 600...7_000)
    plant(.refundPending, [sale], records: [refund.id], "a refund by bank transfer that has waited for days")
  }

  /// A pending refund that the orders contain.
  func pendingRefund(_ season: Season, after seconds: ClosedRange<Int64>) -> (DirectSale, PayPalRefund) {
    let sale = sell(terms(season, currency: dice.pick(["usd", "eur"])))
    let capture =
      captures[sale.payment.id] ?? PayPalCapture("", at: 0, order: "", 0, "usd", fee: 0, names: PayPalNames(), night: 1)
    let refund = ledger.refund(part(sale, 20...90), of: capture, at: capture.at + dice.number(seconds), status: "P")
    record(refund.amount, of: sale, at: refund.at, reference: reference(to: refund.id, of: sale))
    return (sale, refund)
  }

  private func providerFeeDeviation() {
    let sale = sell(terms(currency: dice.pick(["usd", "eur"])))
    guard let capture = captures[sale.payment.id], let row = capture.rows.first else { return }
    capture.fee += max(8, capture.amount / 200)
    row.fee = -capture.fee
    plant(.providerFeeDeviation, [sale], records: [row.id], "a fee above the rate card")
  }

  private func unknownRecordType() {
    // Each of a code of its own: rows of one unknown code have one cause.
    let number = book.planted.count { $0.type == .unknownRecordType && $0.provider == account.name } + 10
    let row = ledger.book("T4\(number)0", dice.number(50...900) * dice.pick([-1, 1]), "usd", at: instant(.middle))
    plant(.unknownRecordType, [], records: [row.id, row.code], "a row of a code that no list has")
  }

  private func recordChanged() {
    let sale = sell(terms(.beforeEnd(600...1_500), currency: "usd"))
    guard let row = captures[sale.payment.id]?.rows.first else { return }
    row.correction = -1
    book.tomorrow {
      row.fee = (row.fee ?? 0) + row.correction
      row.correction = 0
    }
    plant(
      .recordChanged, [], records: [row.id], mayName: [sale.order.id, sale.payment.id], night: 2,
      "a row that came back with another fee")
  }

  private func lateRecord() {
    let terms = terms(.beforeEnd(600...1_500), currency: "usd")
    let order = order(for: terms)
    ledger.night = 2
    let sale = sell(terms, for: order, link: .name)
    ledger.night = night
    plant(
      .lateRecord, [], records: [sale.payment.id], mayName: [order.id, sale.payment.id], night: 2,
      "a sale that was visible a night late")
  }

  private func balanceMismatch() {
    misstatement = 777
    plant(.balanceMismatch, [], records: ["usd"], night: 2, "a stated balance that no row explains")
  }
}
