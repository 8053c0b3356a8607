import Payments

/// Afterpay's posting rules: captures and refunds have no fee, as fees are reported only in the settlement
/// (docs/fund-flows.md section 5).
extension AfterpayReader {
  /// Adds a row without a fee, and its one posting.
  func addRow(_ movement: AfterpayMovement, _ origin: Origin, _ sink: any RecordSink) throws {
    let minor = movement.amountMinor
    guard minor != .min else { throw MoneyError.overflow("the amount of \(movement.rowID)") }
    let row = LedgerRow(
      provider: provider, rowID: movement.rowID, account: account, category: movement.category, sourceID: nil,
      currency: movement.currency,
      amountMinor: minor, feeMinor: 0, netMinor: minor, exchangeRate: movement.exchangeRate,
      bookedAt: movement.bookedAt,
      isKnownCategory: movement.isKnown, feeSumMinor: 0, paymentID: movement.paymentID, recordID: movement.recordID,
      recordKind: movement.recordKind, presentmentCurrency: movement.presentmentCurrency ?? movement.currency,
      presentmentMinor: movement.presentmentMinor ?? abs(minor), isEcho: movement.isEcho, origin: origin)
    var builder = PostingBuilder(row.currency)
    builder.post(movement.kind, movement.kind == .adjustment ? .other : .customer, minor)
    try sink.add(row, builder.postings)
  }
}

/// One movement between the customer and the platform, before it becomes a ledger row.
struct AfterpayMovement {
  var rowID: String
  var category: String
  var kind: EntryKind
  /// Signed from the platform's side.
  var amountMinor: Int64
  var currency: String
  var bookedAt: Int64
  var paymentID: String
  var recordID: String
  var recordKind: RecordKind
  var exchangeRate: String?
  var presentmentCurrency: String?
  var presentmentMinor: Int64?
  var isEcho = false
  var isKnown = true
}

extension AfterpaySettledAmounts {
  /// The postings of the row for the fee, which add up to its net.
  func feePostings(_ currency: Currency) -> [Posting] {
    var builder = PostingBuilder(currency.code)
    builder.post(.fee, .provider, -(feeMinor - taxMinor), feeType: .processing)
    builder.post(.fee, .provider, -taxMinor, feeType: .tax)
    builder.post(.adjustment, .provider, brokenMinor)
    return builder.postings
  }
}
