import Payments

/// One row of the balance summary of a batch: its opening balance, the sum of its rows, the payout, or the closing
/// balance (docs/providers/cashapp.md section 2).
struct CashAppBalance {
  /// Cash App's name of the stated amount, and its meaning; nil for an unknown name.
  let word: String
  let name: BatchValueName?
  let amount: Int64
  let currency: Currency
  /// When the batch closed, from its rows; nil where there are none.
  let closedAt: Int64?

  /// - Throws: `CashAppReadError` with the column.
  init(_ row: CashAppCells) throws {
    word = try row.required("category").lowercased().split { !$0.isLetter }.joined(separator: "_")
    name = Self.words[word]
    amount = try row.requiredCents("net_amount")
    currency = try row.currency("currency")
    closedAt = try row.moment("settled_at")
  }

  static let words: [String: BatchValueName] = [
    "starting_balance": .opening, "ending_balance": .closing, "payout": .payout, "activity": .activity,
  ]
}

extension CashAppReader {
  /// One of the four rows. The balance is the client's, for all its merchants together; so is the payout.
  ///
  /// The opening and closing balances become lines of the payout beside the batch's rows: so these add up to it, and a
  /// batch without a payout passes its rows on.
  func read(_ row: CashAppBalance, _ file: CashAppFileName, _ origin: Origin, _ sink: any RecordSink) throws {
    let closedAt = row.closedAt ?? file.day.map(CashAppCalendar.cutOff) ?? origin.observedAt
    let rowID = "\(file.batchID)/\(row.word)"
    if file.batchID != saidOfBatch?.batchID {
      try say(CashAppBatchWord(batchID: file.batchID, closedAt: closedAt), origin, sink)
    }
    guard let name = row.name else {
      let money = Money(amountMinor: row.amount, currency: row.currency)
      try reportUnknown(
        row.word, of: "balance_summary.category", record: rowID, account: clientID, at: closedAt, money: money, sink)
      return
    }
    try sink.add(
      BatchValue(
        provider: provider, account: clientID, batchID: file.batchID, currency: row.currency.code, name: name,
        rowID: rowID,
        amountMinor: row.amount, origin: origin))
    switch name {
    case .opening: try addCarry(row.amount, rowID, file, row.currency, origin, sink)
    case .closing: try addCarry(-row.amount, rowID, file, row.currency, origin, sink)
    case .payout: try addPayout(row.amount, rowID, file, row.currency, closedAt, origin, sink)
    case .activity: break
    }
  }

  private func addCarry(
    _ amount: Int64, _ rowID: String, _ file: CashAppFileName, _ currency: Currency, _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    guard amount != 0 else { return }
    try sink.add(
      PayoutLine(
        provider: provider, payoutID: file.batchID, rowID: rowID, currency: currency.code, netMinor: amount,
        origin: origin))
  }

  /// One transfer to the bank per batch, whose bank statement line contains the batch; a day with a negative balance
  /// pays nothing.
  private func addPayout(
    _ amount: Int64, _ rowID: String, _ file: CashAppFileName, _ currency: Currency, _ closedAt: Int64,
    _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    guard amount != 0 else { return }
    var builder = PostingBuilder(currency.code)
    builder.post(.payout, .bank, -amount)
    try sink.add(
      LedgerRow(
        provider: provider, rowID: rowID, account: clientID, category: "payout", sourceID: file.batchID,
        currency: currency.code,
        amountMinor: -amount, feeMinor: 0, netMinor: -amount, bookedAt: closedAt, availableAt: closedAt,
        isKnownCategory: true,
        feeSumMinor: 0, recordID: file.batchID, recordKind: .payout, origin: origin),
      builder.postings)
    try sink.add(
      Payout(
        provider: provider, payoutID: file.batchID, account: clientID, currency: currency.code, amountMinor: amount,
        createdAt: closedAt,
        status: "paid", isItemised: true, rowID: rowID, bankReference: file.batchID, origin: origin))
  }
}
