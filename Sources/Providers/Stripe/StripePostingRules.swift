import Payments

/// Stripe's posting rules: the movement of a balance transaction
/// (docs/fund-flows.md section 2, docs/providers/stripe.md section 3.5).
enum StripePostingRules {
  /// The rule by `reporting_category`, then by `type`; `nil` when neither is known.
  ///
  /// - Parameter words: the row's description, read for fees only: the fee of an instant payout may be a row of its
  ///   own.
  static func of(category: String?, type: String, sourceID: String?, words: String? = nil) -> PostingRule? {
    let isOfPayout = sourceID?.hasPrefix("po_") == true || words?.lowercased().contains("instant payout") == true
    // A failed refund may come back as an adjustment, with or without a category that says so.
    if type == "adjustment", category == "other_adjustment", isRefund(sourceID) { return byCategory["refund_failure"] }
    if let category, let rule = byCategory[category] {
      return category == "fee" ? fee(type, isOfPayout: isOfPayout) : rule
    }
    if type == "adjustment" { return adjustment(sourceID) }
    guard let category = categoryOfType[type] else { return nil }
    return category == "fee" ? fee(type, isOfPayout: isOfPayout) : byCategory[category]
  }

  /// The type of Stripe's own fee on a row of that kind: instant payouts and disputes have fees of their own.
  static func ownFee(of rule: PostingRule) -> FeeType {
    switch rule.outgoing {
    case .dispute: .dispute
    case .payout, .payoutReversal: .payout
    default: .processing
    }
  }

  /// A row of an unknown type: kept in the balance.
  static let unknown = PostingRule(.other, .other)

  static func fee(_ type: String, isOfPayout: Bool = false) -> PostingRule {
    let feeType: FeeType =
      switch type {
      case "stripe_fee": isOfPayout ? .payout : .processing
      case "tax_fee": .tax
      case "stripe_fx_fee": .fx
      default: .other
      }
    return PostingRule(.provider, .fee, feeType: feeType)
  }

  /// Rows of API versions without a category: the source distinguishes a dispute from a failed refund.
  private static func adjustment(_ sourceID: String?) -> PostingRule? {
    guard let sourceID else { return byCategory["other_adjustment"] }
    if sourceID.hasPrefix("dp_") || sourceID.hasPrefix("du_") { return byCategory["dispute"] }
    if isRefund(sourceID) { return byCategory["refund_failure"] }
    return byCategory["other_adjustment"]
  }

  private static func isRefund(_ sourceID: String?) -> Bool {
    sourceID.map { $0.hasPrefix("re_") || $0.hasPrefix("pyr_") } ?? false
  }

  private static let reserve = PostingRule(.other, .reserve)
  private static let adjusted = PostingRule(.other, .adjustment)

  private static let byCategory: [String: PostingRule] = [
    "charge": .init(.customer, .capture),
    "refund": .init(.customer, in: .refundFailure, out: .refund),
    "partial_capture_reversal": .init(.customer, .capture),
    "refund_failure": .init(.customer, in: .refundFailure, out: .refund),
    "charge_failure": .init(.customer, .chargeFailure),
    "transfer": .init(.connected, in: .transferReversal, out: .transfer),
    "transfer_reversal": .init(.connected, in: .transferReversal, out: .transfer),
    "platform_earning": .init(.connected, in: .applicationFee, out: .applicationFeeRefund, feeType: .application),
    "platform_earning_refund": .init(
      .connected, in: .applicationFee, out: .applicationFeeRefund, feeType: .application),
    "dispute": .init(.customer, in: .disputeReversal, out: .dispute),
    "dispute_reversal": .init(.customer, in: .disputeReversal, out: .dispute),
    "fee": .init(.provider, .fee, feeType: .other),
    "tax": .init(.provider, .fee, feeType: .tax),
    "network_cost": .init(.provider, .fee, feeType: .interchange),
    "payout": .init(.bank, .payout),
    "payout_reversal": .init(.bank, .payoutReversal),
    "connect_reserved_funds": reserve, "risk_reserved_funds": reserve,
    "other_adjustment": adjusted, "connect_collection_transfer": adjusted,
    "topup": unknown, "topup_reversal": unknown, "unreconciled_customer_funds": unknown, "advance": unknown,
    "advance_funding": unknown,
    "anticipation_repayment": unknown, "contribution": unknown, "climate_order_purchase": unknown,
    "climate_order_refund": unknown,
    "financing_paydown": unknown, "financing_paydown_reversal": unknown, "financing_payout": unknown,
    "financing_payout_reversal": unknown,
    "issuing_authorization_hold": unknown, "issuing_authorization_release": unknown, "issuing_transaction": unknown,
    "issuing_dispute": unknown, "obligation": unknown, "payout_minimum_balance_hold": reserve,
    "payout_minimum_balance_release": reserve,
    "tax_fund": unknown, "fee_credit_funding": unknown, "inbound_transfer": unknown,
    "inbound_transfer_reversal": unknown,
    "stripe_balance_payment_debit": unknown, "stripe_balance_payment_debit_reversal": unknown,
  ]

  /// The category of each type, for rows that come without one (docs/providers/stripe.md section 3.5,
  /// reporting_category map).
  private static let categoryOfType: [String: String] = [
    "charge": "charge", "payment": "charge", "refund": "refund", "payment_refund": "refund",
    "refund_failure": "refund_failure",
    "payment_failure_refund": "charge_failure", "payment_reversal": "charge_failure", "transfer": "transfer",
    "transfer_refund": "transfer_reversal", "transfer_cancel": "transfer_reversal",
    "transfer_failure": "transfer_reversal",
    "application_fee": "platform_earning", "application_fee_refund": "platform_earning_refund", "stripe_fee": "fee",
    "stripe_fx_fee": "fee", "tax_fee": "tax", "payout": "payout", "payout_failure": "payout_reversal",
    "payout_cancel": "payout_reversal", "topup": "topup", "topup_reversal": "topup_reversal",
    "reserve_transaction": "connect_reserved_funds", "reserved_funds": "risk_reserved_funds",
    "reserve_hold": "risk_reserved_funds",
    "reserve_release": "risk_reserved_funds", "payment_network_reserve_hold": "risk_reserved_funds",
    "payment_network_reserve_release": "risk_reserved_funds",
    "connect_collection_transfer": "connect_collection_transfer",
    "payment_unreconciled": "unreconciled_customer_funds", "advance": "advance", "advance_funding": "advance_funding",
    "anticipation_repayment": "anticipation_repayment", "contribution": "contribution",
    "climate_order_purchase": "climate_order_purchase", "climate_order_refund": "climate_order_refund",
    "payout_minimum_balance_hold": "payout_minimum_balance_hold",
    "payout_minimum_balance_release": "payout_minimum_balance_release",
    "issuing_authorization_hold": "issuing_authorization_hold",
    "issuing_authorization_release": "issuing_authorization_release",
    "issuing_transaction": "issuing_transaction", "issuing_dispute": "issuing_dispute",
    "obligation_outbound": "obligation",
    "obligation_reversal_inbound": "obligation", "obligation_inbound": "obligation",
    "obligation_reversal_outbound": "obligation",
    "tax_fund": "tax_fund", "fee_credit_funding": "fee_credit_funding", "inbound_transfer": "inbound_transfer",
    "inbound_transfer_reversal": "inbound_transfer_reversal",
    "stripe_balance_payment_debit": "stripe_balance_payment_debit",
    "stripe_balance_payment_debit_reversal": "stripe_balance_payment_debit_reversal",
  ]
}
