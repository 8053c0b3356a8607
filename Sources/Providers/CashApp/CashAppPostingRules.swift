import Payments

/// Cash App's posting rules: which movement an activity row is (docs/fund-flows.md section 6).
enum CashAppTransaction: String {
  case capture = "CAPTURE"
  case refund = "REFUND"
  case chargeback = "CHARGEBACK"

  /// Of the gross amount. A chargeback that comes back with a positive amount is its reimbursement.
  var rule: PostingRule {
    switch self {
    case .capture: PostingRule(.customer, in: .capture, out: .chargeFailure)
    case .refund: PostingRule(.customer, in: .refundFailure, out: .refund)
    case .chargeback: PostingRule(.customer, in: .disputeReversal, out: .dispute)
    }
  }

  /// What the fee of such a row is.
  var feeType: FeeType { self == .chargeback ? .dispute : .processing }
}

extension CashAppActivity {
  /// The postings of the row, which add up to its stated net; a type that nobody described is kept as `other`.
  var postings: [Posting] {
    var builder = PostingBuilder(currency.code)
    builder.post(transaction?.rule ?? PostingRule(.other, .other), amounts.gross)
    builder.post(.fee, .provider, -amounts.fee, feeType: transaction?.feeType ?? .other)
    // A row whose arithmetic does not hold keeps its stated net: what is left over has no other name.
    builder.post(.adjustment, .provider, amounts.remainder)
    return builder.postings
  }
}
