/// A client of Cash App Pay while the stories of a market unfold: payments are made here, and rows are booked.
///
/// It knows Cash App's documented behaviour (docs/providers/cashapp.md section 3) and nothing of the program that is
/// tested with it.
final class CashAppLedger {
  /// What a capture costs: hundredths of a percent, and cents.
  static let basisPoints: Int64 = 260
  static let fixed: Int64 = 15
  static let merchants = ["MMI_acme_east", "MMI_acme_west"]

  var dice: SeededRandom
  private var made = 0
  private(set) var rows: [CashAppRow] = []
  private(set) var disputes: [CashAppDisputeState] = []

  init(dice: SeededRandom) {
    self.dice = dice
  }

  private func id(_ prefix: String) -> String {
    made += 1
    return "\(prefix)_\(String(made, radix: 36))\(dice.letters(16))"
  }

  /// A payment that is captured.
  func pay(_ amount: Int64, reference: String, at instant: Int64) -> CashAppPayment {
    let row = CashAppRow(
      "CAPTURE", at: instant, merchant: dice.pick(Self.merchants), gross: amount,
      feeVariable: Tender.share(amount, Self.basisPoints, of: 10_000), feeFixed: Self.fixed)
    row.paymentID = id("PWC")
    row.paymentReference = reference
    rows.append(row)
    return CashAppPayment(id: row.paymentID, reference: reference, merchant: row.merchant, captured: amount, row: row)
  }

  /// Gives money back; its fees are kept. Every third row leaves the payment's reference out.
  func refund(_ payment: CashAppPayment, _ amount: Int64, at instant: Int64) -> CashAppRow {
    let row = CashAppRow("REFUND", at: instant, merchant: payment.merchant, gross: -amount)
    row.paymentID = payment.id
    row.paymentReference = dice.chance(33) ? "" : payment.reference
    row.refundID = id("PWCR")
    row.refundReference = dice.chance(50) ? "" : "R-\(payment.reference)"
    rows.append(row)
    return row
  }

  /// The customer disputes: the money is withheld, with a fee.
  func dispute(_ payment: CashAppPayment, _ amount: Int64, at instant: Int64) -> CashAppDisputeState {
    let dispute = CashAppDisputeState(
      id: id("DSPT"), payment: payment, amount: amount, createdAt: instant, state: "RESPONSE_REQUIRED",
      changedAt: instant)
    withhold(dispute, -amount, fee: 1_500, at: instant)
    disputes.append(dispute)
    return dispute
  }

  /// How a dispute ends; `returned` comes back with the next settlement.
  func conclude(_ dispute: CashAppDisputeState, _ state: String, returned: Int64, at instant: Int64) {
    var concluded = dispute
    concluded.state = state
    concluded.changedAt = instant
    disputes.append(concluded)
    if returned > 0 { withhold(dispute, returned, fee: 0, at: instant) }
  }

  private func withhold(_ dispute: CashAppDisputeState, _ gross: Int64, fee: Int64, at instant: Int64) {
    let row = CashAppRow("CHARGEBACK", at: instant, merchant: dispute.payment.merchant, gross: gross, feeFixed: fee)
    row.paymentID = dispute.payment.id
    row.paymentReference = dispute.payment.reference
    row.disputeID = dispute.id
    rows.append(row)
  }

  /// A row of an unknown type.
  func adjust(_ type: String, _ amount: Int64, at instant: Int64) {
    rows.append(CashAppRow(type, at: instant, merchant: Self.merchants[0], gross: amount))
  }
}
