/// Disputes at PayPal: holds, claims, chargebacks and their fees.
extension PayPalStories {
  /// A sale early enough to be disputed inside the range.
  private func disputed() -> (DirectSale, PayPalDispute) {
    let sale = sell(terms(currency: dice.pick(["usd", "eur"])))
    let capture =
      captures[sale.payment.id] ?? PayPalCapture("", at: 0, order: "", 0, "usd", fee: 0, names: PayPalNames(), night: 1)
    return (sale, ledger.dispute(capture, at: capture.at + dice.number(30_000...90_000)))
  }

  private func move(_ dispute: PayPalDispute, _ code: String, _ amount: Int64, after seconds: Int64) {
    ledger.book(code, amount, dispute.capture.currency, at: dispute.at + seconds, about: dispute.capture.id)
  }

  private func resolve(_ dispute: PayPalDispute, _ outcome: String, after seconds: Int64) {
    (dispute.status, dispute.state, dispute.outcome) = ("RESOLVED", "RESOLVED", outcome)
    dispute.updatedAt = dispute.at + seconds
  }

  func disputeOpened() {
    let (sale, dispute) = disputed()
    move(dispute, dice.pick(["T1110", "T1201"]), -dispute.amount, after: 20)
    if dice.chance(40) { dispute.status = "UNDER_REVIEW" }
    plant(.disputeOpened, [sale], records: [dispute.id], "a claim that holds the money")
  }

  /// The hold is released and the money taken for good, or a chargeback stands; PayPal keeps a fee for either.
  func disputeLost() {
    let (sale, dispute) = disputed()
    if dice.chance(50) {
      move(dispute, "T1110", -dispute.amount, after: 20)
      move(dispute, "T1111", dispute.amount, after: 40_000)
      move(dispute, "T1106", -dispute.amount, after: 40_001)
    } else {
      move(dispute, "T1201", -dispute.amount, after: 20)
    }
    move(dispute, "T0106", -2_000, after: 40_002)
    resolve(dispute, "RESOLVED_BUYER_FAVOUR", after: 40_000)
    plant(.disputeLost, [sale], records: [dispute.id], "a claim that was lost")
  }

  func disputeWonUnreturned() {
    let (sale, dispute) = disputed()
    move(dispute, "T1201", -dispute.amount, after: 20)
    resolve(dispute, "RESOLVED_SELLER_FAVOUR", after: 40_000)
    plant(.disputeWonUnreturned, [sale], records: [dispute.id], "a chargeback that was won, and no money came back")
  }

  func disputeInquiry() {
    let (sale, dispute) = disputed()
    dispute.stage = "INQUIRY"
    plant(.disputeInquiry, [sale], records: [dispute.id], "a question of the buyer's; no money moved")
  }

  func wonAndReturned() {
    let (sale, dispute) = disputed()
    let isChargeback = dice.chance(50)
    move(dispute, isChargeback ? "T1201" : "T1110", -dispute.amount, after: 20)
    if isChargeback { move(dispute, "T0106", -2_000, after: 21) }
    move(dispute, isChargeback ? "T1202" : "T1111", dispute.amount, after: 40_000)
    if isChargeback { move(dispute, "T1108", 2_000, after: 40_001) }
    resolve(dispute, "RESOLVED_SELLER_FAVOUR", after: 40_000)
    note([.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale], "a dispute that was won and given back")
  }

  func closedInquiry() {
    let (sale, dispute) = disputed()
    dispute.stage = "INQUIRY"
    resolve(dispute, "CANCELED_BY_BUYER", after: 9_000)
    note([.disputeInquiry], [sale], "a question that the buyer withdrew")
  }
}
