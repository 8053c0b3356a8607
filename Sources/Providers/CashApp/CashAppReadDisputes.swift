import JSON
import Payments

/// Disputes as the API reports them, and as far as the dispute report contains them
/// (docs/providers/cashapp.md section 3, Dispute).
extension CashAppReader {
  func readDispute(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let dispute = try CashAppRecord(record, clientID: clientID, origin, state: "state")
    let facts = CashAppDispute(
      id: id, paymentID: try record["payment_id"].optionalString(), account: dispute.account, word: dispute.word,
      reason: try record["reason"].optionalString(), currency: dispute.currency, amount: try record["amount"].minor(),
      createdAt: dispute.createdAt, changedAt: dispute.updatedAt, respondBy: try dispute.moment("response_due_at"))
    try add(facts, feed: .api, origin, sink)
  }

  /// Beyond its first two columns the report is undocumented: columns with the API's names are used if present, and a
  /// row without them reports nothing.
  func readReported(_ row: CashAppCells, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try row.required("dispute_id")
    let createdAt = try row.requiredMoment("dispute_created_at")
    guard let word = try row.text("state"), let amount = try row.cents("amount"), try row.text("currency_code") != nil
    else { return }
    let facts = CashAppDispute(
      id: id, paymentID: try row.text("payment_id"), account: try row.text("merchant_id") ?? clientID,
      word: word.uppercased(),
      reason: try row.text("reason"), currency: try row.currency("currency_code"), amount: amount, createdAt: createdAt,
      changedAt: try row.moment("updated_at") ?? createdAt, respondBy: try row.moment("response_due_at"))
    try add(facts, feed: .settlement, origin, sink)
  }

  /// A dispute starts as opened, or, where Cash App bears it (`FR10`) or requests no answer, as an inquiry; then it
  /// ends in one of the final states.
  private func add(_ dispute: CashAppDispute, feed: EventFeed, _ origin: Origin, _ sink: any RecordSink) throws {
    guard let state = Self.disputeStates[dispute.word], dispute.amount != .min else {
      try reportUnknown(
        dispute.word, of: "dispute.state", record: dispute.id, account: dispute.account, at: dispute.createdAt, sink)
      return
    }
    let begin: EventState = dispute.reason == "FR10" || state == .inquiry ? .inquiry : .opened
    for (state, at) in state == .opened || state == .inquiry
      ? [(begin, dispute.createdAt)] : [(begin, dispute.createdAt), (state, dispute.changedAt)]
    {
      try sink.add(
        RecordEvent(
          provider: provider, account: dispute.account, subject: .dispute, recordID: dispute.id,
          paymentID: dispute.paymentID.flatMap { $0.isEmpty ? nil : $0 }, eventID: dispute.id, state: state, feed: feed,
          currency: dispute.currency.code, amountMinor: abs(dispute.amount), happenedAt: at, until: dispute.respondBy,
          detail: dispute.reason ?? dispute.word, origin: origin))
    }
  }

  /// Won in part counts as lost for the rest: the money that came back is in the entries.
  private static let disputeStates: [String: EventState] = [
    "RESPONSE_REQUIRED": .opened, "PROCESSING": .opened, "NO_RESPONSE_REQUIRED": .inquiry, "WON": .won,
    "PARTIALLY_WON": .lost,
    "LOST": .lost, "ACCEPTED": .lost,
  ]
}

/// A dispute, from either source.
private struct CashAppDispute {
  var id: String
  var paymentID: String?
  var account: String
  /// Cash App's state of it.
  var word: String
  var reason: String?
  var currency: Currency
  var amount: Int64
  var createdAt: Int64
  var changedAt: Int64
  var respondBy: Int64?
}
