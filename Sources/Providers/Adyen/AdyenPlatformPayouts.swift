import Payments

/// Payout reports: the bookings of a balance account in order, each group followed by the payout that pays it.
///
/// Where the rolling balance is not zero after the payout, debits were held back for the next one: the report then does
/// not show what was paid.
struct AdyenPlatformPayouts {
  private var file = ""
  /// Bookings that no payout has paid yet, by balance account and currency.
  private var waiting: [String: [PayoutLine]] = [:]

  mutating func add(
    _ row: AdyenPlatformRow, _ rollingMinor: Int64, file: String, _ provider: String, _ origin: Origin,
    _ sink: any RecordSink
  ) throws {
    if self.file != file { (self.file, waiting) = (file, [:]) }
    let key = "\(row.balanceAccount) \(row.currency.code)"
    guard row.category == "bank" else {
      guard !row.transactionID.isEmpty, row.balanceMinor != 0 else { return }
      waiting[key, default: []].append(
        PayoutLine(
          provider: provider, payoutID: "", rowID: row.transactionID, currency: row.currency.code,
          netMinor: row.balanceMinor, origin: origin))
      return
    }
    let lines = waiting.removeValue(forKey: key) ?? []
    guard row.balanceMinor < 0, rollingMinor == 0 else { return }
    for var line in lines {
      line.payoutID = row.transferID
      try sink.add(line)
    }
  }
}
