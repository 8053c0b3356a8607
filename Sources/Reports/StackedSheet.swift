/// A sheet with one or several tables from top to bottom: column widths, frozen rows, and a title line above each of
/// several tables.
struct StackedSheet {
  private let sheet: SheetPlan.Sheet
  private let writer: SheetWriter

  init(_ sheet: SheetPlan.Sheet, _ writer: SheetWriter) {
    self.sheet = sheet
    self.writer = writer
  }

  /// Sets what belongs to the sheet as a whole.
  func begin() throws(ReportError) {
    for column in 0..<(sheet.tables.map(\.columns.count).max() ?? 0) {
      let columns = sheet.tables.compactMap { $0.columns.indices.contains(column) ? $0.columns[column] : nil }
      let width = columns.map(\.width).max() ?? 14
      if isFolded(column) {
        writer.foldColumn(width: width, column: column)
      } else {
        writer.setWidth(width, column: column)
      }
    }
    if sheet.tables.count == 1, sheet.tables[0].report.sheet.shows.isEmpty == false { writer.setZoom(85) }
    writer.freezeHeading(through: UInt32(sheet.tables.first?.headingRow ?? 0))
  }

  /// A table's title, where a sheet has several; the top line stays visible and links to each of them.
  func heading(of table: SheetPlan.Table) throws(ReportError) {
    guard sheet.tables.count > 1 else { return }
    writer.text(table.report.title, writer.styles.subtitle)
    if table.headingRow == 1 {
      writer.column = 3
      for other in sheet.tables.dropFirst() {
        writer.link(other.report.title, to: "#\(CellAddress.sheet(sheet.name))A\(other.headingRow)")
      }
    }
    try writer.endRow()
  }

  /// Columns that are collapsed, on a sheet with a single table.
  private func isFolded(_ column: Int) -> Bool {
    guard sheet.tables.count == 1, let shown = sheet.tables.first?.report.sheet.shows.count, shown > 0 else {
      return false
    }
    return column >= shown
  }
}

extension SheetPlan.Sheet {
  /// Whether one of its tables links to rows of others, and its own rows are known before they are written.
  func isSmall(_ links: LinkIndex) -> Bool { tables.contains { links.small.contains($0.report.name) } }
}
