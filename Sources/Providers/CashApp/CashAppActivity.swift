import Payments

/// One row of an activity file: what moved, when, in which batch, and for which record
/// (docs/providers/cashapp.md section 2).
struct CashAppActivity {
  /// Cash App's type, and its rule; nil for an unknown type.
  let word: String
  let transaction: CashAppTransaction?
  let amounts: CashAppAmounts
  let currency: Currency
  /// When the payment, refund or chargeback happened: the time by which people recognise the sale.
  let happenedAt: Int64
  /// When its batch closed.
  let settledAt: Int64?
  let batchID: String
  /// The merchant of the sale; nil where the row has none.
  let merchantID: String?
  let paymentID: String?
  /// The merchant's own id of the order.
  let orderID: String?
  let kind: RecordKind
  let recordID: String?
  /// Identifies the row, in whatever file it is delivered.
  let rowID: String
  /// Distinguishes rows of one file that have the same `rowID`; nil: each is a separate row.
  let content: String?

  /// - Throws: `CashAppReadError` with the column.
  init(_ row: CashAppCells) throws {
    word = try row.required("transaction_type").uppercased()
    transaction = CashAppTransaction(rawValue: word)
    amounts = try CashAppAmounts(row)
    currency = try row.currency("currency_code")
    happenedAt = try row.requiredMoment("transaction_time")
    settledAt = try row.moment("settled_at")
    // A day's tolerance for a time that was written in another time zone.
    if let settledAt, happenedAt > settledAt + 86_400 {
      throw CashAppReadError.afterSettlement(
        try row.required("transaction_time"), settledAt: try row.required("settled_at"))
    }
    batchID = try row.required("settlement_batch_id")
    merchantID = try row.text("merchant_id")
    paymentID = try row.text("payment_id")
    orderID = try row.text("payment_reference_id")
    let (refundID, disputeID) = (try row.text("refund_id"), try row.text("dispute_id"))
    switch transaction {
    case .capture: (kind, recordID) = (.payment, try row.required("payment_id"))
    case .refund: (kind, recordID) = (.refund, refundID)
    case .chargeback: (kind, recordID) = (.dispute, disputeID)
    case nil: (kind, recordID) = (.other, refundID ?? disputeID ?? paymentID)
    }
    // A movement and its reversal within one batch are two rows. A row without an id of its own is also identified by
    // its time and amount.
    let isBack = transaction == .capture ? amounts.gross < 0 : transaction != nil && amounts.gross > 0
    let moment = Instant.text(happenedAt)
    let ids = [refundID ?? disputeID ?? paymentID, recordID == nil ? "\(moment)/\(amounts.net)" : nil].compactMap { $0 }
    let occurrence = try row.text(Self.occurrence).map { "/\($0)" } ?? ""
    rowID = "\(batchID)/\(word)/\(ids.joined(separator: "/"))" + (isBack ? "/back" : "") + occurrence
    // A payment is captured only once at a given time, a refund made only once: reported again with other amounts, it
    // is the same row, and the last report counts.
    let isMadeOnce = transaction == .capture || (transaction == .refund && refundID != nil)
    let hasID = (refundID ?? disputeID ?? paymentID) != nil
    content = !hasID ? nil : isMadeOnce ? moment : "\(moment)/\(amounts.net)/\(amounts.fee)"
  }

  /// The cell with the row's number among those of the same id in a file, from the second on.
  static let occurrence: StaticString = "occurrence"
}
