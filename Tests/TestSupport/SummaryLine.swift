import Foundation

/// A line of the figures on a workbook's first sheet, as it shows.
package struct SummaryLine: Sendable {
  package let provider: String
  package let currency: String
  /// In the order of the sheet: captured, refunded, disputed, fees, transferred, commission, kept, paid out, exchange,
  /// reserves, adjustments, unclassified, balance change, and what the provider's own rows add up to.
  package let figures: [Decimal]
  /// What the control cell says.
  package let control: String
  /// The control cell, e.g. `Q8`.
  package let controlCell: String

  /// The lines of a workbook that was saved by us or by a spreadsheet program; sums of doubles are read to a tenth of a
  /// minor unit.
  package static func all(in workbook: WorkbookFile) async throws -> [SummaryLine] {
    let rows = try await workbook.rows("Summary")
    guard let head = rows.firstIndex(where: { $0.first == "Provider" && $0.contains("Captured") }) else { return [] }
    let end = rows[(head + 1)...].firstIndex { $0[0].isEmpty } ?? rows.endIndex
    return rows[(head + 1)..<end].enumerated().map { place, cells in
      SummaryLine(
        provider: cells[0], currency: cells[1], figures: cells[2...15].map { rounded($0) }, control: cells[16],
        controlCell: "Q\(head + place + 2)")
    }
  }

  private static func rounded(_ text: String) -> Decimal {
    var exact = Decimal(string: text) ?? .nan
    var result = Decimal()
    NSDecimalRound(&result, &exact, 4, .plain)
    return result
  }
}
