import JSON
import Payments

/// Transfers, application fees and payouts (docs/providers/stripe.md section 2).
extension StripeReader {
  func readTransfer(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    try sink.add(
      Transfer(
        provider: provider, transferID: id, paymentID: try record["source_transaction"].expandableID(),
        connectedAccount: try record["destination"].expandableID(), currency: currency.code,
        amountMinor: try amount(record["amount"], currency), createdAt: try record["created"].instant(),
        rowID: try record["balance_transaction"].expandableID(),
        transferGroup: try record["transfer_group"].optionalString(),
        orderReference: try transferOrder(record), origin: origin))
    for reversal in record["reversals"]["data"].elements {
      let currency = try self.currency(reversal["currency"])
      try sink.add(
        TransferReversal(
          provider: provider, reversalID: try reversal["id"].string(), transferID: id,
          refundID: try reversal["source_refund"].expandableID(), currency: currency.code,
          amountMinor: try amount(reversal["amount"], currency), createdAt: try reversal["created"].instant(),
          rowID: try reversal["balance_transaction"].expandableID(), origin: origin))
    }
  }

  /// An unlinked transfer contains its order in metadata: `order_id` first, then the configured keys.
  private func transferOrder(_ record: JSONValue) throws -> String? {
    var values: [String: String] = [:]
    for (key, value) in record["metadata"].members where value.kind == .string { values[key] = try value.string() }
    let keys =
      ["order_id"] + orderReference.filter { $0.hasPrefix("metadata.") }.map { String($0.dropFirst("metadata.".count)) }
    return keys.lazy.compactMap { values[$0] }.first { !$0.isEmpty }
  }

  /// A fee of a destination charge contains the platform's charge; that of a direct charge only the connected account's
  /// own.
  func readApplicationFee(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let originating = try record["originating_transaction"].expandableID()
    try sink.add(
      ApplicationFee(
        provider: provider, feeID: id, paymentID: try originating ?? record["charge"].expandableID(),
        connectedAccount: try record["account"].expandableID(), isDirect: originating == nil, currency: currency.code,
        amountMinor: try amount(record["amount"], currency), createdAt: try record["created"].instant(),
        rowID: try record["balance_transaction"].expandableID(), origin: origin))
    for refund in record["refunds"]["data"].elements {
      let currency = try self.currency(refund["currency"])
      try sink.add(
        ApplicationFeeRefund(
          provider: provider, feeRefundID: try refund["id"].string(), feeID: id, currency: currency.code,
          amountMinor: try amount(refund["amount"], currency), createdAt: try refund["created"].instant(),
          rowID: try refund["balance_transaction"].expandableID(), origin: origin))
    }
  }

  /// Only a completed automatic payout lists the rows it pays.
  func readPayout(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let createdAt = try record["created"].instant()
    let status = try record["status"].string()
    if !StripeReader.payoutStatuses.contains(status) {
      try reportUnknown(status, of: "payout.status", record: id, at: createdAt, sink)
    }
    let mapping = try record["reconciliation_status"].optionalString()
    try sink.add(
      Payout(
        provider: provider, payoutID: id, account: account, currency: currency.code,
        amountMinor: try amount(record["amount"], currency), createdAt: createdAt,
        arrivalOn: try record["arrival_date"].optionalInstant().map { String(Instant.text($0).prefix(10)) },
        status: status,
        isItemised: try record["automatic"].optionalBool() == true && (mapping == nil || mapping == "completed"),
        rowID: try record["balance_transaction"].expandableID(),
        failureRowID: try record["failure_balance_transaction"].expandableID(),
        failureCode: try record["failure_code"].optionalString(),
        bankReference: try record["trace_id"]["value"].optionalString(),
        origin: origin))
  }

  private static let payoutStatuses: Set<String> = ["pending", "in_transit", "paid", "failed", "canceled"]
}
