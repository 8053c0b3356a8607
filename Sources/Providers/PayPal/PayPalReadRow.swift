import JSON
import Payments

/// The rows of the report: the ledger, and what is pending.
extension PayPalReader {
  /// A row of the report as it was read.
  struct Row {
    let id: String
    let code: String
    let event: PayPalEventCode
    let status: String
    let amount: PayPalAmount
    /// With PayPal's sign: a fee charged is negative.
    let feeMinor: Int64
    /// The row's reference where that is a record of the report: a capture, an authorisation, a refund …
    let reference: String?
    let order: String?
    let customID: String?
    let invoiceID: String?
    let bankReference: String?
    let begunAt: Int64
    let bookedAt: Int64
    /// Seen for the first time after it was reversed or refunded, and created before the requested window.
    let isDatedByBeginning: Bool
    let hasBadScale: Bool
    /// Incoming money that refers to a sale of ours.
    let refersToSale: Bool
    /// An adjustment of a payment that PayPal reversed: the lost amount is their sum.
    let followsReversal: Bool

    /// The row's meaning, given its reference: money that comes back for a payment we made is neither a refund nor a
    /// dispute of ours.
    var meaning: PayPalEventCode.Meaning {
      if isIncoming, PayPalEventCode.comesBack.contains(code), !refersToSale { return .other }
      return followsReversal && event.meaning == .adjustment ? .dispute : event.meaning
    }
    /// Whether it moved the balance.
    var isMoney: Bool { status != "P" && status != "D" && event.meaning != .authorisation && event.meaning != .display }
    /// Refused, possibly after it was booked.
    var isDenied: Bool { status == "D" && event.meaning != .authorisation && event.meaning != .display }
    /// Reversed or refunded since; its own money stays.
    var isReversed: Bool { status == "V" || status == "F" }
    var isIncoming: Bool { amount.minor > 0 }
    var magnitude: Int64 { abs(amount.minor) }
    /// The key defined in docs/providers/paypal.md section 1: an id alone can stand for two rows.
    var key: String { "\(id) \(code) \(amount.currency.code) \(isIncoming ? "+" : "-")" }
  }

  func readRow(_ record: JSONValue, isInFlight: Bool, _ origin: Origin, _ sink: any RecordSink) throws {
    let row = try row(record)
    if !Self.statuses.contains(row.status) {
      try reportUnknown(row.status, of: "transaction_status", record: row.id, at: row.bookedAt, sink)
    }
    if isInFlight && row.isMoney { return }
    if row.isMoney {
      try reportOddities(of: row, sink)
      try addMoney(row, origin, sink)
    } else if row.isDenied {
      try withdrawMoney(row, origin, sink)
    }
    try addEvents(row, origin, sink)
    try addPayout(row, origin, sink)
  }

  private func reportOddities(of row: Row, _ sink: any RecordSink) throws {
    if !row.event.isKnown {
      try reportUnknown(
        row.code, of: "transaction_event_code", record: row.id, at: row.bookedAt, amount: row.amount, sink)
    }
    if row.hasBadScale {
      let words = "decimals in \(row.amount.currency.code)"
      try reportUnknown(words, of: "amount", record: row.id, at: row.bookedAt, amount: row.amount, sink)
    }
  }

  /// Completed, reversed or refunded later, pending, denied; F is an older code for partially refunded.
  private static let statuses: Set<String> = ["S", "V", "F", "P", "D"]

