import Payments

/// Under which id a provider knows a refund or a dispute whose settlement row names the payment only.
enum RecordNames {
  /// A refund's row and the refund that a webhook or an API reports under an id of its own: by the amount, the first
  /// such row is the first refund.
  ///
  /// - Parameter events: the refund events that count.
  /// - Returns: the refund's id by the id that its row goes by.
  static func refunds(_ events: [Observation]) -> [Text: Text] {
    var refunds: [Text: Refund] = [:]
    var order: [Text] = []
    for event in events {
      if refunds[event.recordID] == nil { order.append(event.recordID) }
      refunds[event.recordID, default: Refund(recordID: event.recordID)].add(event)
    }
    let groups = Dictionary(grouping: order.compactMap { refunds[$0] }.filter(\.isCandidate), by: \.key)
    return groups.values.reduce(into: [:]) { names, group in
      let ordered = group.sorted { ($0.happenedAt, $0.recordID) < ($1.happenedAt, $1.recordID) }
      for (row, named) in zip(ordered.filter(\.isSettled), ordered.filter { !$0.isSettled }) {
        names[row.recordID] = named.recordID
      }
    }
  }

  /// The dispute of a payment that its provider knows by an id: the first, where there are several.
  ///
  /// - Parameter observations: of disputes, those that count for nothing else too.
  /// - Returns: the dispute's id by the payment's.
  static func disputes(_ observations: [Observation]) -> [Text: Text] {
    var first: [Text: Observation] = [:]
    for observation in observations where observation.recordID != observation.paymentID {
      guard let paymentID = observation.paymentID else { continue }
      if let found = first[paymentID],
        (found.happenedAt, found.recordID) <= (observation.happenedAt, observation.recordID)
      {
        continue
      }
      first[paymentID] = observation
    }
    return first.mapValues(\.recordID)
  }

  private struct Key: Hashable {
    var paymentID: Text?
    var currency: Text
    var amountMinor: Int64
  }

  /// What the events of one refund say together.
  private struct Refund {
    var recordID: Text
    var paymentID: Text?
    var currency: Text?
    var amountMinor: Int64?
    var happenedAt = Int64.max
    var isSettled = false

    init(recordID: Text) { self.recordID = recordID }

    var key: Key { Key(paymentID: paymentID, currency: currency ?? "", amountMinor: amountMinor ?? 0) }

    /// A settlement row that bears the refund's own id needs no name.
    var isCandidate: Bool {
      guard isSettled else { return true }
      guard let paymentID else { return false }
      return recordID == paymentID || recordID.isNamed(after: paymentID, "/")
    }

    mutating func add(_ event: Observation) {
      paymentID = Known.max(paymentID, event.paymentID)
      currency = Known.min(currency, event.currency)
      amountMinor = Known.max(amountMinor, event.amountMinor)
      happenedAt = min(happenedAt, event.happenedAt)
      isSettled = isSettled || event.feed == .settlement
    }
  }
}
