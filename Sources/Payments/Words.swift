/// The values of `kind` in entries.csv (docs/contract.md section 5.6).
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

/// The parties of an entry, before the connected account is known by name (docs/fund-flows.md section 1).
package enum Role: String, Sendable, CaseIterable {
  case customer, platform, connected, provider, bank, other
}

/// The values of `fee_type` in fee_breakdown.csv.
package enum FeeType: String, Sendable, CaseIterable {
  case processing, application, interchange, scheme, markup, commission, tax, dispute, fx, payout, platform, other
}

/// The status of a payment, by the provider's newest report.
package enum PaymentStatus: String, Sendable { case succeeded, pending, failed }

/// The status of a checkout: `abandoned` if payment was never attempted, `started` if its approval was begun.
package enum IntentStatus: String, Sendable { case abandoned, started, processing, authorised, succeeded, canceled }

/// The status of a refund, by the provider's newest report.
package enum RefundStatus: String, Sendable { case succeeded, pending, failed, canceled }

/// The status of a dispute: an inquiry has moved no money.
package enum DisputeStatus: String, Sendable { case inquiry, open, won, lost, closed, prevented }

/// The values of `status` in orders.csv.
package enum OrderStatus: String, Sendable, CaseIterable {
  case pending, paid, fulfilled, cancelled, refunded
  case partiallyRefunded = "partially_refunded"
}

/// The kind of record behind a ledger row.
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
  /// Begun at checkout and not concluded; authorised; captured; a capture that was taken back; the uncaptured rest
  /// voided or lapsed; declined.
  case started, authorised, captured, released, declined
  case captureFailed = "capture_failed"
  /// A refund that is pending, completed, failed, canceled.
  case pending, succeeded, failed, canceled
  /// An inquiry without money, a dispute, and how it ended.
  case inquiry, opened, won, lost, closed
}

/// The source through which the provider reported it; where several report the same, money rows take precedence.
///
/// Restated: a money row whose date the provider has changed; where it was reported before, that report takes
/// precedence.
package enum EventFeed: String, Sendable { case settlement, webhook, restated, api }

/// The amounts that a settlement batch states about itself.
package enum BatchValueName: String, Sendable { case opening, closing, payout, activity }
