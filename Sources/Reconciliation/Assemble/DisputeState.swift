import Payments

/// A dispute at an instant, and the money that its ledger rows had taken and given back by then, without fees.
///
/// A dispute whose rows have two currencies has two states; while no money has moved the currency is the dispute's own.
struct DisputeState {
  var status: Text
  /// The first report of that status; nil: the status is undated.
  var statusSince: Int64?
  var currency: Text
  var takenMinor: Int64 = 0
  var returnedMinor: Int64 = 0
  /// When its newest money row was booked.
  var movedAt: Int64?
  /// The account of its money rows.
  var account: Text?

  /// The dispute's states, in the order of their currencies; the dispute must have been created by then.
  ///
  /// - Parameters:
  ///   - entries: those of kind dispute and dispute reversal.
  ///   - events: those with the dispute's own id.
  /// - Throws: `MoneyError.overflow`.
  static func states(of dispute: DisputeRecord, _ entries: [Entry], _ events: [Observation], at instant: Int64)
    throws(MoneyError) -> [DisputeState]
  {
    let newest = events.filter { $0.happenedAt < instant }.max(by: DisputeFold.isOlder)
    let since = newest.flatMap { newest in
      events.filter { $0.state == newest.state && $0.happenedAt < instant }.map(\.happenedAt).min()
    }
    let status = status(
      of: dispute, newest, returnedAt: entries.filter { $0.from != .platform }.map(\.bookedAt).min(), instant)
    let moved = entries.filter { $0.bookedAt < instant }.grouped(by: \.currency)
    guard !moved.isEmpty else { return [DisputeState(status: status, statusSince: since, currency: dispute.currency)] }
    var states: [DisputeState] = []
    for group in moved {
      var state = DisputeState(status: status, statusSince: since, currency: group[0].currency)
      try state.add(group)
      states.append(state)
    }
    return states.sorted { $0.currency < $1.currency }
  }

  private mutating func add(_ entries: [Entry]) throws(MoneyError) {
    for entry in entries {
      if entry.from == .platform {
        takenMinor = try Checked.sum(takenMinor, entry.amountMinor)
      } else {
        returnedMinor = try Checked.sum(returnedMinor, entry.amountMinor)
      }
      movedAt = Known.max(movedAt, entry.bookedAt)
      account = Known.min(account, entry.account)
    }
  }

  /// Where events are reported, the newest of them counts. A status without an event is undated, but the money given
  /// back is dated: a dispute that was won was open until then. A dispute that a settlement row closed is won if the
  /// row gave back the full amount, otherwise lost.
  private static func status(of dispute: DisputeRecord, _ newest: Observation?, returnedAt: Int64?, _ instant: Int64)
    -> Text
  {
    if let newest {
      guard newest.state == .closed && newest.feed == .settlement else { return newest.state.disputeStatus }
      return newest.amountMinor < dispute.amountMinor ? "lost" : "won"
    }
    if dispute.status == "won", let returnedAt, returnedAt >= instant { return "open" }
    return dispute.status
  }
}
