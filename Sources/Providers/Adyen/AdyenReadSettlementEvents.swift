import Payments

/// What a settlement row reports of a payment, a refund or a dispute, apart from its money
/// (docs/providers/adyen.md section 2.4).
extension AdyenReader {
  func addEvents(
    _ row: AdyenSettlementRow, _ rule: AdyenPostingRule, _ rowID: String, _ reference: String, _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    guard rule.isOfPayment, !row.pspReference.isEmpty else { return }
    try addReferences(
      of: row.pspReference,
      [
        ("psp_reference", row.pspReference), ("merchant_reference", row.merchantReference),
        ("merchant_order_reference", row.merchantOrderReference),
      ], origin, sink)
    guard let gross = row.gross, let (subject, state) = reported(row, rule) else { return }
    try sink.add(
      RecordEvent(
        provider: provider, account: account, subject: subject,
        recordID: subject == .payment ? row.pspReference : reference,
        paymentID: row.pspReference, eventID: reference, state: state, feed: .settlement,
        currency: gross.currency.code, amountMinor: abs(gross.minor), happenedAt: row.createdAt,
        method: row.paymentMethod.isEmpty ? nil : row.paymentMethod, detail: row.type,
        part: rule.story == .instalment ? rowID : "", origin: origin))
  }

  /// A movement against the usual direction of its type undoes it, and then reports no new event.
  private func reported(_ row: AdyenSettlementRow, _ rule: AdyenPostingRule) -> (EventSubject, EventState)? {
    let isIncoming = row.gross.map { $0.minor > 0 } ?? false
    return switch rule.story {
    case .capture, .instalment: isIncoming ? (.payment, .captured) : nil
    case .captureFailure: isIncoming ? nil : (.payment, .captureFailed)
    case .refund: isIncoming ? nil : (.refund, .succeeded)
    case .refundFailure: isIncoming ? (.refund, .failed) : nil
    case .disputed: isIncoming ? nil : (.dispute, .opened)
    case .disputeReturned: isIncoming ? (.dispute, .won) : nil
    case .disputeLost: isIncoming ? nil : (.dispute, .lost)
    case .none: nil
    }
  }
}