  private func row(_ record: JSONValue) throws -> Row {
    let amount = try PayPalAmount(record["transaction_amount"])
    let fee = record["fee_amount"].isAbsent ? nil : try PayPalAmount(record["fee_amount"])
    if let fee, fee.currency != amount.currency {
      throw MoneyError.twoCurrencies(fee.currency.code, amount.currency.code)
    }
    guard amount.minor != .min, fee?.minor != .min else { throw MoneyError.overflow("an amount of a row") }
    let status = try record["transaction_status"].string()
    let begunAt = try PayPalInstant.optional(record["transaction_initiation_date"])
    guard let updatedAt = try PayPalInstant.optional(record["transaction_updated_date"]) ?? begunAt else {
      throw JSONError.missing(path: "$.transaction_updated_date")
    }
    let isReversed = status == "V" || status == "F"
    let isDatedByBeginning = try isReversed && record["begun_before"].optionalBool() == true
    let code = try record["transaction_event_code"].string()
    let reference = try optionalIdentifier(record["about"]) ?? optionalIdentifier(record["paypal_reference_id"])
    let referenceType = try record["paypal_reference_id_type"].optionalString() ?? ""
    return Row(
      id: try identifier(record["transaction_id"]), code: String(code.prefix(20)), event: .of(code),
      status: String(status.prefix(20)),
      amount: amount, feeMinor: fee?.minor ?? 0, reference: ["TXN", ""].contains(referenceType) ? reference : nil,
      order: referenceType == "ODR" ? reference : nil, customID: try record["custom_field"].optionalString(),
      invoiceID: try record["invoice_id"].optionalString(),
      bankReference: try record["bank_reference_id"].optionalString(),
      begunAt: begunAt ?? updatedAt, bookedAt: isDatedByBeginning ? begunAt ?? updatedAt : updatedAt,
      isDatedByBeginning: isDatedByBeginning, hasBadScale: amount.hasBadScale || fee?.hasBadScale == true,
      refersToSale: try record["refers_to"].optionalString() == "sale",
      followsReversal: try record["follows"].optionalString() == "reversal")
  }

  /// The ledger row and its postings: amount and fee, which add up to the change of the balance.
  private func addMoney(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    let net = row.amount.minor.addingReportingOverflow(row.feeMinor)
    guard !net.overflow else { throw MoneyError.overflow("the effect of \(row.id)") }
    let ledgerRow = ledgerRow(row, amount: row.amount.minor, fee: -row.feeMinor, net: net.partialValue, origin)
    let rule = PayPalPostingRules.of(
      row.meaning, code: row.code, isIncoming: row.isIncoming, refers: row.reference != nil)
    var builder = PostingBuilder(row.amount.currency.code)
    builder.post(rule, row.amount.minor)
    builder.post(.fee, .provider, row.feeMinor, feeType: PayPalPostingRules.ownFee(of: rule))
    try sink.add(ledgerRow, builder.postings)
  }

  /// A row that was booked and has been denied since moves nothing: its newest status counts, and it has no entries any
  /// more.
  private func withdrawMoney(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    var ledgerRow = ledgerRow(row, amount: 0, fee: 0, net: 0, origin)
    ledgerRow.isWithdrawn = true
    try sink.add(ledgerRow, [])
  }

  private func ledgerRow(_ row: Row, amount: Int64, fee: Int64, net: Int64, _ origin: Origin) -> LedgerRow {
    let about = subject(of: row)
    return LedgerRow(
      provider: provider, rowID: row.key, account: account, category: row.code, sourceID: row.id,
      currency: row.amount.currency.code,
      amountMinor: amount, feeMinor: fee, netMinor: net, bookedAt: row.bookedAt, isKnownCategory: row.event.isKnown,
      feeSumMinor: fee,
      paymentID: about.payment, recordID: about.record, recordKind: about.kind, isRedated: true, rowName: row.id,
      origin: origin)
  }

  /// The payment of the row, and the record behind it.
  private func subject(of row: Row) -> (payment: String?, record: String?, kind: RecordKind?) {
    switch row.meaning {
    case .payment where row.isIncoming: return (row.id, row.id, .payment)
    case .refund: return row.reference.map { ($0, row.id, .refund) } ?? (nil, nil, nil)
    case .dispute: return row.reference.map { ($0, $0, .dispute) } ?? (nil, nil, nil)
    // A returned payout belongs to the payout it refers to.
    case .payout, .otherPayout: return (nil, row.isIncoming ? row.reference ?? row.id : row.id, .payout)
    case .reversal where row.reference != nil && !row.isIncoming: return (row.reference, row.id, .payment)
    case .payment, .funding, .other: return (nil, nil, nil)
    default: return row.reference.map { ($0, row.id, .other) } ?? (nil, nil, nil)
    }
  }
}
