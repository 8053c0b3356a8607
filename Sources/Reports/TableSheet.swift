/// The sheet of one report: a frozen and filtered heading, then the rows, as far as the limit allows.
final class TableSheet {
  private let writer: SheetWriter
  private let report: ReportDefinition
  private let maximumRows: Int
  private let wraps: [Bool]
  private var rows = 0
  private var cell = 0

  init(_ workbook: Workbook, report: ReportDefinition, maximumRows: Int) throws(ReportError) {
    self.report = report
    self.maximumRows = maximumRows
    writer = try SheetWriter(workbook, name: report.sheet.name)
    wraps = report.columns.map(\.isWrapped)
    for (index, column) in report.columns.enumerated() { writer.setWidth(column.width, column: index) }
  }

  /// Writes the heading; called when the sheet's turn has come.
  func begin() throws(ReportError) {
    writer.freezeHeading()
    writer.setHeight(30)
    for column in report.columns {
      writer.heading(column.header, isFigure: column.format == .amount || column.format == .integer)
    }
    try writer.endRow()
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    if isOpen {
      if wraps[cell] { writer.wrapped(bytes, width: report.columns[cell].width) } else { writer.text(bytes) }
    }
    cell += 1
  }

  func date(_ bytes: UnsafeRawBufferPointer) { put { $0.date(bytes) } }
  func integer(_ value: Int64) { put { $0.integer(value) } }
  func instant(_ seconds: Int64) { put { $0.instant(seconds) } }
  func amount(_ minor: Int64, digits: Int) { put { $0.amount(minor, digits: digits) } }
  func blank() { put { $0.blank() } }

  func endRow() throws(ReportError) {
    if isOpen { try writer.endRow() }
    cell = 0
    rows += 1
  }

  /// Sets the filter, and says what the sheet leaves out.
  ///
  /// - Returns: a sentence for the summary about what it leaves out; nil when everything is there.
  func finish() throws(ReportError) -> String? {
    let shown = min(rows, maximumRows)
    writer.filter(columns: report.columns.count, lastRow: shown)
    guard let omission = omission(shown: shown) else { return nil }
    writer.text(omission, writer.styles.note)
    try writer.endRow()
    return "\(report.sheet.name): \(omission)"
  }

  private var isOpen: Bool { rows < maximumRows }

  private func put(_ body: (SheetWriter) -> Void) {
    if isOpen { body(writer) }
    cell += 1
  }

  private func omission(shown: Int) -> String? {
    var sentences: [String] = []
    let whole = report.destination.includesCSV ? "\(report.csvName) holds them all." : "The rest stands in no file."
    if rows > shown { sentences.append("The first \(shown) of \(rows) rows stand here. \(whole)") }
    if writer.cutTexts > 0 {
      sentences.append(
        "Texts cut at what a cell holds, ending in …: \(writer.cutTexts). \(report.csvName) has them whole.")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}

extension ReportColumn {
  /// Long texts break into lines, everything else stays on one.
  var isWrapped: Bool { format == .text && width >= 40 }
}
