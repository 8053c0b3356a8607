import Payments

/// The rows of a batch that settlement days pay.
extension Resolution {
  mutating func findDayLines() { dayLines = movementLines() + feeLines() + roundingLines() }

  private mutating func movementLines() -> [PayoutLineRecord] {
    let original = Dictionary(duplicates.map { (records.rows[$0.row].rowID, $0.original) }) { first, _ in first }
    let payments = records.exactNets.compactMap { net -> SettlementDayLines.Payment? in
      guard let row = row(net.rowID) else { return nil }
      let counted = (original[net.rowID] ?? nil).map { records.rows[$0] }
      return SettlementDayLines.Payment(
        net: net, rowID: counted?.rowID ?? net.rowID, netMinor: row.netMinor, reportedMinor: counted?.netMinor)
    }
    var lines: [PayoutLineRecord] = []
    for group in payments.grouped(by: \.rowID) {
      lines += resolve(group[0].rowID) { _ throws(MoneyError) in try SettlementDayLines.movements(group) } ?? []
    }
    return lines
  }

  private func feeLines() -> [PayoutLineRecord] {
    records.exactNets.compactMap { net in
      guard let row = row(net.feeRowID) else { return nil }
      return PayoutLineRecord(
        payoutID: net.payoutID, rowID: row.rowID, currency: net.currency, netMinor: row.netMinor,
        landedFile: net.landedFile,
        landedLine: net.landedLine)
    }
  }

  /// The remainder from rounding a day's single rows is a row of its own, named after the day (sql/days).
  private func roundingLines() -> [PayoutLineRecord] {
    records.rows.filter { $0.category == SettlementDayLines.roundingCategory }.map { row in
      PayoutLineRecord(
        payoutID: Text(String(row.rowID.string.dropFirst(SettlementDayLines.roundingPrefix.count))), rowID: row.rowID,
        currency: row.currency, netMinor: row.netMinor)
    }
  }
}
