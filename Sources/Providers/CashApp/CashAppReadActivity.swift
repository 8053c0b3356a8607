import Payments

/// Activity rows: captures, refunds and chargebacks with their fees, the only source of money
/// (docs/providers/cashapp.md section 2).
extension CashAppReader {
  /// A row counts once, whatever file it came in. It is booked when it happened; its money is
  /// available from the close of its batch, which may be later.
  ///
  /// The payment is the merchant's, since one client settles for many; the balance that the row moves is the client's.
  func read(_ row: CashAppActivity, _ file: CashAppFileName, _ origin: Origin, _ sink: any RecordSink) throws {
    let merchant = row.merchantID ?? clientID
    let amounts = row.amounts
    try say(
      CashAppBatchWord(batchID: row.batchID, chunk: file.chunk ?? 0, closedAt: row.settledAt ?? row.happenedAt), origin,
      sink)
    try sink.add(
      LedgerRow(
        provider: provider, rowID: row.rowID, account: clientID, category: row.word, sourceID: row.recordID,
        currency: row.currency.code,
        amountMinor: amounts.netAndFee, feeMinor: amounts.fee, netMinor: amounts.net, bookedAt: row.happenedAt,
        availableAt: row.settledAt, isKnownCategory: row.transaction != nil, feeSumMinor: amounts.fee,
        paymentID: row.paymentID,
        recordID: row.recordID, recordKind: row.kind, presentmentCurrency: row.currency.code,
        presentmentMinor: abs(amounts.gross),
        payoutID: row.batchID, origin: origin),
      row.postings)
    if let event = event(of: row, merchant, origin) { try sink.add(event) }
    if let paymentID = row.paymentID { try addReferences(of: paymentID, order: row.orderID, origin, sink) }
    if row.transaction == nil {
      let money = Money(amountMinor: amounts.net, currency: row.currency)
      try reportUnknown(
        row.word, of: "transaction_type", record: row.rowID, account: merchant, at: row.happenedAt, money: money, sink)
    }
    if let fault = amounts.fault {
      try sink.add(
        BrokenRow(
          provider: provider, account: merchant, rowID: row.rowID, paymentID: row.paymentID, batchID: row.batchID,
          currency: row.currency.code, expectedMinor: fault.expected, actualMinor: fault.actual,
          bookedAt: row.happenedAt,
          detail: fault.detail, origin: origin))
    }
  }

  /// The event of the row's record, by the id in the row; nil where the row has none.
  ///
  /// A reimbursement closes its dispute: whether that was won in full or in part follows from the amounts, which are in
  /// two rows. Each row is an event of its own: a record may have one in several batches.
  private func event(of row: CashAppActivity, _ merchant: String, _ origin: Origin) -> RecordEvent? {
    let gross = row.amounts.gross
    guard let transaction = row.transaction, let recordID = row.recordID, gross != 0 else { return nil }
    let (subject, state): (EventSubject, EventState) =
      switch transaction {
      case .capture: (.payment, gross > 0 ? .captured : .captureFailed)
      case .refund: (.refund, gross > 0 ? .failed : .succeeded)
      case .chargeback: (.dispute, gross > 0 ? .closed : .opened)
      }
    return RecordEvent(
      provider: provider, account: merchant, subject: subject, recordID: recordID, paymentID: row.paymentID,
      eventID: "\(recordID)#\(row.rowID)",
      state: state, feed: .settlement, currency: row.currency.code, amountMinor: abs(gross), happenedAt: row.happenedAt,
      method: transaction == .capture ? "cash_app" : nil, origin: origin)
  }

  /// A payment is referred to by its own id, and its order by the merchant's reference.
  func addReferences(of paymentID: String, order: String?, _ origin: Origin, _ sink: any RecordSink) throws {
    try sink.add(Reference(provider: provider, ownerID: paymentID, name: "payment", value: paymentID, origin: origin))
    guard let order, !order.isEmpty else { return }
    try sink.add(
      Reference(
        provider: provider, ownerID: paymentID, name: "reference_id", value: order, orderRank: 1, origin: origin))
  }

  /// Records the batch, and the batch's file that contains a row.
  func say(_ word: CashAppBatchWord, _ origin: Origin, _ sink: any RecordSink) throws {
    guard word != saidOfBatch else { return }
    saidOfBatch = word
    try sink.add(
      SettlementBatch(
        provider: provider, account: clientID, batchID: word.batchID, closedAt: word.closedAt,
        nextAt: CashAppCalendar.next(after: word.closedAt), origin: origin))
    if let chunk = word.chunk {
      try sink.add(BatchChunk(provider: provider, account: clientID, batchID: word.batchID, chunk: chunk))
    }
  }
}
