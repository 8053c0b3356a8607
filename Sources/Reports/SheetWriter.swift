import CXLSXWriter
import Foundation

/// Writes the cells of one sheet from left to right and from top to bottom.
///
/// Texts stay texts whatever they begin with. Formulas consist of addresses and quoted texts only, and are written with
/// their value.
final class SheetWriter {
  /// The longest text of a cell, in UTF-16 units.
  static let longestText = 32_767

  let name: String
  let styles: WorkbookStyles
  private let sheet: UnsafeMutablePointer<lxw_worksheet>
  private(set) var row: UInt32 = 0
  /// The column of the next cell; within a row any order is allowed.
  var column: UInt16 = 0
  /// How many texts were longer than a cell allows.
  private var cutTexts = 0
  private let cells: SheetRows
  private let title: String
  private var lines = 1
  fileprivate var dates = LastDate()
  /// The first error of the library; reported at the end of its row.
  private var refusal: lxw_error = LXW_NO_ERROR

  init(_ workbook: Workbook, name: String) throws(ReportError) {
    self.name = name
    styles = workbook.styles
    cells = try workbook.addSheet(name)
    sheet = cells.sheet
    worksheet_set_landscape(sheet)
    worksheet_set_paper(sheet, 9)
    worksheet_fit_to_pages(sheet, 1, 0)
    worksheet_set_margins(sheet, 0.4, 0.4, 0.5, 0.6)
    title = String(workbook.title.prefix(80).replacing("&", with: "&&"))
    setFooter("&A")
  }

  private func setFooter(_ left: String) { note(worksheet_set_footer(sheet, "&L\(left)&C\(title)&RPage &P of &N")) }

  /// Prints only the sheet's first rows.
  ///
  /// - Parameter all: the total number of rows, if the printed page must note that these are not all.
  func printOnly(columns: Int, through last: Int, of all: Int? = nil) {
    note(worksheet_print_area(sheet, 0, 0, UInt32(last), UInt16(max(columns, 1) - 1)))
    if let all { setFooter("&A, the first \(last) of \(all) rows") }
  }

  /// Prints at a fixed size, in per cent, where pages must end before certain rows: fitted to a page's width they would
  /// not.
  func setPrint(scale: UInt16, breaksBefore rows: [UInt32]) {
    worksheet_set_print_scale(sheet, scale)
    var breaks = rows + [0]
    note(worksheet_set_h_pagebreaks(sheet, &breaks))
  }

  func setWidth(_ width: Double, column: Int, through last: Int? = nil) {
    note(worksheet_set_column(sheet, UInt16(column), UInt16(last ?? column), width, nil))
  }

  func setHeight(_ height: Double) { cells.height = height }

  /// In per cent, so that what must be read at once fits a laptop's screen.
  func setZoom(_ percent: UInt16) { worksheet_set_zoom(sheet, percent) }

  /// Keeps the first row visible, also on each printed page; or the rows down to the given one, from 0.
  func freezeHeading(through last: UInt32 = 0) {
    worksheet_freeze_panes(sheet, last + 1, 0)
    note(worksheet_repeat_rows(sheet, 0, last))
  }

  /// The sheet's own filter, of the table that begins in its first row.
  func filter(columns: Int, lastRow: Int) {
    note(worksheet_autofilter(sheet, 0, 0, UInt32(max(lastRow, 0)), UInt16(columns - 1)))
  }

  /// Gives a range a filter of its own, in addition to others on the sheet.
  func filter(_ table: SheetTable) { cells.tables.append(table) }

  /// Collapses columns into an outline group.
  func foldColumn(width: Double, column: Int) {
    var options = lxw_row_col_options(hidden: 1, level: 1, collapsed: 0)
    note(worksheet_set_column_opt(sheet, UInt16(column), UInt16(column), width, nil, &options))
  }

  /// Highlights a word in a column; the word itself has the same meaning.
  func highlight(_ word: String, look: HighlightLook, column: Int, from first: UInt32, to last: UInt32) {
    withQuoted(word) { quoted in
      var format = lxw_conditional_format()
      format.type = UInt8(LXW_CONDITIONAL_TYPE_CELL.rawValue)
      format.criteria = UInt8(LXW_CONDITIONAL_CRITERIA_EQUAL_TO.rawValue)
      format.value_string = quoted
      format.format = styles.looks[look]
      note(worksheet_conditional_format_range(sheet, first, UInt16(column), last, UInt16(column), &format))
    }
  }

  /// Highlights one cell unless it contains a word.
  func highlightUnless(_ word: String, look: HighlightLook, row: UInt32, column: Int) {
    withQuoted(word) { quoted in
      var format = lxw_conditional_format()
      format.type = UInt8(LXW_CONDITIONAL_TYPE_CELL.rawValue)
      format.criteria = UInt8(LXW_CONDITIONAL_CRITERIA_NOT_EQUAL_TO.rawValue)
      format.value_string = quoted
      format.format = styles.looks[look]
      note(worksheet_conditional_format_cell(sheet, row, UInt16(column), &format))
    }
  }

  private func withQuoted(_ word: String, _ body: (UnsafeMutablePointer<CChar>?) -> Void) {
    let quoted = strdup(CellAddress.quoted(word))
    defer { free(quoted) }
    body(quoted)
  }

