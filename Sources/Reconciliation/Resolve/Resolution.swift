import Payments

/// Resolves what one provider's feeds report: each row, event, payment, refund, dispute and payout once.
struct Resolution {
  /// A ledger row that does not count, because another one reports the same movement.
  struct Duplicate {
    var row: Int
    /// The row that counts instead, if it is a single one.
    var original: Int?
  }

  let records: ProviderRecords
  let rowIndex: [Text: Int]
  var duplicates: [Duplicate] = []
  var presentments: [Presentment] = []
  /// Rows that do not count.
  var isDuplicate: Set<Int> = []
  /// The observations that count, by subject and record.
  var events: [Observation] = []
  var captures: [Capture] = []
  var refundNames: [Text: Text] = [:]
  var disputeNames: [Text: Text] = [:]
  /// Stated as a whole or folded.
  var payments: [PaymentRecord] = []
  var refunds: [RefundRecord] = []
  var disputes: [DisputeRecord] = []
  var payouts: [PayoutRecord] = []
  var dayLines: [PayoutLineRecord] = []
  var unresolved: [Unresolved] = []

  init(_ records: ProviderRecords) {
    self.records = records
    rowIndex = Dictionary(records.rows.enumerated().map { ($1.rowID, $0) }) { first, _ in first }
    pairRows()
    selectEvents()
    fold()
    payouts = records.payouts
    findDayLines()
  }

  /// Whether a row counts.
  func isBooked(_ row: Int) -> Bool { !isDuplicate.contains(row) }

  func row(_ rowID: Text?) -> LedgerRecord? { rowID.flatMap { rowIndex[$0] }.map { records.rows[$0] } }

  /// Runs a rule on one record; an overflow affects that record only.
  mutating func resolve<Result>(_ recordID: Text, _ body: (inout Resolution) throws(MoneyError) -> Result) -> Result? {
    do throws(MoneyError) { return try body(&self) } catch {
      unresolved.append(Unresolved(provider: records.provider.string, recordID: recordID.string, reason: "\(error)"))
      return nil
    }
  }
}
