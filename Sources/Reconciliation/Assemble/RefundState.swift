import Payments

/// A refund at an instant; releases of authorisations and partial captures are not refunds.
struct RefundState {
  var status: Text
  /// When the refund was booked, if by then.
  var bookedAt: Int64?
  var failedAt: Int64?
  /// The settlement currency of its ledger row.
  var settlementCurrency: Text?
  var settlementMinor: Int64?
  var reversal: ReversalTotal?

  /// The transfer reversals that belong to the refund, in total.
  struct ReversalTotal {
    var reversalID: Text
    var currency: Text
    var amountMinor: Int64
    var bookedAt: Int64
  }

  /// The inputs that a refund's state is folded from.
  struct Facts {
    var refund: RefundRecord
    var row: LedgerRecord?
    var failureRow: LedgerRecord?
    var reversal: ReversalTotal?
  }

  /// The state; the refund must have been created by then.
  ///
  /// - Throws: `MoneyError.overflow`.
  init(of facts: Facts, at instant: Int64) throws(MoneyError) {
    let refund = facts.refund
    status = Self.status(facts, instant)
    bookedAt = facts.row.flatMap { $0.bookedAt < instant ? $0.bookedAt : nil }
    failedAt = [facts.failureRow?.bookedAt, refund.failedAt].compactMap { $0 }.first { $0 < instant }
    settlementCurrency = facts.row?.currency
    settlementMinor = nil
    if let row = facts.row { settlementMinor = try Checked.negated(row.amountMinor) }
    reversal = facts.reversal.flatMap { $0.bookedAt < instant ? $0 : nil }
  }

  /// A failure counts from its date, and until then the refund counts as succeeded; a success counts once its row is
  /// booked.
  private static func status(_ facts: Facts, _ instant: Int64) -> Text {
    let isFailed = facts.refund.status == "failed" || facts.refund.status == "canceled"
    let dates = [facts.failureRow?.bookedAt, facts.refund.failedAt].compactMap { $0 }
    if isFailed && dates.allSatisfy({ $0 < instant }) { return facts.refund.status }
    let isDone = isFailed || facts.refund.status == "succeeded"
    return isDone && facts.row.map({ $0.bookedAt < instant }) ?? true ? "succeeded" : "pending"
  }
}
