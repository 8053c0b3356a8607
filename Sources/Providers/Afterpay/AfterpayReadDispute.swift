import JSON
import Payments

/// Disputes of the API: their states. Their money is in the settlement (docs/providers/afterpay.md section 3).
extension AfterpayReader {
  func readDispute(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try text(record["id"])
    let createdAt = try seconds(record["createdAt"])
    let updatedAt = record["updatedAt"].isAbsent ? createdAt : try seconds(record["updatedAt"])
    let word = try record["status"].string()
    let state = AfterpayReader.disputeState[word]
    if state == nil {
      try sink.add(
        UnknownWord(
          provider: provider, recordID: id, wordOf: "dispute.status", word: word, account: account, seenAt: createdAt))
    }
    func add(_ state: EventState, _ eventID: String, _ at: Int64) throws {
      try sink.add(
        RecordEvent(
          provider: provider, account: account, subject: .dispute, recordID: id,
          paymentID: try optionalText(record["payment"]), eventID: eventID, state: state, feed: .api,
          currency: currency,
          amountMinor: try disputedMinor(record["amount"]), happenedAt: at,
          until: state == .opened && !record["responseDueBy"].isAbsent ? try seconds(record["responseDueBy"]) : nil,
          detail: try optionalText(record["reason"]), origin: origin))
    }
    try add(.opened, "\(id):opened", createdAt)
    if let state, state != .opened { try add(state, "\(id):\(word)", max(createdAt, updatedAt)) }
  }

  private static let disputeState: [String: EventState] = [
    "needs_response": .opened, "under_review": .opened, "won": .won, "lost": .lost, "merchant_refunded": .closed,
    "merchant_voided": .closed,
  ]

  /// Epoch seconds, written as text.
  private func seconds(_ value: JSONValue) throws -> Int64 {
    let written = try text(value)
    return try CellError.naming(value.path) {
      try Int64(written).map { try Limits.instant($0) } ?? Instant.parse(written)
    }
  }

  /// An amount without a currency and in an undocumented unit: with a point it is in major units, without one in minor
  /// units.
  private func disputedMinor(_ value: JSONValue) throws -> Int64 {
    guard let written = try optionalText(value.kind == .object ? value["amount"] : value) else { return 0 }
    return try CellError.naming(value.path) {
      if written.contains(".") { return try Money.parse(written, Currency(code: currency)).amountMinor }
      guard let minor = Int64(written) else { throw MoneyError.notDecimal(written) }
      return try Limits.amount(minor)
    }
  }
}
