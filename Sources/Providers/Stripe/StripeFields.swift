import JSON

/// What is kept of each object of Stripe's API before it is landed; everything else is dropped and counted in the
/// manifest.
///
/// Nothing here identifies a person: no names, e-mails, addresses, card digits, fingerprints or statement descriptors.
/// Expandable members keep their id in either form. Field names and meanings: docs/providers/stripe.md section 2.
struct StripeFields: Sendable {
  /// The keys of `metadata` that a rule reads: those in `order_reference`, `order_id`, `transfer_group`.
  let metadata: FieldSet

  /// The allow-lists for a configured `order_reference`.
  init(orderReference: [String]) {
    let named = orderReference.filter { $0.hasPrefix("metadata.") }.map { String($0.dropFirst("metadata.".count)) }
    metadata = .fields(Dictionary((named + ["order_id", "transfer_group"]).map { ($0, .all) }) { one, _ in one })
  }

  /// The allow-list of a stream's objects, without their sub-lists.
  func of(_ stream: StripeStream) -> FieldSet {
    switch stream {
    case .balanceTransactions, .payoutLines: Self.balanceTransaction
    case .charges: charge
    case .paymentIntents: paymentIntent
    case .refunds: refund
    case .applicationFees: applicationFee
    case .transfers: transfer
    case .disputes: dispute
    case .payouts: Self.payout
    case .balances: Self.balance
    case .account: ["id"]
    }
  }

  /// An expandable member: the id, or of the whole object only its id.
  private static let id: FieldSet = ["id"]

  /// The ledger row: amounts and fee lines become entries, `source` and `type` their kind, dates their days,
  /// `exchange_rate` the presentment; `description` is the only explanation of rows without a source.
  static let balanceTransaction: FieldSet = [
    "id": .all, "object": .all, "amount": .all, "fee": .all, "net": .all, "currency": .all, "exchange_rate": .all,
    "created": .all, "available_on": .all, "status": .all, "type": .all, "reporting_category": .all, "source": id,
    "description": .all, "balance_type": .all,
    "fee_details": ["amount": .all, "currency": .all, "type": .all, "application": .all, "description": .all],
  ]

  /// The same without its description: on a row with a source, that is the merchant's text about a customer or a
  /// seller.
  static let describedElsewhere: FieldSet = {
    guard case .fields(var fields) = balanceTransaction else { return balanceTransaction }
    fields["description"] = nil
    return .fields(fields)
  }()

  /// The payment: amounts and states are matched with orders, ids refer to ledger rows, transfer and fee,
  /// `transfer_data` and `application_fee_amount` are what was requested, `capture_before` is when an authorisation
  /// lapses.
  private var charge: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "amount_captured": .all, "amount_refunded": .all, "currency": .all,
      "created": .all, "captured": .all, "paid": .all, "status": .all, "refunded": .all, "disputed": .all,
      "balance_transaction": Self.id, "failure_balance_transaction": Self.id, "failure_code": .all,
      "application_fee": Self.id,
      "application_fee_amount": .all, "on_behalf_of": Self.id, "transfer": Self.id, "destination": Self.id,
      "transfer_data": ["amount": .all, "destination": Self.id], "transfer_group": .all, "source_transfer": Self.id,
      "payment_intent": Self.id, "payment_method_details": ["type": .all, "card": ["capture_before"]],
      "presentment_details": ["presentment_amount", "presentment_currency"], "metadata": metadata, "livemode": .all,
    ]
  }

  /// What was requested at checkout: state and dates for started and lapsed payments, the requested transfer and fee
  /// even when the charge lost them.
  private var paymentIntent: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "amount_received": .all, "amount_capturable": .all, "currency": .all,
      "created": .all, "status": .all, "canceled_at": .all, "cancellation_reason": .all, "application_fee_amount": .all,
      "latest_charge": Self.id, "on_behalf_of": Self.id, "transfer_data": ["amount": .all, "destination": Self.id],
      "transfer_group": .all, "capture_method": .all, "metadata": metadata, "livemode": .all,
    ]
  }

  /// The refund: state and reasons distinguish a pending, failed or expired one from money; ids refer to ledger rows
  /// and the reversal.
  private var refund: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "currency": .all, "created": .all, "status": .all, "charge": Self.id,
      "payment_intent": Self.id, "balance_transaction": Self.id, "failure_balance_transaction": Self.id,
      "failure_reason": .all,
      "pending_reason": .all, "reason": .all, "transfer_reversal": Self.id, "source_transfer_reversal": Self.id,
      "metadata": metadata,
    ]
  }

  /// The platform's commission: payer, payment and ledger row.
  private var applicationFee: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "amount_refunded": .all, "currency": .all, "created": .all,
      "account": Self.id,
      "charge": Self.id, "originating_transaction": Self.id, "balance_transaction": Self.id,
      "fee_source": ["type": .all, "charge": Self.id, "payout": Self.id], "refunded": .all, "livemode": .all,
    ]
  }

  /// The connected account's share: destination, linked payment, or the group and order of an unlinked one.
  private var transfer: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "amount_reversed": .all, "currency": .all, "created": .all,
      "destination": Self.id, "destination_payment": Self.id, "source_transaction": Self.id, "source_type": .all,
      "transfer_group": .all, "balance_transaction": Self.id, "reversed": .all, "metadata": metadata, "livemode": .all,
    ]
  }

  /// An element of a fee's or transfer's sub-list: the money that came back, its refund, its ledger row.
  var part: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "currency": .all, "created": .all, "fee": Self.id,
      "transfer": Self.id,
      "source_refund": Self.id, "destination_payment_refund": Self.id, "balance_transaction": Self.id,
      "metadata": metadata,
    ]
  }

  /// The dispute: state, reason and the deadline for an answer; its ledger rows come embedded.
  private var dispute: FieldSet {
    [
      "id": .all, "object": .all, "amount": .all, "currency": .all, "charge": Self.id, "payment_intent": Self.id,
      "created": .all,
      "reason": .all, "status": .all, "balance_transactions": Self.describedElsewhere, "is_charge_refundable": .all,
      "payment_method_details": ["type": .all, "card": ["case_type"]], "evidence_details": ["due_by"], "livemode": .all,
    ]
  }

  /// The payout: amount, dates and state, whether Stripe itemises it, the reference on the bank statement (`trace_id`),
  /// why it failed.
  private static let payout: FieldSet = [
    "id": .all, "object": .all, "amount": .all, "currency": .all, "created": .all, "arrival_date": .all,
    "automatic": .all,
    "status": .all, "balance_transaction": id, "failure_balance_transaction": id, "failure_code": .all,
    "original_payout": id,
    "reversed_by": id, "reconciliation_status": .all, "trace_id": ["status", "value"], "application_fee": id,
    "application_fee_amount": .all, "method": .all, "type": .all, "livemode": .all,
  ]

  /// What Stripe holds, per currency: the closing check.
  private static let balance: FieldSet = {
    let amounts: FieldSet = ["amount", "currency"]
    var fields: [String: FieldSet] = [
      "object": .all, "available": amounts, "pending": amounts, "connect_reserved": amounts, "livemode": .all,
    ]
    for other in StripeHolding.others { fields[other.rawValue] = ["available": amounts, "pending": amounts] }
    return .fields(fields)
  }()
}
