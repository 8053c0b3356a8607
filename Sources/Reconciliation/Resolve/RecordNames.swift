import Payments

/// The id that a provider uses for a refund or a dispute whose settlement row names only the payment.
enum RecordNames {
  /// Pairs a refund's row with the refund that a webhook or an API reports under an id of its own: the first row of an
  /// amount is the first refund of that amount.
  ///
  /// - Parameter events: the refund events that count.
  /// - Returns: the refund's id by the id that its row has.
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

  /// The dispute of a payment under the provider's id; the first, if there are several.
  ///
  /// - Parameter observations: those of disputes, including those that do not count otherwise.
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

  /// The facts of one refund that its events establish together.
  private struct Refund {
    var recordID: Text
    var paymentID: Text?
    var currency: Text?
    var amountMinor: Int64?
    var happenedAt = Int64.max
    var isSettled = false

    init(recordID: Text) { self.recordID = recordID }

    var key: Key { Key(paymentID: paymentID, currency: currency ?? "", amountMinor: amountMinor ?? 0) }

    /// A settlement row with the refund's own id needs no other name.
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
