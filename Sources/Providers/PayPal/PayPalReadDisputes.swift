import JSON
import Payments

/// Disputes and stated balances.
extension PayPalReader {
  /// A dispute's current state: when it began, and how it ended.
  func readDispute(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try identifier(record["dispute_id"])
    let amount = try PayPalAmount(record["dispute_amount"])
    let createdAt = try PayPalInstant.of(record["create_time"])
    let updatedAt = try PayPalInstant.optional(record["update_time"]) ?? createdAt
    let stage = try record["dispute_life_cycle_stage"].optionalString() ?? ""
    var event = RecordEvent(
      provider: provider, account: account, subject: .dispute, recordID: id,
      paymentID: try record["disputed_transactions"].elements.lazy.compactMap {
        try self.optionalIdentifier($0["seller_transaction_id"])
      }.first,
      eventID: id, state: stage == "INQUIRY" ? .inquiry : .opened, feed: .api, currency: amount.currency.code,
      amountMinor: abs(amount.minor), happenedAt: createdAt,
      until: try PayPalInstant.optional(record["seller_response_due_date"]),
      detail: try record["reason"].optionalString(), origin: origin)
    try sink.add(event)
    let status = try record["status"].string()
    switch status {
    case "OPEN", "WAITING_FOR_BUYER_RESPONSE", "WAITING_FOR_SELLER_RESPONSE", "UNDER_REVIEW", "OTHER": break
    case "RESOLVED":
      event.state = try outcome(record["dispute_outcome"], of: id, at: updatedAt, sink)
      event.eventID = "\(id) resolved"
      event.happenedAt = updatedAt
      try sink.add(event)
    default: try reportUnknown(status, of: "dispute.status", record: id, at: updatedAt, sink)
    }
  }

  private func outcome(_ outcome: JSONValue, of id: String, at moment: Int64, _ sink: any RecordSink) throws
    -> EventState
  {
    let word = try outcome["outcome_code"].optionalString() ?? "NONE"
    switch word {
    case "RESOLVED_BUYER_FAVOUR", "ACCEPTED": return .lost
    case "RESOLVED_SELLER_FAVOUR", "CANCELED_BY_BUYER", "DENIED": return .won
    case "RESOLVED_WITH_PAYOUT", "NONE": return .closed
    default:
      try reportUnknown(word, of: "dispute.outcome_code", record: id, at: moment, sink)
      return .closed
    }
  }

  /// What PayPal holds for us, per currency. Withheld money is part of the total; PayPal's documentation does not state
  /// whether a hold's row changes the total, so both are kept.
  func readBalance(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let list = record["balances"].kind == .array ? Array(record["balances"].elements) : [record["balance"]]
    for balance in list where balance.kind == .object {
      let amount = try PayPalAmount(
        balance["total_balance"].isAbsent ? balance["available_balance"] : balance["total_balance"])
      let isWhole = !balance["withheld_balance"].isAbsent && !balance["total_balance"].isAbsent
      let withheld = isWhole ? try PayPalAmount(balance["withheld_balance"]) : nil
      if let withheld, withheld.currency != amount.currency {
        throw MoneyError.twoCurrencies(withheld.currency.code, amount.currency.code)
      }
      let observedAt = try record["observed_at"].instant()
      let opens = try record["opens"].optionalBool() ?? false
      try sink.add(
        StatedBalance(
          provider: provider, account: account, currency: amount.currency.code, amountMinor: amount.minor,
          withheldMinor: withheld?.minor ?? 0, observedAt: observedAt, rangeTo: opens ? observedAt : nil,
          isSettled: try record["settled"].bool(), origin: origin))
    }
  }
}
