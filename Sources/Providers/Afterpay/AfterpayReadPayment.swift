import JSON
import Payments

/// Payments of the API: their events and refunds become ledger rows and events (docs/providers/afterpay.md section 3).
extension AfterpayReader {
  func readPayment(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let payment = try AfterpayPayment(record, self)
    try addReferences(payment, record, origin, sink)
    guard !payment.isDeclined else {
      return try add(.declined, of: payment, "declined", payment.originalMinor, payment.createdAt, origin, sink)
    }
    for event in payment.events { try read(event, of: payment, origin, sink) }
    if let minor = payment.impliedCaptureMinor {
      try addCapture("capture", minor, payment.createdAt, of: payment, origin, sink)
    }
    if payment.isAuthorisedWithoutEvent {
      try add(.authorised, of: payment, "authorisation", payment.originalMinor, payment.createdAt, origin, sink)
    }
    for refund in payment.realRefunds { try add(refund, of: payment, origin, sink) }
    if let expected = payment.inconsistency {
      try sink.add(
        BrokenRow(
          provider: provider, account: account, rowID: "payment:\(payment.id)", paymentID: payment.id,
          currency: payment.currency.code,
          expectedMinor: payment.originalMinor, actualMinor: expected, bookedAt: payment.changedAt,
          detail: "the original amount is not captured + open + voided", origin: origin))
    }
  }

  /// The identifiers by which an order may refer to it. The merchant's reference may change after checkout; the id and
  /// the token do not.
  private func addReferences(
    _ payment: AfterpayPayment, _ record: JSONValue, _ origin: Origin, _ sink: any RecordSink
  ) throws {
    let named = [
      ("merchant_reference", try optionalText(record["merchantReference"]), 1), ("order", payment.id, nil),
      ("token", try optionalText(record["token"]), nil),
    ]
    for (name, value, rank) in named {
      guard let value else { continue }
      try sink.add(
        Reference(provider: provider, ownerID: payment.id, name: name, value: value, orderRank: rank, origin: origin))
    }
  }

  private func read(_ event: AfterpayEvent, of payment: AfterpayPayment, _ origin: Origin, _ sink: any RecordSink)
    throws
  {
    switch event.type {
    case "AUTH_APPROVED":
      try add(.authorised, of: payment, event.id, event.minor, event.createdAt, until: event.expiresAt, origin, sink)
    case "CAPTURED": try addCapture(event.id, event.minor, event.createdAt, of: payment, origin, sink)
    case "VOIDED", "EXPIRED": try add(.released, of: payment, event.id, event.minor, event.createdAt, origin, sink)
    case "AUTH_DECLINED", "CAPTURE_DECLINED":
      try add(.declined, of: payment, event.id, event.minor, event.createdAt, origin, sink)
    default:
      try sink.add(
        UnknownWord(
          provider: provider, recordID: "\(payment.id)/\(event.id)", wordOf: "event.type", word: event.type,
          account: account,
          seenAt: event.createdAt,
          currency: payment.currency.code, amountMinor: event.minor))
    }
  }

  private func add(
    _ state: EventState, of payment: AfterpayPayment, _ eventID: String, _ minor: Int64, _ happenedAt: Int64,
    until: Int64? = nil, _ origin: Origin, _ sink: any RecordSink
  ) throws {
    try sink.add(
      RecordEvent(
        provider: provider, account: account, subject: .payment, recordID: payment.id, paymentID: payment.id,
        eventID: eventID,
        state: state, feed: .api, currency: payment.currency.code, amountMinor: minor, happenedAt: happenedAt,
        until: until,
        origin: origin))
  }

  /// A capture: its row, booked at the time of capture. The fee comes with the settlement.
  private func addCapture(
    _ eventID: String, _ minor: Int64, _ capturedAt: Int64, of payment: AfterpayPayment, _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    try add(.captured, of: payment, eventID, minor, capturedAt, origin, sink)
    try addRow(
      AfterpayMovement(
        rowID: "capture:\(payment.id):\(eventID)", category: "capture", kind: .capture, amountMinor: minor,
        currency: payment.currency.code,
        bookedAt: capturedAt, paymentID: payment.id, recordID: eventID, recordKind: .payment), origin, sink)
  }

  private func add(
    _ refund: AfterpayRefund, of payment: AfterpayPayment, _ origin: Origin, _ sink: any RecordSink
  ) throws {
    try sink.add(
      RecordEvent(
        provider: provider, account: account, subject: .refund, recordID: refund.id, paymentID: payment.id,
        eventID: refund.id,
        state: .succeeded, feed: .api, currency: payment.currency.code, amountMinor: refund.minor,
        happenedAt: refund.refundedAt,
        origin: origin))
    try addRow(
      AfterpayMovement(
        rowID: "refund:\(refund.id)", category: "refund", kind: .refund, amountMinor: -refund.minor,
        currency: payment.currency.code,
        bookedAt: refund.refundedAt, paymentID: payment.id, recordID: refund.id, recordKind: .refund), origin, sink)
  }
}
