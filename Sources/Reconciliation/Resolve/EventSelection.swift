import Payments

/// Which observations of a record count as its events: what is reported in parts is added up, and what only repeats
/// another report is left out.
struct EventSelection {
  /// What the selection needs to know of the provider's rows: which settlement rows state an exact net, and which rows
  /// do not count.
  var exactNetRows: Set<Text> = []
  var duplicateRows: Set<Text> = []
  /// The amount that the customer saw, where only a settlement row states it: by payment and record.
  var presentments: [PresentmentKey: Presentment] = [:]

  struct PresentmentKey: Hashable {
    var paymentID: Text
    var recordID: Text
  }

  /// The observations of one record that count, whole ones first.
  ///
  /// - Throws: `MoneyError.overflow`.
  func events(of record: [Observation]) throws(MoneyError) -> [Observation] {
    let isRecordReported = record.contains { !$0.isSecondary }
    var counted = record.filter { $0.part == "" && counts($0, isRecordReported) }
    for index in counted.indices { show(presentmentOf: &counted[index]) }
    return counted + (try wholesOfParts(of: record))
  }

  private func counts(_ observation: Observation, _ isRecordReported: Bool) -> Bool {
    if observation.state == .captured && observation.amountMinor == 0 { return false }  // a capture that was withdrawn
    guard observation.isSecondary else { return true }
    if exactNetRows.contains(observation.eventID) { return !duplicateRows.contains(observation.eventID) }
    return !isRecordReported
  }

  /// For a cross-border sale the API reports only the account's currency; the settlement row states what the customer
  /// saw.
  private func show(presentmentOf event: inout Observation) {
    guard let paymentID = event.paymentID, event.state == .captured || event.state == .succeeded else { return }
    guard let presentment = presentments[PresentmentKey(paymentID: paymentID, recordID: event.eventID)] else { return }
    event.currency = presentment.currency
    event.amountMinor = presentment.amountMinor
  }

  private struct Whole: Hashable {
    var eventID: Text
    var state: EventState
    var feed: EventFeed
    var currency: Text?
  }

  /// Sums up events that are reported only in parts, one sum for each currency.
  private func wholesOfParts(of record: [Observation]) throws(MoneyError) -> [Observation] {
    let parts = record.filter { $0.part != "" }
    guard !parts.isEmpty else { return [] }
    let whole = Set(record.filter { $0.part == "" }.map { Whole(eventID: $0.eventID, state: $0.state, feed: $0.feed) })
    var places: [Whole: Int] = [:]
    var sums: [Observation] = []
    for part in parts where !whole.contains(Whole(eventID: part.eventID, state: part.state, feed: part.feed)) {
      let key = Whole(eventID: part.eventID, state: part.state, feed: part.feed, currency: part.currency)
      if let place = places[key] {
        try sums[place].add(part)
      } else {
        places[key] = sums.count
        sums.append(part)
      }
    }
    return sums
  }
}

extension Observation {
  /// Adds another part of the same event.
  fileprivate mutating func add(_ part: Observation) throws(MoneyError) {
    amountMinor = try Checked.sum(amountMinor, part.amountMinor)
    account = max(account, part.account)
    paymentID = Known.max(paymentID, part.paymentID)
    happenedAt = min(happenedAt, part.happenedAt)
    untilAt = Known.max(untilAt, part.untilAt)
    method = Known.max(method, part.method)
    intentID = Known.max(intentID, part.intentID)
    detail = Known.max(detail, part.detail)
    isSecondary = isSecondary && part.isSecondary
    landedFile = max(landedFile, part.landedFile)
    landedLine = max(landedLine, part.landedLine)
  }
}

/// The amount that the customer saw, where only the settlement row that repeats the movement states it.
struct Presentment: Hashable, Sendable {
  var paymentID: Text
  var recordID: Text
  /// The row that the settlement row repeats.
  var rowID: Text
  var currency: Text
  /// The sum over the settlement rows that repeat it.
  var amountMinor: Int64
  var exchangeRate: Text?
}
