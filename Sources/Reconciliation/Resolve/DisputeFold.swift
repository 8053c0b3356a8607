import Payments

/// Folds a dispute from its events: the newest gives the status, the first gives the beginning.
///
/// Its reason comes from a webhook or an API; a money row has at most a code of its own, which counts only if nothing
/// else gives a reason.
enum DisputeFold {
  /// The dispute.
  ///
  /// - Parameters:
  ///   - events: at least one.
  ///   - paymentByOrder: the payment of the dispute's order, for a dispute that never names its payment.
  static func dispute(_ disputeID: Text, _ events: [Observation], paymentByOrder: Text?) -> DisputeRecord? {
    guard let newest = events.max(by: isOlder), let first = events.min(by: isFirstReport) else { return nil }
    let statedReason = events.filter { $0.feed != .settlement }.compactMap(\.detail).max()
    return DisputeRecord(
      disputeID: disputeID, paymentID: events.compactMap(\.paymentID).max() ?? paymentByOrder,
      status: newest.state.disputeStatus,
      providerStatus: Text(newest.state.rawValue),
      reason: statedReason ?? first.detail ?? newest.detail ?? events.compactMap(\.detail).max(),
      currency: first.currency,
      amountMinor: first.amountMinor, createdAt: events.map(\.happenedAt).min() ?? newest.happenedAt,
      respondBy: events.compactMap(\.untilAt).max(), landedFile: newest.landedFile, landedLine: newest.landedLine)
  }

  /// Ordered by the date, then by how far the state has advanced, then by the event's id.
  static func isOlder(_ one: Observation, _ other: Observation) -> Bool {
    (one.happenedAt, one.state.disputeRank, one.eventID) < (other.happenedAt, other.state.disputeRank, other.eventID)
  }

  private static func isFirstReport(_ one: Observation, _ other: Observation) -> Bool {
    (one.state == .opened ? 0 : 1, one.feed.statusPrecedence, one.happenedAt, one.eventID)
      < (other.state == .opened ? 0 : 1, other.feed.statusPrecedence, other.happenedAt, other.eventID)
  }
}
