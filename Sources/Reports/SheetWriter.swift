import CXLSXWriter
import Foundation

/// Writes the cells of one sheet from left to right and from top to bottom.
///
/// Texts stay texts whatever they begin with: nothing here writes a formula or a link.
final class SheetWriter {
  /// What a cell holds at most, in UTF-16 units.
  static let longestText = 32_767

  let name: String
  let styles: WorkbookStyles
  private let sheet: UnsafeMutablePointer<lxw_worksheet>
  private(set) var row: UInt32 = 0
  private(set) var column: UInt16 = 0
  /// Texts that were longer than a cell holds.
  private(set) var cutTexts = 0
  private var buffer: [CChar] = []
  private var lines = 1
  /// The first thing the library refused; reported at the end of its row.
  private var refusal: lxw_error = LXW_NO_ERROR

  init(_ workbook: Workbook, name: String) throws(ReportError) {
    self.name = name
    styles = workbook.styles
    sheet = try workbook.addSheet(name)
    worksheet_set_landscape(sheet)
    worksheet_set_paper(sheet, 9)
    worksheet_fit_to_pages(sheet, 1, 0)
    note(worksheet_set_footer(sheet, "&L&A&RPage &P of &N"))
  }

  func setWidth(_ width: Double, column: Int, through last: Int? = nil) {
    note(worksheet_set_column(sheet, UInt16(column), UInt16(last ?? column), width, nil))
  }

  func setHeight(_ height: Double) { note(worksheet_set_row(sheet, row, height, nil)) }

  /// Keeps the first row in sight, and on each printed page.
  func freezeHeading() {
    worksheet_freeze_panes(sheet, 1, 0)
    note(worksheet_repeat_rows(sheet, 0, 0))
  }

  func filter(columns: Int, lastRow: Int) {
    note(worksheet_autofilter(sheet, 0, 0, UInt32(lastRow), UInt16(columns - 1)))
  }

  func hideGrid() { worksheet_gridlines(sheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue)) }

  func text(_ text: String, _ style: CellStyle? = nil) {
    var text = text
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0), style) }
  }

  /// A text of others: control characters become spaces, what a cell cannot hold is cut with an ellipsis.
  func text(_ bytes: UnsafeRawBufferPointer, _ style: CellStyle? = nil) {
    defer { column += 1 }
    guard !bytes.isEmpty else { return }
    if CellText.isPlain(bytes) {
      buffer.removeAll(keepingCapacity: true)
      buffer.append(contentsOf: bytes.assumingMemoryBound(to: CChar.self))
    } else {
      let cell = CellText(bytes, limit: Self.longestText)
      if cell.isCut { cutTexts += 1 }
      buffer = cell.bytes.map { CChar(bitPattern: $0) }
    }
    buffer.append(0)
    note(worksheet_write_string(sheet, row, column, buffer, style ?? styles.text))
  }

  func number(_ value: Double, _ style: CellStyle) {
    note(worksheet_write_number(sheet, row, column, value, style))
    column += 1
  }

  func blank() { column += 1 }

  /// A text that breaks into lines: its row grows with it, as a row in constant memory knows no height of its own.
  func wrapped(_ bytes: UnsafeRawBufferPointer, width: Double) {
    lines = max(lines, CellText.lines(bytes, width: width))
    text(bytes, styles.wrapped)
  }

  func endRow() throws(ReportError) {
    if lines > 1 { setHeight(min(15 * Double(lines), 405)) }
    lines = 1
    guard refusal == LXW_NO_ERROR else {
      throw .workbook(place: "sheet \(name), row \(row + 1)", reason: String(cString: lxw_strerror(refusal)))
    }
    row += 1
    column = 0
  }

  private func note(_ code: lxw_error) { if refusal == LXW_NO_ERROR { refusal = code } }
}

extension SheetWriter {
  func integer(_ value: Int64) { number(Double(value), styles.integer) }

  /// Minor units as the nearest number of major units.
  func amount(_ minor: Int64, digits: Int) { number(CellNumber.major(minor, digits: digits), styles.amounts[digits]) }

  func instant(_ seconds: Int64) { number(CellNumber.serial(seconds), styles.instant) }

  /// `2026-03-01` as a date; anything else stays text.
  func date(_ bytes: UnsafeRawBufferPointer) {
    if let serial = CellNumber.serial(date: bytes) { number(serial, styles.date) } else { text(bytes) }
  }

  /// A cell of a table's head, to the right over figures.
  func heading(_ text: String, isFigure: Bool) { self.text(text, isFigure ? styles.figureHeading : styles.heading) }

  func row(_ texts: [String], _ style: CellStyle) throws(ReportError) {
    for text in texts { self.text(text, style) }
    try endRow()
  }
}
