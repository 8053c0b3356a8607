import JSON
import Payments

/// Notifications: what happened to payments, refunds and disputes. They move no money, and arrive twice, late and in
/// any order.
extension AdyenReader {
  func readNotification(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let item = record["item"]
    let reference = try item["pspReference"].optionalString() ?? ""
    do {
      try add(item, origin, sink)
    } catch let error where error is JSONError || error is MoneyError || error is CellError {
      throw RefusedRecord(
        location: try record["location"].optionalString() ?? "line \(origin.line)", recordID: reference,
        reason: "\(error)")
    }
  }

  private func add(_ item: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let code = try item["eventCode"].string()
    let merchantReference = try item["merchantReference"].optionalString() ?? ""
    let value = try AdyenAmount.written(item["amount"]["value"]) ?? 0
    // Storing a card is an authorisation of no amount (docs/providers/adyen.md section 5).
    if code == "AUTHORISATION" && (value == 0 || merchantReference.hasPrefix("mt-card-")) { return }
    // The signature does not cover the date: a date after the notification was read is not used.
    let happenedAt = min(try item["eventDate"].writtenInstant(), origin.observedAt)
    if code == "REPORT_AVAILABLE" { return try announce(item, happenedAt, origin, sink) }
    guard let rule = try AdyenEventRule.of(code, item) else {
      guard AdyenEventRule.couldMoveMoney(code, value), try AdyenEventRule.isSuccess(item) else { return }
      let currency = try Currency(code: try item["amount"]["currency"].string())
      return try sink.add(
        UnknownWord(
          provider: provider, recordID: try item["pspReference"].string(), wordOf: "eventCode", word: code,
          account: account,
          seenAt: happenedAt, currency: currency.code, amountMinor: try AdyenAmount.minor(value, currency)))
    }
    guard let state = rule.state(isSuccess: try AdyenEventRule.isSuccess(item)) else { return }
    try add(item, rule, state, happenedAt, origin, sink)
  }

  private func add(
    _ item: JSONValue, _ rule: AdyenEventRule, _ state: EventState, _ happenedAt: Int64, _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    let reference = try item["pspReference"].string()
    let original = try item["originalReference"].optionalString().flatMap { $0.isEmpty ? nil : $0 }
    let currency = try Currency(code: try item["amount"]["currency"].string())
    let value = item["amount"]["value"]
    let amountMinor = try AdyenAmount.minor(try AdyenAmount.written(value) ?? value.int64(), currency)
    // For a payment's event, the original reference is the payment; an authorisation and an expiry contain it
    // themselves. A dispute may not name its payment: it is then found by its own reference, or by its order (Resolve).
    let payment = rule.subject == .payment ? original ?? reference : original
    if let payment {
      try addReferences(of: payment, try identifiers(item, payment, reference, state), origin, sink)
    } else if rule.subject == .dispute {
      try addReferences(
        of: reference, [("merchant_reference", try item["merchantReference"].optionalString() ?? "")], origin, sink)
    }
    try sink.add(
      RecordEvent(
        provider: provider, account: account, subject: rule.subject,
        recordID: rule.subject == .payment ? payment ?? reference : reference,
        paymentID: payment, eventID: reference, state: state, feed: .webhook, currency: currency.code,
        amountMinor: abs(amountMinor),
        happenedAt: happenedAt, until: try until(item),
        method: try item["paymentMethod"].optionalString().flatMap { $0.isEmpty ? nil : $0 },
        detail: try detail(item), origin: origin))
  }

  /// A report that is announced is expected; the notification contains its file name.
  private func announce(_ item: JSONValue, _ happenedAt: Int64, _ origin: Origin, _ sink: any RecordSink) throws {
    guard let report = AdyenReportName(try item["pspReference"].string()) else { return }
    try sink.add(
      AnnouncedBatch(
        provider: provider, account: account, batchID: "\(account)/\(report.batch)", number: report.batch,
        announcedAt: happenedAt, origin: origin))
  }

  private func identifiers(
    _ item: JSONValue, _ payment: String, _ reference: String, _ state: EventState
  ) throws -> [(String, String)] {
    let additional = item["additionalData"]
    return [
      ("psp_reference", payment), ("merchant_reference", try item["merchantReference"].optionalString() ?? ""),
      ("merchant_order_reference", try additional["merchantOrderReference"].optionalString() ?? ""),
      ("modification_reference", reference == payment ? "" : reference),
    ]
      + additional.members.compactMap { name, value in
        guard name.hasPrefix("metadata."), let text = try? value.string() else { return nil }
        return (name, text)
      }
  }

  /// The deadline for answering a dispute.
  private func until(_ item: JSONValue) throws -> Int64? {
    guard let text = try item["additionalData"]["defensePeriodEndsAt"].optionalString(), !text.isEmpty else {
      return nil
    }
    return try item["additionalData"]["defensePeriodEndsAt"].writtenInstant()
  }

  private func detail(_ item: JSONValue) throws -> String {
    let reason = try item["reason"].optionalString() ?? ""
    return reason.isEmpty || reason == "null" ? try item["eventCode"].string() : String(reason.prefix(200))
  }
}
