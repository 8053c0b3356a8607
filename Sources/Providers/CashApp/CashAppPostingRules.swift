import Payments

/// Cash App's posting rules: the movement of an activity row (docs/fund-flows.md section 6).
enum CashAppTransaction: String {
  case capture = "CAPTURE"
  case refund = "REFUND"
  case chargeback = "CHARGEBACK"

  /// The rule for the gross amount. A chargeback with a positive amount is its reimbursement.
  var rule: PostingRule {
    switch self {
    case .capture: PostingRule(.customer, in: .capture, out: .chargeFailure)
    case .refund: PostingRule(.customer, in: .refundFailure, out: .refund)
    case .chargeback: PostingRule(.customer, in: .disputeReversal, out: .dispute)
    }
  }

  /// The type of the fee on such a row.
  var feeType: FeeType { self == .chargeback ? .dispute : .processing }
}

extension CashAppActivity {
  /// The postings of the row, which add up to its stated net; an unknown type is kept as `other`.
  var postings: [Posting] {
    var builder = PostingBuilder(currency.code)
    builder.post(transaction?.rule ?? PostingRule(.other, .other), amounts.gross)
    builder.post(.fee, .provider, -amounts.fee, feeType: transaction?.feeType ?? .other)
    // A row that does not add up keeps its stated net: the remainder has no more specific kind.
    builder.post(.adjustment, .provider, amounts.remainder)
    return builder.postings
  }
}
