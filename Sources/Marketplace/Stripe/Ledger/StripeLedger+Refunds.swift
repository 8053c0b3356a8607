/// How refunds and disputes move money.
extension StripeLedger {
  /// How much of a transfer and of a commission a refund takes along.
  enum Share: Equatable {
    case nothing
    /// Its proportion, the refund that completes the charge taking the remainder.
    case proportional
    case exactly(Int64)
  }

  /// Refunds that much of a payment.
  @discardableResult
  func refund(
    _ payment: PaymentRecord, _ amount: Int64, at instant: Int64, reversing: Share = .nothing,
    returningFee: Share = .nothing,
    rate: Int64? = nil
  ) -> RefundRecord {
    let refund = makeRefund(amount, of: payment.charge, at: instant)
    var tender = payment.tender
    if let rate { tender.rate = rate }
    let type = payment.charge.method.isCard ? "refund" : "payment_refund"
    let row = book(type, "refund", source: refund.id, -tender.settled(amount), tender.settlement, at: instant + 1)
    row.rate = tender.rateText
    refund.row = row.id
    payment.charge.amountRefunded += amount
    if let transfer = payment.transfers.first {
      let back = part(reversing, of: transfer.amount, already: transfer.reversed, for: amount, payment)
      if back > 0 { refund.reversal = reverse(transfer, back, at: instant + 2, refund: refund.id).id }
    }
    if let fee = payment.fee {
      let back = part(returningFee, of: fee.amount, already: fee.refunded, for: amount, payment)
      if back > 0 { giveBack(fee, back, at: instant + 3) }
    }
    return refund
  }

  private func part(
    _ share: Share, of whole: Int64, already: Int64, for amount: Int64, _ payment: PaymentRecord
  ) -> Int64 {
    switch share {
    case .nothing: return 0
    case .exactly(let exact): return exact
    case .proportional:
      let isLast = payment.charge.amountRefunded >= payment.charge.amount
      return isLast ? whole - already : Tender.share(whole, amount, of: payment.captured)
    }
  }

  /// A refund that waits: no row, no money.
  func pend(_ payment: PaymentRecord, _ amount: Int64, at instant: Int64) -> RefundRecord {
    let refund = makeRefund(amount, of: payment.charge, at: instant)
    refund.status = "pending"
    refund.pendingReason = "insufficient_funds"
    payment.charge.amountRefunded += amount
    return refund
  }

  /// A waiting refund goes through after all.
  func conclude(_ refund: RefundRecord, of payment: PaymentRecord, at instant: Int64) {
    refund.status = "succeeded"
    refund.pendingReason = nil
    let type = payment.charge.method.isCard ? "refund" : "payment_refund"
    let tender = payment.tender
    refund.row =
      book(type, "refund", source: refund.id, -tender.settled(refund.amount), tender.settlement, at: instant).id
  }

  /// The bank sends a refund back: the money is with the platform again, a reversal stands.
  func failRefund(_ refund: RefundRecord, of payment: PaymentRecord, at instant: Int64) {
    let isCard = payment.charge.method.isCard
    refund.status = "failed"
    refund.failureReason = "lost_or_stolen_card"
    refund.failureRow =
      book(
        isCard ? "refund_failure" : "payment_refund", isCard ? "refund_failure" : "refund", source: refund.id,
        payment.tender.settled(refund.amount), payment.tender.settlement, at: instant
      ).id
    payment.charge.amountRefunded -= refund.amount
  }

  /// A dispute that takes the payment, or a part of it, and a fee.
  func dispute(_ payment: PaymentRecord, _ amount: Int64? = nil, status: String, at instant: Int64) -> DisputeRecord {
    let dispute = makeDispute(amount ?? payment.captured, of: payment.charge, status: status, at: instant)
    payment.charge.isDisputed = true
    dispute.rows.append(disputeRow(dispute, payment, won: false, feeReturned: false, at: instant + 1))
    return dispute
  }

  /// A dispute that is won: the money comes back, the fee perhaps.
  func win(_ dispute: DisputeRecord, of payment: PaymentRecord, feeReturned: Bool, at instant: Int64) {
    dispute.status = "won"
    dispute.rows.append(disputeRow(dispute, payment, won: true, feeReturned: feeReturned, at: instant))
  }

  private func disputeRow(
    _ dispute: DisputeRecord, _ payment: PaymentRecord, won: Bool, feeReturned: Bool, at instant: Int64
  ) -> RowRecord {
    let tender = payment.tender
    let amount = tender.settled(dispute.amount)
    let fee: Int64 = tender.settlement == "jpy" || tender.settlement == "kwd" ? 1_000 : 1_500
    let row = book(
      "adjustment", won ? "dispute_reversal" : "dispute", source: dispute.id, won ? amount : -amount, tender.settlement,
      at: instant, fee: won ? (feeReturned ? -fee : 0) : fee)
    row.description = won ? "Chargeback reversal for \(payment.id)" : "Chargeback withdrawal for \(payment.id)"
    row.parts = row.parts.map { ($0.type, $0.amount, won ? "Dispute fee refund" : "Dispute fee") }
    return row
  }
}
