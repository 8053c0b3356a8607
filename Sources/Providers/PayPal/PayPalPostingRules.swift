import Payments

/// PayPal's posting rules: the movement of a row of the report (docs/fund-flows.md section 4).
enum PayPalPostingRules {
  /// The rule of a row; `refers`: whether the row names the payment it is about.
  static func of(_ meaning: PayPalEventCode.Meaning, code: String, isIncoming: Bool, refers: Bool) -> PostingRule {
    switch meaning {
    case .payment: isIncoming ? PostingRule(.customer, .capture) : other
    case .refund: PostingRule(.customer, in: .refundFailure, out: .refund)
    case .dispute: PostingRule(.customer, in: .disputeReversal, out: .dispute)
    case .disputeFee: PostingRule(.provider, .fee, feeType: .dispute)
    case .platformFee: PostingRule(.other, .fee, feeType: .platform)
    case .paymentFee: PostingRule(.provider, .fee, feeType: .processing)
    case .fee: PostingRule(.provider, .fee, feeType: .other)
    case .conversion: PostingRule(.other, .fx)
    case .funding: PostingRule(.bank, .other)
    case .payout: PostingRule(.bank, in: .payoutReversal, out: .payout)
    case .otherPayout: PostingRule(.other, in: .payoutReversal, out: .payout)
    case .hold: PostingRule(.other, .reserve)
    case .reversal: !isIncoming && refers ? PostingRule(.customer, .chargeFailure) : adjustment
    case .adjustment: adjustment
    case .authorisation, .display, .other: code == "T1104" ? PostingRule(.bank, .other) : other
    }
  }

  /// The type of `fee_amount` on a row: for a partner's share, it is a fee for the payment.
  static func ownFee(of rule: PostingRule) -> FeeType {
    if rule.outgoing == .dispute { return .dispute }
    return rule.feeType == .platform ? .processing : rule.feeType ?? .processing
  }

  private static let other = PostingRule(.other, .other)
  private static let adjustment = PostingRule(.other, .adjustment)
}