  /// Offers a list of words in a column's cells; a cell may be blank.
  func offer(_ words: [String], column: Int, from first: UInt32, to last: UInt32) {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    pointers.withUnsafeMutableBufferPointer { list in
      var validation = lxw_data_validation()
      validation.validate = UInt8(LXW_VALIDATION_TYPE_LIST.rawValue)
      validation.value_list = list.baseAddress
      note(worksheet_data_validation_range(sheet, first, UInt16(column), last, UInt16(column), &validation))
    }
  }

  /// Inserts a chart with its corner on a cell; its data may be on this sheet or another.
  func insert(_ chart: UnsafeMutablePointer<lxw_chart>, row: UInt32, column: Int, width: Double, height: Double) {
    var options = lxw_chart_options()
    options.x_scale = width / 480
    options.y_scale = height / 288
    options.object_position = UInt8(LXW_OBJECT_MOVE_DONT_SIZE.rawValue)
    note(worksheet_insert_chart_opt(sheet, row, UInt16(column), chart, &options))
  }

  func hideGrid() { worksheet_gridlines(sheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue)) }

  func text(_ text: String, _ style: CellStyle? = nil) {
    var text = text
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0), style) }
  }

  /// A text from others: control characters become spaces, and a text too long for a cell is cut with an ellipsis.
  func text(_ bytes: UnsafeRawBufferPointer, _ style: CellStyle? = nil) {
    defer { column += 1 }
    guard !bytes.isEmpty else { return }
    if CellText.isPlain(bytes) { return cells.text(bytes, at: column, style ?? styles.text) }
    let text = CellText(bytes, limit: Self.longestText)
    if text.isCut { cutTexts += 1 }
    text.bytes.withUnsafeBytes { cells.text($0, at: column, style ?? styles.text) }
  }

  func number(_ value: Double, _ style: CellStyle) {
    cells.number(value, at: column, style)
    column += 1
  }

  func blank() { column += 1 }

  /// An empty cell with a style.
  func blank(_ style: CellStyle) {
    cells.blank(at: column, style)
    column += 1
  }

  /// How many texts were cut since the last call.
  func takeCutTexts() -> Int {
    defer { cutTexts = 0 }
    return cutTexts
  }

  /// A formula with its numeric value.
  func formula(_ text: String, value: Double, _ style: CellStyle) {
    cells.formula(text, value: value, at: column, style)
    column += 1
  }

  /// A formula with its text value.
  func formula(_ text: String, value: String, _ style: CellStyle) {
    cells.formula(text, value: value, at: column, style)
    column += 1
  }

  /// A text with a link: `#'Fund flows'!A12`, or a URL; plain text if it is too long for a link.
  func link(_ text: String, to target: String, _ style: CellStyle? = nil) {
    guard text.utf16.count <= 255, target.utf16.count <= 255, !text.unicodeScalars.contains(where: { $0.value < 32 })
    else {
      return self.text(text, style)
    }
    formula("=HYPERLINK(\(CellAddress.quoted(target)),\(CellAddress.quoted(text)))", value: text, style ?? styles.link)
  }

  /// A wrapped text: the row's height is set for it, since in constant memory rows are not fitted automatically.
  func wrapped(_ bytes: UnsafeRawBufferPointer, width: Double) {
    lines = max(lines, CellText.lines(bytes, width: width))
    text(bytes, styles.wrapped)
  }

  /// Leaves rows blank up to a row, counted from 0.
  func skip(to row: UInt32) throws(ReportError) {
    while self.row < row { try endRow() }
  }

  func endRow() throws(ReportError) {
    if lines > 1 { setHeight(min(15 * Double(lines), 405)) }
    lines = 1
    guard refusal == LXW_NO_ERROR else {
      throw .workbook(place: "sheet \(name), row \(row + 1)", reason: String(cString: lxw_strerror(refusal)))
    }
    guard row < Self.rowsOfFormat else {
      throw .workbook(place: "sheet \(name)", reason: "it has more rows than a sheet can have")
    }
    try cells.end(row: row)
    row += 1
    column = 0
  }

  private static let rowsOfFormat: UInt32 = 1_048_576

  /// An exact decimal: a spreadsheet reads it as the nearest double.
  fileprivate func decimal(_ value: Int64, digits: Int, _ style: CellStyle) {
    cells.decimal(value, digits: digits, at: column, style)
    column += 1
  }

  private func note(_ code: lxw_error) { if refusal == LXW_NO_ERROR { refusal = code } }
}

extension SheetWriter {
  func integer(_ value: Int64) { decimal(value, digits: 0, styles.integer) }

  /// Minor units as the nearest number of major units.
  func amount(_ minor: Int64, digits: Int) { decimal(minor, digits: digits, styles.amounts[digits]) }

  func instant(_ seconds: Int64) {
    guard CellNumber.instants.contains(seconds) else {
      return number(Double(seconds) / 86_400 + 25_569, styles.instant)
    }
    decimal(CellNumber.serial(seconds), digits: CellNumber.digitsOfSerial, styles.instant)
  }

  /// `2026-03-01` as a date; anything else as text.
  func date(_ bytes: UnsafeRawBufferPointer) {
    if let serial = dates.serial(bytes) { decimal(serial, digits: 0, styles.date) } else { text(bytes) }
  }

  /// A cell of a table's heading, right-aligned over figures.
  func heading(_ text: String, isFigure: Bool) { self.text(text, isFigure ? styles.figureHeading : styles.heading) }

  func row(_ texts: [String], _ style: CellStyle) throws(ReportError) {
    for text in texts { self.text(text, style) }
    try endRow()
  }
}
