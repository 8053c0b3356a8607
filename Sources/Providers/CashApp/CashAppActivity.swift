import Payments

/// One row of an activity file, read: what moved, when, in which batch, and what it is about
/// (docs/providers/cashapp.md section 2).
struct CashAppActivity {
  /// Cash App's word for what it is, and the rule for it; nil for a word that nobody described.
  let word: String
  let transaction: CashAppTransaction?
  let amounts: CashAppAmounts
  let currency: Currency
  /// When the payment, refund or chargeback happened; by it people know the sale.
  let happenedAt: Int64
  /// When its batch closed.
  let settledAt: Int64?
  let batchID: String
  /// Whose sale it is; nil where the row names no merchant.
  let merchantID: String?
  let paymentID: String?
  /// The merchant's own key of the order.
  let orderID: String?
  let kind: RecordKind
  let recordID: String?
  /// What reports the row from all others, in whatever file it comes.
  let rowID: String
  /// What distinguishes rows of one file  that have the same `rowID`; nil: each is another row.
  let content: String?

  /// - Throws: `CashAppReadError` naming the column.
  init(_ row: CashAppCells) throws {
    word = try row.required("transaction_type").uppercased()
    transaction = CashAppTransaction(rawValue: word)
    amounts = try CashAppAmounts(row)
    currency = try row.currency("currency_code")
    happenedAt = try row.requiredMoment("transaction_time")
    settledAt = try row.moment("settled_at")
    // A day is allowed for a time that was written in another zone.
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
    // Taken and given back within one batch are two rows. A row without an id of its own is reported by its time and
    // amount as well.
    let isBack = transaction == .capture ? amounts.gross < 0 : transaction != nil && amounts.gross > 0
    let moment = Instant.text(happenedAt)
    let ids = [refundID ?? disputeID ?? paymentID, recordID == nil ? "\(moment)/\(amounts.net)" : nil].compactMap { $0 }
    let occurrence = try row.text(Self.occurrence).map { "/\($0)" } ?? ""
    rowID = "\(batchID)/\(word)/\(ids.joined(separator: "/"))" + (isBack ? "/back" : "") + occurrence
    // A payment is captured once at a moment, a refund made once: reported again with other figures it is the same row,
    // as it was reported last.
    let isMadeOnce = transaction == .capture || (transaction == .refund && refundID != nil)
    let hasID = (refundID ?? disputeID ?? paymentID) != nil
    content = !hasID ? nil : isMadeOnce ? moment : "\(moment)/\(amounts.net)/\(amounts.fee)"
  }

  /// The cell that counts a row among those of its id in a file, from the second on.
  static let occurrence: StaticString = "occurrence"
}
