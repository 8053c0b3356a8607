import JSON
import Payments

/// Orders, captures, authorisations and refunds: details that rows lack.
extension PayPalReader {
  /// An order contains the shop's reference of every payment made for it.
  func readOrder(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let order = Order(id: try identifier(record["id"]))
    for unit in record["purchase_units"].elements {
      var order = order
      order.customID = try unit["custom_id"].optionalString()
      order.invoiceID = try unit["invoice_id"].optionalString()
      let payments = unit["payments"]
      for capture in payments["captures"].elements { try readCapture(capture, of: order, origin, sink) }
      for authorization in payments["authorizations"].elements {
        try readAuthorization(authorization, of: order, origin, sink)
      }
      for refund in payments["refunds"].elements { try readRefund(refund, of: order, origin, sink) }
    }
  }

  /// What an order adds to the objects within it.
  struct Order {
    let id: String
    var customID: String?
    var invoiceID: String?
  }

  func readCapture(_ record: JSONValue, of order: Order?, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try identifier(record["id"])
    let amount = try PayPalAmount(record["amount"])
    let createdAt = try PayPalInstant.of(record["create_time"])
    let updatedAt = try PayPalInstant.optional(record["update_time"]) ?? createdAt
    let related = record["supplementary_data"]["related_ids"]
    let status = try record["status"].string()
    var event = RecordEvent(
      provider: provider, account: account, subject: .payment, recordID: id, paymentID: id, eventID: id,
      state: .captured, feed: .api,
      currency: amount.currency.code, amountMinor: abs(amount.minor), happenedAt: createdAt,
      intentID: try optionalIdentifier(related["authorization_id"]), detail: status, origin: origin)
    switch status {
    case "COMPLETED": event.happenedAt = updatedAt
    case "PARTIALLY_REFUNDED", "REFUNDED": break
    case "PENDING": event.state = .authorised
    case "DECLINED", "FAILED": event.state = .declined
    default: try reportUnknown(status, of: "capture.status", record: id, at: updatedAt, sink)
    }
    try sink.add(event)
    if event.state == .captured {
      try addRelease(by: event, isFinal: try record["final_capture"].optionalBool() == true, sink)
    }
    guard event.state != .declined else { return }
    try addReferences(
      of: id,
      [
        ("capture", id), ("custom_id", try record["custom_id"].optionalString() ?? order?.customID),
        ("invoice_id", try record["invoice_id"].optionalString() ?? order?.invoiceID),
        ("order", try related["order_id"].optionalString() ?? order?.id), ("authorization", event.intentID),
      ], origin, sink)
  }

  /// The final capture of an authorisation releases the remainder.
  private func addRelease(by capture: RecordEvent, isFinal: Bool, _ sink: any RecordSink) throws {
    guard isFinal, let authorization = capture.intentID else { return }
    var event = capture
    (event.recordID, event.paymentID, event.intentID) = (authorization, authorization, nil)
    event.state = .released
    try sink.add(event)
  }

  func readAuthorization(_ record: JSONValue, of order: Order?, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try identifier(record["id"])
    let amount = try PayPalAmount(record["amount"])
    let createdAt = try PayPalInstant.of(record["create_time"])
    let updatedAt = try PayPalInstant.optional(record["update_time"]) ?? createdAt
    let lapsesAt = try PayPalInstant.optional(record["expiration_time"])
    let status = try record["status"].string()
    var event = RecordEvent(
      provider: provider, account: account, subject: .payment, recordID: id, paymentID: id, eventID: id,
      state: .authorised, feed: .api,
      currency: amount.currency.code, amountMinor: abs(amount.minor), happenedAt: createdAt, until: lapsesAt,
      detail: status,
      origin: origin)
    if status == "DENIED" { event.state = .declined }
    try sink.add(event)
    switch status {
    case "VOIDED", "EXPIRED", "CAPTURED", "DENIED":
      // An authorisation that is closed with less than its amount captured no longer holds the rest; a denied one may
      // have been pending before.
      event.state = .released
      event.happenedAt = status == "EXPIRED" ? lapsesAt ?? updatedAt : updatedAt
      try sink.add(event)
    case "CREATED", "PARTIALLY_CAPTURED", "PENDING": break
    default: try reportUnknown(status, of: "authorization.status", record: id, at: updatedAt, sink)
    }
    guard status != "DENIED" else { return }
    try addReferences(
      of: id,
      [
        ("capture", id), ("custom_id", try record["custom_id"].optionalString() ?? order?.customID),
        ("invoice_id", try record["invoice_id"].optionalString() ?? order?.invoiceID),
        ("order", try record["supplementary_data"]["related_ids"]["order_id"].optionalString() ?? order?.id),
      ], origin, sink)
  }

  func readRefund(_ record: JSONValue, of order: Order?, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try identifier(record["id"])
    let amount = try PayPalAmount(record["amount"])
    let createdAt = try PayPalInstant.of(record["create_time"])
    let updatedAt = try PayPalInstant.optional(record["update_time"]) ?? createdAt
    let status = try record["status"].string()
    var event = RecordEvent(
      provider: provider, account: account, subject: .refund, recordID: id, paymentID: Self.capture(ofRefund: record),
      eventID: id,
      state: .succeeded, feed: .api, currency: amount.currency.code, amountMinor: abs(amount.minor),
      happenedAt: updatedAt, detail: status,
      origin: origin)
    switch status {
    case "COMPLETED": event.happenedAt = createdAt
    case "PENDING": (event.state, event.happenedAt) = (.pending, createdAt)
    case "FAILED": event.state = .failed
    case "CANCELLED": event.state = .canceled
    default: try reportUnknown(status, of: "refund.status", record: id, at: updatedAt, sink)
    }
    try sink.add(event)
  }

  /// A refund has no member for its capture: its `up` link contains it (docs/providers/paypal.md section 2).
  static func capture(ofRefund record: JSONValue) -> String? {
    for link in record["links"].elements where link["rel"].isString("up") {
      let steps = ((try? link["href"].string()) ?? "").split(separator: "?").first?.split(separator: "/") ?? []
      if let last = steps.last, steps.dropLast().last == "captures", last.utf8.count <= 64 { return String(last) }
    }
    return nil
  }
}
