import JSON
import Payments

/// What the Network API reports on payments and refunds: states, and no money (docs/providers/cashapp.md section 2).
extension CashAppReader {
  /// A payment has no capture date of its own: `updated_at` is the date of its last change, which after a refund is the
  /// refund's.
  ///
  /// A capture of less than the authorised amount releases the rest; a capture of more (a tip) is taken as stated.
  func readPayment(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let payment = try CashAppRecord(record, clientID: clientID, origin)
    let amount = try record["amount"].minor()
    let refunded = try record["refunded_amount"].optionalMinor() ?? 0
    func event(_ state: EventState, _ amount: Int64, _ at: Int64, until: Int64? = nil) throws {
      try sink.add(
        RecordEvent(
          provider: provider, account: payment.account, subject: .payment, recordID: id, paymentID: id, eventID: id,
          state: state,
          feed: .api, currency: payment.currency.code, amountMinor: abs(amount), happenedAt: at, until: until,
          method: "cash_app",
          detail: state == .declined ? payment.word : nil, origin: origin))
    }
    let lapses = try payment.moment("capture_before")
    switch payment.word {
    case "AUTHORIZED": try event(.authorised, amount, payment.createdAt, until: lapses)
    case "CAPTURED":
      try event(.authorised, amount, payment.createdAt, until: lapses)
      let captured = try record["captured_amount"].minor()
      let capturedAt = refunded > 0 ? payment.createdAt : payment.updatedAt
      try event(.captured, captured, capturedAt)
      if captured < amount { try event(.released, amount - captured, capturedAt) }
    case "VOIDED":
      try event(.authorised, amount, payment.createdAt, until: lapses)
      try event(.released, record["voided_amount"].optionalMinor() ?? amount, payment.updatedAt)
    case "DECLINED": try event(.declined, amount, payment.updatedAt)
    default:
      try reportUnknown(
        payment.word, of: "payment.status", record: id, account: payment.account, at: payment.createdAt, sink)
    }
    for refund in record["refund_ids"].elements { paymentOfRefund[try refund.string()] = id }
    try addReferences(of: id, order: try record["reference_id"].optionalString(), origin, sink)
  }

  /// An authorised refund is not money yet; a voided or declined one never becomes money.
  func readRefund(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let refund = try CashAppRecord(record, clientID: clientID, origin)
    let paymentID = try record["payment_id"].optionalString().flatMap { $0.isEmpty ? nil : $0 } ?? paymentOfRefund[id]
    let amount = try abs(record["amount"].minor())
    guard let state = Self.refundStates[refund.word] else {
      try reportUnknown(
        refund.word, of: "refund.status", record: id, account: refund.account, at: refund.createdAt, sink)
      return
    }
    let states: [(EventState, Int64)] =
      state == .pending ? [(.pending, refund.createdAt)] : [(.pending, refund.createdAt), (state, refund.updatedAt)]
    for (state, at) in states {
      try sink.add(
        RecordEvent(
          provider: provider, account: refund.account, subject: .refund, recordID: id, paymentID: paymentID,
          eventID: id, state: state,
          feed: .api, currency: refund.currency.code, amountMinor: amount, happenedAt: at, origin: origin))
    }
  }

  private static let refundStates: [String: EventState] = [
    "AUTHORIZED": .pending, "CAPTURED": .succeeded, "VOIDED": .canceled, "DECLINED": .failed,
  ]
}

/// The fields that every record of the API has: its merchant, its state, and since when.
struct CashAppRecord {
  let account: String
  let word: String
  let currency: Currency
  let createdAt: Int64
  let updatedAt: Int64
  private let record: JSONValue

  /// - Parameter state: the member with the state.
  init(_ record: JSONValue, clientID: String, _ origin: Origin, state: StaticString = "status") throws {
    self.record = record
    account = try record["merchant_id"].optionalString() ?? clientID
    word = try record[state].string()
    currency = try Currency(code: record["currency"].optionalString() ?? "USD")
    createdAt = try record["created_at"].writtenInstant()
    updatedAt = record["updated_at"].isAbsent ? createdAt : try record["updated_at"].writtenInstant()
  }

  /// An instant that may be missing.
  func moment(_ name: StaticString) throws -> Int64? {
    guard let text = try record[name].optionalString(), !text.isEmpty else { return nil }
    return try record[name].writtenInstant()
  }
}
