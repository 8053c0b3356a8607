import JSON
import Payments

/// Charges, payment intents, refunds and disputes (docs/providers/stripe.md section 2).
extension StripeReader {
  func readCharge(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let createdAt = try record["created"].instant()
    let status = try chargeStatus(record, id, createdAt, sink)
    let rowID = try record["balance_transaction"].expandableID()
    let failureRowID = try record["failure_balance_transaction"].expandableID()
    let asked = try StripeDestination(record, currency, self)
    let intentID = try record["payment_intent"].expandableID()
    let group = try record["transfer_group"].optionalString()
    try sink.add(
      Payment(
        provider: provider, paymentID: id, account: account, intentID: intentID, status: status,
        isCaptured: try record["captured"].optionalBool() ?? false,
        isDeclined: status == .failed && rowID == nil && failureRowID == nil,
        currency: currency.code, amountMinor: try amount(record["amount"], currency),
        capturedMinor: try capturedAmount(record, currency), createdAt: createdAt,
        captureBefore: try record["payment_method_details"]["card"]["capture_before"].optionalInstant(),
        destination: asked.account, transferAmountMinor: asked.transferMinor, applicationFeeMinor: asked.feeMinor,
        transferGroup: group,
        method: try record["payment_method_details"]["type"].optionalString(), rowID: rowID, failureRowID: failureRowID,
        origin: origin))
    try addReferences(
      of: id, record, [("charge", id), ("payment_intent", intentID), ("transfer_group", group)], origin, sink)
  }

  /// Older API versions have no `amount_captured`: a captured charge there is captured in full.
  private func capturedAmount(_ record: JSONValue, _ currency: Currency) throws -> Int64 {
    if record["amount_captured"].kind == .number { return try amount(record["amount_captured"], currency) }
    return try record["captured"].optionalBool() == true ? try amount(record["amount"], currency) : 0
  }

  private func chargeStatus(_ record: JSONValue, _ id: String, _ createdAt: Int64, _ sink: any RecordSink) throws
    -> PaymentStatus
  {
    let word = try record["status"].string()
    if let status = PaymentStatus(rawValue: word) { return status }
    try reportUnknown(word, of: "charge.status", record: id, at: createdAt, sink)
    return .pending
  }

  func readIntent(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let createdAt = try record["created"].instant()
    let word = try record["status"].string()
    let status = StripeReader.intentStatus[word]
    if status == nil { try reportUnknown(word, of: "payment_intent.status", record: id, at: createdAt, sink) }
    let asked = try StripeDestination(record, currency, self)
    let latest = try record["latest_charge"].expandableID()
    let group = try record["transfer_group"].optionalString()
    try sink.add(
      Intent(
        provider: provider, intentID: id, status: status ?? .processing, currency: currency.code,
        amountMinor: try amount(record["amount"], currency),
        capturableMinor: record["amount_capturable"].kind == .number
          ? try amount(record["amount_capturable"], currency) : 0,
        createdAt: createdAt, canceledAt: try record["canceled_at"].optionalInstant(), latestPaymentID: latest,
        destination: asked.account,
        transferAmountMinor: asked.transferMinor, applicationFeeMinor: asked.feeMinor, transferGroup: group,
        origin: origin))
    try addReferences(of: id, record, [("payment_intent", id), ("transfer_group", group)], origin, sink)
  }

  private static let intentStatus: [String: IntentStatus] = [
    "requires_payment_method": .abandoned, "requires_confirmation": .started, "requires_action": .started,
    "processing": .processing,
    "requires_capture": .authorised, "canceled": .canceled, "succeeded": .succeeded,
  ]

  func readRefund(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let createdAt = try record["created"].instant()
    let word = try record["status"].optionalString() ?? "succeeded"
    let status = word == "requires_action" ? .pending : RefundStatus(rawValue: word)
    if status == nil { try reportUnknown(word, of: "refund.status", record: id, at: createdAt, sink) }
    try sink.add(
      Refund(
        provider: provider, refundID: id,
        paymentID: try record["charge"].expandableID() ?? record["payment_intent"].expandableID(),
        status: status ?? .pending, currency: currency.code, amountMinor: try amount(record["amount"], currency),
        createdAt: createdAt,
        rowID: try record["balance_transaction"].expandableID(),
        failureRowID: try record["failure_balance_transaction"].expandableID(),
        reversalID: try record["transfer_reversal"].expandableID(),
        isExpiredAuthorisation: try record["reason"].optionalString() == "expired_uncaptured_charge", origin: origin))
  }

  func readDispute(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let createdAt = try record["created"].instant()
    let word = try record["status"].string()
    let status = StripeReader.disputeStatus[word]
    if status == nil { try reportUnknown(word, of: "dispute.status", record: id, at: createdAt, sink) }
    var rowIDs: [String] = []
    for row in record["balance_transactions"].elements {
      guard let rowID = try row.expandableID() else { continue }
      rowIDs.append(rowID)
      // Embedded rows are complete: they include rows outside the window.
      if row["net"].kind == .number { try readLedgerRow(row, origin, sink) }
    }
    try sink.add(
      Dispute(
        provider: provider, disputeID: id,
        paymentID: try record["charge"].expandableID() ?? record["payment_intent"].expandableID(),
        status: status ?? .open, providerStatus: word, reason: try record["reason"].optionalString(),
        currency: currency.code,
        amountMinor: try amount(record["amount"], currency), createdAt: createdAt,
        respondBy: try record["evidence_details"]["due_by"].optionalInstant(), rowIDs: rowIDs, origin: origin))
  }

  private static let disputeStatus: [String: DisputeStatus] = [
    "warning_needs_response": .inquiry, "warning_under_review": .inquiry, "warning_closed": .closed,
    "needs_response": .open,
    "under_review": .open, "won": .won, "lost": .lost, "prevented": .prevented,
  ]
}

/// What a charge or an intent requests for its money: the destination, the amount, and the commission.
struct StripeDestination {
  let account: String?
  let transferMinor: Int64?
  let feeMinor: Int64?

  init(_ record: JSONValue, _ currency: Currency, _ reader: StripeReader) throws {
    let transfer = record["transfer_data"]
    account = try transfer["destination"].expandableID() ?? record["destination"].expandableID()
    transferMinor = transfer["amount"].kind == .number ? try reader.amount(transfer["amount"], currency) : nil
    let fee = record["application_fee_amount"]
    feeMinor = fee.kind == .number ? try reader.amount(fee, currency) : nil
  }
}
