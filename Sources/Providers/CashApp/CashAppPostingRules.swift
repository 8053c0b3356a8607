import Payments

/// Cash App's posting rules: which movement an activity row is (docs/fund-flows.md section 6).
enum CashAppTransaction: String {
  case capture = "CAPTURE"
  case refund = "REFUND"
  case chargeback = "CHARGEBACK"

  /// The kind of the gross amount's entry. A chargeback that comes back with a positive amount is its reimbursement.
  func kind(isIncoming: Bool) -> EntryKind {
    switch self {
    case .capture: isIncoming ? .capture : .chargeFailure
    case .refund: isIncoming ? .refundFailure : .refund
    case .chargeback: isIncoming ? .disputeReversal : .dispute
    }
  }

  /// What the fee of such a row is.
  var feeType: FeeType { self == .chargeback ? .dispute : .processing }
}

/// The postings of an activity row: they add up to its stated net.
struct CashAppPostings {
  private(set) var all: [Posting] = []
  private let currency: Currency

  /// - Parameter transaction: nil for a type that nobody described: kept as `other`.
  init(_ amounts: CashAppAmounts, _ transaction: CashAppTransaction?, currency: Currency) {
    self.currency = currency
    add(
      transaction?.kind(isIncoming: amounts.gross > 0) ?? .other, transaction == nil ? .other : .customer, amounts.gross
    )
    add(.fee, .provider, -amounts.fee, feeType: transaction?.feeType ?? .other)
    // A row whose arithmetic does not hold keeps its stated net: what is left over has no other name.
    add(.adjustment, .provider, amounts.remainder)
  }

  /// - Parameter amount: positive towards the platform.
  private mutating func add(_ kind: EntryKind, _ party: Role, _ amount: Int64, feeType: FeeType? = nil) {
    guard amount != 0 else { return }
    all.append(
      Posting(
        ordinal: all.count, kind: kind, from: amount > 0 ? party : .platform,
        to: amount > 0 ? .platform : party, currency: currency.code, amountMinor: abs(amount), feeType: feeType))
  }
}
