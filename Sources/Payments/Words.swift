/// The words of entries.csv `kind` (docs/contract.md section 5.6).
package enum EntryKind: String, Sendable, CaseIterable {
  case capture, refund, fee, transfer, dispute, payout, fx, reserve, adjustment, other
  case refundFailure = "refund_failure"
  case chargeFailure = "charge_failure"
  case transferReversal = "transfer_reversal"
  case applicationFee = "application_fee"
  case applicationFeeRefund = "application_fee_refund"
  case disputeReversal = "dispute_reversal"
  case payoutReversal = "payout_reversal"
}

/// Who an entry leaves and whom it reaches, before the connected account is known by name
/// (docs/fund-flows.md section 1).
package enum Role: String, Sendable, CaseIterable {
  case customer, platform, connected, provider, bank, other
}

/// The words of fee_breakdown.csv `fee_type`.
package enum FeeType: String, Sendable, CaseIterable {
  case processing, application, interchange, scheme, markup, commission, tax, dispute, fx, payout, platform, other
}

/// Where a payment stands by the provider's newest word.
package enum PaymentStatus: String, Sendable { case succeeded, pending, failed }

/// Where a checkout stands: `abandoned` is one that nobody tried to pay, `started` one whose approval was begun.
package enum IntentStatus: String, Sendable { case abandoned, started, processing, authorised, succeeded, canceled }

/// Where a refund stands by the provider's newest word.
package enum RefundStatus: String, Sendable { case succeeded, pending, failed, canceled }

/// Where a dispute stands: an inquiry has moved no money.
package enum DisputeStatus: String, Sendable { case inquiry, open, won, lost, closed, prevented }

/// The words of orders.csv `status`.
package enum OrderStatus: String, Sendable, CaseIterable {
  case pending, paid, fulfilled, cancelled, refunded
  case partiallyRefunded = "partially_refunded"
}

/// What kind of record is behind a ledger row.
package enum RecordKind: String, Sendable {
  case payment, refund, dispute, payout, transfer, other
  case transferReversal = "transfer_reversal"
  case applicationFee = "application_fee"
  case applicationFeeRefund = "application_fee_refund"
}

/// What an event is about.
package enum EventSubject: String, Sendable { case payment, refund, dispute }

/// What happened: of payments, of refunds, of disputes.
package enum EventState: String, Sendable {
  /// Begun at checkout and not concluded; authorised; captured; a capture that was taken back; the uncaptured rest void
  /// or lapsed; refused.
  case started, authorised, captured, released, declined
  case captureFailed = "capture_failed"
  /// A refund on its way, done, taken back, called off.
  case pending, succeeded, failed, canceled
  /// A question without money, a dispute, and how it ended.
  case inquiry, opened, won, lost, closed
}

/// Through what the provider reported it; where several report the same, the money rows' word goes first.
///
/// Restated: a money row that its provider has dated anew; where it was reported before, that word goes first.
package enum EventFeed: String, Sendable { case settlement, webhook, restated, api }

/// What a settlement batch states of itself.
package enum BatchValueName: String, Sendable { case opening, closing, payout, activity }
