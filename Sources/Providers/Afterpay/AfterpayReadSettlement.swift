import JSON
import Payments

/// Settlement rows: the duplicate report of a capture or refund, its fee, and the payout of its date
/// (docs/fund-flows.md section 5).
extension AfterpayReader {
  func readSettlement(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    if let refused = try RefusedRecord(record) { throw refused }
    // Totals and blank lines have no order.
    guard let orderID = try optionalText(record["afterpay_order_id"]) else { return }
    let file = try record["file"].optionalString() ?? ""
    do {
      let currency = try Currency(code: self.currency)
      let row = try AfterpaySettlementRow(record, currency)
      let (day, settledAt) = try settlementDay(try record["settlement_date"].optionalString() ?? "")
      try add(row, day, settledAt, currency, record, origin, sink)
    } catch let error
      where error is AfterpayAmountError || error is MoneyError || error is AfterpayDateError || error is CellError
    {
      let number = try record["row"].optionalInt64() ?? origin.line
      throw RefusedRecord(location: "\(file):\(number)", recordID: orderID, reason: "\(error)")
    }
  }

  private func add(
    _ row: AfterpaySettlementRow, _ day: String, _ settledAt: Int64, _ currency: Currency, _ record: JSONValue,
    _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    let look = "\(day):\(row.orderID):\(row.word):\(row.refundID ?? ""):\(row.gross.millionths)"
    let number = try record.member(named: AfterpayColumns.alike)?.optionalString() ?? "1"
    let rowID = "settlement:\(look):\(number)"
    let amounts = try AfterpaySettledAmounts(row, currency)
    try addGross(row, rowID, amounts, settledAt, currency, origin, sink)
    let feeRowID = try addFee(row, rowID, amounts, settledAt, currency, origin, sink)
    try sink.add(
      SettledNet(
        provider: provider, account: account, payoutID: day, rowID: rowID, feeRowID: feeRowID, currency: currency.code,
        netMillionths: row.net.millionths, minorMillionths: Currency.powersOfTen[6 - min(currency.digits, 6)],
        settledAt: settledAt, origin: origin))
    if let merchantOrderID = row.merchantOrderID {
      try sink.add(
        Reference(
          provider: provider, ownerID: row.orderID, name: "merchant_order_id", value: merchantOrderID, orderRank: 2,
          origin: origin))
    }
    if let broken = try row.broken() {
      try sink.add(
        BrokenRow(
          provider: provider, account: account, rowID: rowID, paymentID: row.orderID, batchID: day,
          currency: currency.code,
          expectedMinor: broken.expected.rounded(currency), actualMinor: broken.actual.rounded(currency),
          bookedAt: settledAt,
          detail: broken.detail, origin: origin))
    }
  }

  /// The movement itself, which counts only where the API does not report it.
  private func addGross(
    _ row: AfterpaySettlementRow, _ rowID: String, _ amounts: AfterpaySettledAmounts, _ settledAt: Int64,
    _ currency: Currency,
    _ origin: Origin, _ sink: any RecordSink
  ) throws {
    let isRefund = row.kind == .refund
    var movement = AfterpayMovement(
      rowID: rowID, category: row.word, kind: isRefund ? .refund : .capture, amountMinor: amounts.grossMinor,
      currency: currency.code,
      bookedAt: settledAt, paymentID: row.orderID, recordID: isRefund ? row.refundID ?? rowID : rowID,
      recordKind: isRefund ? .refund : .payment, exchangeRate: row.presentment == nil ? nil : row.exchangeRate,
      presentmentCurrency: row.presentment?.currency.code, presentmentMinor: row.presentment?.amountMinor, isEcho: true)
    if case .other(let word) = row.kind {
      movement.kind = .adjustment
      movement.isEcho = false
      movement.isKnown = false
      movement.recordKind = .other
      try sink.add(
        UnknownWord(
          provider: provider, recordID: rowID, wordOf: "settlement.type", word: word, account: account,
          seenAt: settledAt,
          currency: currency.code, amountMinor: amounts.grossMinor))
    } else {
      try sink.add(
        RecordEvent(
          provider: provider, account: account, subject: isRefund ? .refund : .payment,
          recordID: isRefund ? movement.recordID : row.orderID,
          paymentID: row.orderID, eventID: rowID, state: isRefund ? .succeeded : .captured, feed: .settlement,
          currency: row.presentment?.currency.code ?? currency.code,
          amountMinor: row.presentment?.amountMinor ?? abs(amounts.grossMinor),
          happenedAt: settledAt, isEcho: true, origin: origin))
    }
    try addRow(movement, origin, sink)
  }

  /// The fee, which only the settlement contains, in a row of its own; nil where nothing was charged.
  private func addFee(
    _ row: AfterpaySettlementRow, _ rowID: String, _ amounts: AfterpaySettledAmounts, _ settledAt: Int64,
    _ currency: Currency,
    _ origin: Origin, _ sink: any RecordSink
  ) throws -> String? {
    guard amounts.feeMinor != 0 || amounts.taxMinor != 0 || amounts.brokenMinor != 0 else { return nil }
    let isRefund = row.kind == .refund
    let feeRowID = "\(rowID):fee"
    let ledgerRow = LedgerRow(
      provider: provider, rowID: feeRowID, account: account, category: "merchant_fee", currency: currency.code,
      amountMinor: amounts.brokenMinor, feeMinor: amounts.feeMinor, netMinor: amounts.brokenMinor - amounts.feeMinor,
      bookedAt: settledAt,
      isKnownCategory: true, feeSumMinor: amounts.feeMinor, paymentID: row.orderID,
      recordID: isRefund ? row.refundID ?? row.orderID : row.orderID, recordKind: isRefund ? .refund : .payment,
      origin: origin)
    try sink.add(ledgerRow, amounts.feePostings(currency))
    return feeRowID
  }
}

extension AfterpaySettlementRow {
  /// The type as one of our words.
  var word: String {
    switch kind {
    case .order: "order"
    case .refund: "refund"
    case .other(let word): word.lowercased()
    }
  }
}

/// A settlement row in minor units: the net rounded, the fee as the remainder, the tax as stated.
struct AfterpaySettledAmounts {
  let grossMinor: Int64
  let feeMinor: Int64
  let taxMinor: Int64
  /// The amount that is unaccounted for between gross, fee and net of a row whose own arithmetic fails.
  let brokenMinor: Int64

  init(_ row: AfterpaySettlementRow, _ currency: Currency) throws {
    grossMinor = row.gross.rounded(currency)
    taxMinor = row.tax.rounded(currency)
    let netMinor = row.net.rounded(currency)
    let isBroken = abs(try row.gross.minus(row.fee).minus(row.net).millionths) > 10_000
    let remains = grossMinor.subtractingReportingOverflow(netMinor)
    guard !remains.overflow else { throw MoneyError.overflow("a settlement row") }
    feeMinor = isBroken ? row.fee.rounded(currency) : remains.partialValue
    brokenMinor = isBroken ? netMinor - grossMinor + feeMinor : 0
  }
}
