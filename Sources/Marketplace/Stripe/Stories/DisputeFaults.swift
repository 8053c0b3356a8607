/// Disputes, and what goes wrong on the way to the bank.
extension StripeStories {
  /// A sale early enough to be disputed inside the range.
  private func disputed(_ status: String) -> (Sale, DisputeRecord) {
    let sale = sell(terms(.middle, method: .card))
    return (sale, ledger.dispute(sale.payment, status: status, at: sale.terms.at + dice.number(40_000...120_000)))
  }

  func disputeOpened() {
    if dice.chance(30) { return twoDisputesOpened() }
    let (sale, dispute) = disputed(dice.pick(["needs_response", "under_review"]))
    plant(.disputeOpened, [sale], records: [dispute.id], "a dispute that holds the money")
  }

  /// Two disputes of one payment are one finding.
  private func twoDisputesOpened() {
    let sale = sell(terms(.middle, method: .card))
    let first = part(sale, 30...50)
    let at = sale.terms.at + dice.number(40_000...100_000)
    let disputes = [first, sale.payment.captured - first].map {
      ledger.dispute(sale.payment, $0, status: "needs_response", at: at + $0 % 600)
    }
    plant(.disputeOpened, [sale], records: disputes.map(\.id), "two disputes that share the payment")
  }

  func disputeLost() {
    let (sale, dispute) = disputed("lost")
    if let transfer = sale.payment.transfers.first, sale.terms.split.isDestination, dice.chance(50) {
      ledger.reverse(transfer, transfer.amount, at: dispute.created + 9_000)
    }
    plant(.disputeLost, [sale], records: [dispute.id], "a dispute that was lost")
  }

  func disputeWonUnreturned() {
    let (sale, dispute) = disputed("won")
    plant(.disputeWonUnreturned, [sale], records: [dispute.id], "a dispute that was won, and no money came back")
  }

  func disputeInquiry() {
    let sale = sell(terms(.middle, method: .card))
    let dispute = inquiry(about: sale, status: dice.pick(["warning_needs_response", "warning_under_review"]))
    plant(.disputeInquiry, [sale], records: [dispute.id], "an inquiry of the customer's bank")
  }

  /// An inquiry moves no money.
  func inquiry(about sale: Sale, status: String) -> DisputeRecord {
    let dispute = ledger.makeDispute(
      sale.payment.captured, of: sale.payment.charge, status: status, at: sale.terms.at + dice.number(40_000...120_000))
    dispute.caseType = "inquiry"
    return dispute
  }

  func settlementOverdue() {
    let sale = sell(terms(.early))
    sale.payment.row?.isKeptBack = true
    plant(.settlementOverdue, [sale], records: sale.payment.row.map { [$0.id] } ?? [], "a capture that no payout pays")
  }

  func plantPayoutFailed(_ payout: PayoutRecord) {
    ledger.fail(payout, at: payout.created + 6 * Season.hour)
    plant(.payoutFailed, [], records: [payout.id], "a payout that the bank sent back")
  }

  /// A payout of another amount than its rows, or one that lacks a row; never a capture's, which would be overdue as
  /// well.
  func plantPayoutMismatch(_ payout: PayoutRecord) {
    let kinds = Dictionary(
      uniqueKeysWithValues: ledger.rows.lazy.filter { $0.payout == payout.id }.map { ($0.id, $0.type) })
    if let dropped = payout.lines.firstIndex(where: { kinds[$0] == "transfer" }), dice.chance(50) {
      payout.lines.remove(at: dropped)
    } else {
      payout.amount -= 100
      payout.row?.amount = -payout.amount
    }
    plant(.payoutMismatch, [], records: [payout.id], "a payout that its rows do not add up to")
  }

  func recordChanged() {
    let sale = sell(terms(.beforeEnd(600...1_500), split: [.platform, .full, .applicationFee]))
    guard let row = sale.payment.row else { return }
    let isMoved = dice.chance(50)
    tomorrow { isMoved ? (row.created -= 30) : (row.availableOn += Season.day) }
    plant(
      .recordChanged, [], records: [row.id], mayName: [sale.order.id, sale.payment.id], night: 2,
      isMoved ? "a ledger row that came back with another instant" : "a ledger row that becomes available a day later")
  }

  func lateRecord() {
    if dice.chance(40) { return lateRefund() }
    let terms = terms(.beforeEnd(600...1_500), method: .card, split: [.platform])
    let order = order(for: terms)
    ledger.night = 2
    let sale = sell(terms, for: order, link: .metadata)
    ledger.night = night
    let row = sale.payment.row?.id ?? ""
    plant(
      .lateRecord, [], records: [row], mayName: [order.id, sale.payment.id], night: 2,
      "a capture that was visible a night late")
  }

  private func lateRefund() {
    let sale = sell(refundableTerms(.early, split: [.platform]))
    let at = instant(.beforeEnd(600...1_500))
    let amount = part(sale, 20...60)
    record(amount, of: sale, at: at)
    tomorrow { [self] in
      let made = ledger.refund(sale.payment, amount, at: at)
      plant(
        .lateRecord, [], records: [made.row ?? "", made.id], mayName: [sale.order.id, sale.payment.id], night: 2,
        "a refund that was visible a night late")
    }
  }

  func balanceMismatch() {
    let currency = "usd"
    misstatements[currency] = 777
    plant(.balanceMismatch, [], night: 2, "a stated balance that no row explains")
  }
}
