/// The last sheet: the meaning of each column and each check, in one sentence.
struct DefinitionsSheet {
  private static let widths = [22.0, 26, 26, 110]
  private let writer: SheetWriter

  init(_ workbook: Workbook) throws(ReportError) {
    writer = try SheetWriter(workbook, name: "Definitions")
    for (index, width) in Self.widths.enumerated() { writer.setWidth(width, column: index) }
  }

  func write(_ reports: [ReportDefinition], glossary: [GlossaryEntry]) throws(ReportError) {
    writer.freezeHeading()
    try writer.row(["Where", "Heading", "Name", "Meaning"], writer.styles.heading)
    for column in SummarySheet.definitions { try row("Summary", column.heading, "", column.meaning) }
    for report in reports {
      try row(report.sheet.name, "", report.destination.includesCSV ? report.csvName : "", report.description)
      for column in report.columns { try row(report.sheet.name, column.header, column.name, column.definition) }
    }
    for entry in glossary { try row(entry.area, "", entry.word, entry.meaning) }
    writer.filter(columns: 4, lastRow: Int(writer.row) - 1)
    try writer.endRow()
  }

  private func row(_ place: String, _ heading: String, _ name: String, _ meaning: String) throws(ReportError) {
    writer.text(place)
    writer.text(heading)
    writer.text(name)
    var meaning = meaning
    meaning.withUTF8 { writer.wrapped(UnsafeRawBufferPointer($0), width: Self.widths[3]) }
    try writer.endRow()
  }
}
