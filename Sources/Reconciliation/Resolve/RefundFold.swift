import Payments

/// Folds a refund from its events: the newest gives the status, and a failure outweighs a success of the same instant;
/// its money rows name it.
enum RefundFold {
  /// The ledger rows of a refund, the first of each.
  struct Rows: Equatable {
    var rowID: Text?
    var failureRowID: Text?
  }

  /// The refund.
  ///
  /// - Parameter events: at least one.
  static func refund(_ refundID: Text, _ events: [Observation], _ rows: Rows?) -> RefundRecord? {
    guard let newest = events.min(by: isNewer), let worth = events.min(by: isBetterWorth) else { return nil }
    let failures = events.filter { $0.state == .failed || $0.state == .canceled }.map(\.happenedAt)
    let isFailed = newest.state == .failed || newest.state == .canceled
    return RefundRecord(
      refundID: refundID, paymentID: events.compactMap(\.paymentID).max(), status: Text(newest.state.rawValue),
      currency: worth.currency,
      amountMinor: worth.amountMinor, createdAt: events.map(\.happenedAt).min() ?? newest.happenedAt,
      rowID: rows?.rowID,
      failureRowID: rows?.failureRowID, failedAt: isFailed ? failures.min() : nil, landedFile: newest.landedFile,
      landedLine: newest.landedLine)
  }

  private static func isNewer(_ one: Observation, _ other: Observation) -> Bool {
    (other.happenedAt, other.state.refundRank, one.feed.statusPrecedence, one.eventID)
      < (one.happenedAt, one.state.refundRank, other.feed.statusPrecedence, other.eventID)
  }

  /// Amount and currency are those of the refund, not of its failure, from the feed with the highest precedence.
  private static func isBetterWorth(_ one: Observation, _ other: Observation) -> Bool {
    (isFailure(one), one.feed.statusPrecedence, one.happenedAt, one.eventID) < (
      isFailure(other), other.feed.statusPrecedence, other.happenedAt, other.eventID
    )
  }

  private static func isFailure(_ event: Observation) -> Int {
    event.state == .pending || event.state == .succeeded ? 0 : 1
  }
}
