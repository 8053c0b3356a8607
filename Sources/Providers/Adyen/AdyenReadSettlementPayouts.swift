import Payments

/// What a settlement batch pays out, takes back, and carries over (docs/providers/adyen.md section 2.4).
extension AdyenReader {
  /// The payout of a row, and whether it is the first of its batch in its currency: that one pays all other rows in
  /// that currency.
  ///
  /// - Parameter name: the batch's name in the row's currency.
  func addPayout(
    _ row: AdyenSettlementRow, _ rowID: String, _ name: String, _ origin: Origin, _ sink: any RecordSink
  ) throws -> (id: String, isFirst: Bool)? {
    switch row.type.lowercased() {
    case "merchantpayout":
      let number = file.payout(name)
      let payoutID = number == 1 ? name : "\(name)/\(number)"
      if row.netMinor > 0 {
        try sink.add(debit(row, rowID, payoutID, isItemised: number == 1, origin))
      } else {
        try sink.add(payoutStep(row, rowID, payoutID, row.type, origin))
      }
      return (payoutID, number == 1)
    case "bankinstructionreturned":
      try sink.add(payoutStep(row, rowID, row.returnedPayoutID, "returned", origin))
      return (row.returnedPayoutID, false)
    default: return nil
    }
  }

  /// A payout is reported by its row, and its status follows from the row's type: a report states no other. A returned
  /// payout is reported in a later batch.
  private func payoutStep(
    _ row: AdyenSettlementRow, _ rowID: String, _ payoutID: String, _ status: String, _ origin: Origin
  )
    -> PayoutStep
  {
    PayoutStep(
      provider: provider, account: account, payoutID: payoutID, rowID: rowID, status: status, currency: row.net.code,
      amountMinor: -row.netMinor, happenedAt: row.bookedAt, bankReference: status == "returned" ? nil : row.words,
      origin: origin)
  }

  /// A payout towards Adyen: it debits the bank for the batch's deficit.
  private func debit(_ row: AdyenSettlementRow, _ rowID: String, _ payoutID: String, isItemised: Bool, _ origin: Origin)
    -> Payout
  {
    Payout(
      provider: provider, payoutID: payoutID, account: account, currency: row.net.code, amountMinor: -row.netMinor,
      createdAt: row.bookedAt, status: row.type, isItemised: isItemised, rowID: rowID, bankReference: row.words,
      origin: origin)
  }

  /// The amount that a batch carries over from the previous batch or to the next one; the reference distinguishes them.
  func addCarry(_ row: AdyenSettlementRow, _ rowID: String, _ origin: Origin, _ sink: any RecordSink) throws {
    guard row.type.lowercased() == "balancetransfer" else { return }
    let words = row.modificationMerchantReference.lowercased()
    let isOpening = words.contains("from batch")
    guard isOpening || words.contains("to batch") else { return }
    try sink.add(
      BatchValue(
        provider: provider, account: account, batchID: row.batchID, currency: row.net.code,
        name: isOpening ? .opening : .closing,
        rowID: rowID, amountMinor: isOpening ? row.netMinor : -row.netMinor, origin: origin))
  }
}

extension AdyenSettlementRow {
  /// The payout that was returned: its reference contains its batch (`TX1234567890XT batch 214, AcmeNL`); where it does
  /// not, the return counts on its own.
  var returnedPayoutID: String {
    let parts = (words ?? "").lowercased().split { !($0.isLetter || $0.isNumber) }
    let named = zip(parts, parts.dropFirst()).first { $0 == "batch" && Int64($1) != nil }?.1
    return named.map { "\(account)/\($0)" } ?? "\(batchID)/returned"
  }
}
