import Payments

/// The amounts of an activity row, in cents: gross signed by its direction, fee a positive cost, net what the balance
/// moves by (docs/providers/cashapp.md section 3).
struct CashAppAmounts: Equatable {
  let gross: Int64
  let fee: Int64
  let net: Int64
  /// What the row states beyond net and fee: 0 where gross less fee is net.
  let remainder: Int64
  /// Net and fee together: the gross that goes with them.
  let netAndFee: Int64
  /// The first sum that does not hold: what its parts come to, what is stated, which it is.
  let fault: Fault?

  struct Fault: Equatable {
    var expected: Int64
    var actual: Int64
    var detail: String
  }

  init(_ row: CashAppCells) throws {
    gross = try row.requiredCents("gross_amount")
    net = try row.requiredCents("net_amount")
    fee = try row.requiredCents("fee_amount")
    let (variable, fixed) = (try row.cents("fee_variable"), try row.cents("fee_fixed"))
    let expected = try Self.sum(gross, -fee)
    // The parts are checked where both are reported: a column that is not there is not 0.
    let parts = if let variable, let fixed { try Self.sum(variable, fixed) } else { fee }
    remainder = try Self.sum(net, -expected)
    netAndFee = try Self.sum(net, fee)
    fault =
      expected != net
      ? Fault(expected: expected, actual: net, detail: "gross_amount less fee_amount is not net_amount")
      : parts != fee
        ? Fault(expected: parts, actual: fee, detail: "fee_variable and fee_fixed do not make fee_amount") : nil
  }

  /// Never the least number of 64 bits, so that every sum can be negated.
  private static func sum(_ one: Int64, _ other: Int64) throws -> Int64 {
    let (sum, isBeyond) = one.addingReportingOverflow(other)
    guard !isBeyond, sum != .min else { throw CashAppReadError.overflow("a sum of the row's amounts") }
    return sum
  }
}

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
