import CXLSXWriter

/// The rows of a sheet being written, cell by cell, in any order within a row.
///
/// A night of a million payments has seventy million cells, and the library processes each with `printf`, a `double`
/// and a copy of its own. Here the same elements are written (ECMA-376 part 1, 18.3.1.4 and 18.3.1.73) and compressed
/// at once; they are put into the library's archive when the workbook is closed. Amounts are exact decimals.
final class SheetRows {
  /// The minimum number of bytes that are compressed together.
  private static let pieceSize = 1 << 18
  let sheet: UnsafeMutablePointer<lxw_worksheet>
  let part: CompressedPart
  /// Ranges of the sheet with a filter of their own.
  var tables: [SheetTable] = []
  /// The row's height in points, if it differs from the sheet's default.
  var height: Double?
  /// The row's number, from 1, as digits.
  private var number = ShortText("1")
  private var columns: [Column] = []
  private var cells: [Cell] = []
  private var bytes = ByteBuffer(capacity: 4096)
  /// Where the bytes of the row's cells begin.
  private var content = 0
  private var isInOrder = true

  /// The start of a cell's bytes; they end where the next one's begin.
  private struct Cell {
    let column: UInt16
    let start: Int
  }

  /// The bytes that all cells of a column begin with, and those for the style it had last.
  private struct Column {
    let opening: ShortText
    var style: CellStyle?
    var ending: ShortText
  }

  /// - Parameter directory: The folder for the rows once they are many.
  init(_ sheet: UnsafeMutablePointer<lxw_worksheet>, directory: String) {
    self.sheet = sheet
    part = CompressedPart(directory: directory)
  }

  /// A text without control characters.
  func text(_ text: UnsafeRawBufferPointer, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append(" t=\"inlineStr\"><is><t")
    // Parsers drop spaces at either end.
    if text.first == 0x20 || text.last == 0x20 { bytes.append(" xml:space=\"preserve\"") }
    bytes.append(">")
    escaped(text)
    bytes.append("</t></is></c>")
  }

  /// Minor units as an exact decimal, or any whole number where there are no digits.
  func decimal(_ minor: Int64, digits: Int, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append("><v>")
    bytes.append(decimal: minor, digits: digits)
    bytes.append("</v></c>")
  }

  func number(_ value: Double, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append("><v>")
    escaped("\(value)"[...])
    bytes.append("</v></c>")
  }

  func blank(at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append("/>")
  }

  /// A formula with its numeric value.
  func formula(_ text: String, value: Double, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append("><f>")
    escaped(text.dropFirst())
    bytes.append("</f><v>")
    escaped("\(value)"[...])
    bytes.append("</v></c>")
  }

  /// A formula with its text value.
  func formula(_ text: String, value: String, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    bytes.append(" t=\"str\"><f>")
    escaped(text.dropFirst())
    bytes.append("</f><v>")
    escaped(value[...])
    bytes.append("</v></c>")
  }

  /// Ends the row, which is written only if it has any cell or property, and begins the next.
  ///
  /// - Parameter row: Its index, from 0.
  /// - Throws: `ReportError.diskFull`.
  func end(row: UInt32) throws(ReportError) {
    if !cells.isEmpty || height != nil { finish(row) }
    if bytes.count >= Self.pieceSize { try drain() }
    cells.removeAll(keepingCapacity: true)
    (isInOrder, height) = (true, nil)
    number = ShortText("\(row + 2)")
  }

  /// Compresses the waiting bytes.
  func drain() throws(ReportError) {
    guard bytes.count > 0 else { return }
    try part.append(bytes.bytes)
    bytes.removeAll()
  }

  private func finish(_ row: UInt32) {
    if cells.isEmpty { begin() }
    if !isInOrder { sort() }
    bytes.append("</row>")
    if let height {
      let attributes = Array(" ht=\"\(height)\" customHeight=\"1\"".utf8)
      attributes.withUnsafeBytes { bytes.insert($0, at: content - 1) }
    }
    sheet.pointee.dim_rowmin = min(sheet.pointee.dim_rowmin, row)
    sheet.pointee.dim_rowmax = max(sheet.pointee.dim_rowmax, row)
    guard let first = cells.first, let last = cells.last else { return }
    sheet.pointee.dim_colmin = min(sheet.pointee.dim_colmin, first.column)
    sheet.pointee.dim_colmax = max(sheet.pointee.dim_colmax, last.column)
  }

  private func begin() {
    bytes.append("<row r=\"")
    bytes.append(number)
    bytes.append("\">")
    content = bytes.count
  }

  /// Sorts the cells by column; if there are several in one column the last one counts.
  private func sort() {
    let written = Array(bytes.bytes[content...])
    var last: [UInt16: Range<Int>] = [:]
    for (index, cell) in cells.enumerated() {
      let end = index + 1 < cells.count ? cells[index + 1].start : bytes.count
      last[cell.column] = (cell.start - content)..<(end - content)
    }
    bytes.cut(to: content)
    cells.removeAll(keepingCapacity: true)
    for (column, range) in last.sorted(by: { $0.key < $1.key }) {
      cells.append(Cell(column: column, start: bytes.count))
      written[range].withUnsafeBytes { bytes.append($0) }
    }
  }

  private func open(_ column: UInt16, _ style: CellStyle) {
    if cells.isEmpty { begin() } else if cells[cells.count - 1].column >= column { isInOrder = false }
    cells.append(Cell(column: column, start: bytes.count))
    let index = Int(column)
    while columns.count <= index {
      let opening = ShortText("<c r=\"\(CellAddress.letters(columns.count))")
      columns.append(Column(opening: opening, style: nil, ending: ShortText("")))
    }
    if columns[index].style != style {
      let format = lxw_format_get_xf_index(style)
      columns[index].style = style
      columns[index].ending = ShortText(format > 0 ? "\" s=\"\(format)\"" : "\"")
    }
    bytes.append(columns[index].opening)
    bytes.append(number)
    bytes.append(columns[index].ending)
  }

  private func escaped(_ text: Substring) {
    var text = text
    text.withUTF8 { escaped(UnsafeRawBufferPointer($0)) }
  }

  private func escaped(_ text: UnsafeRawBufferPointer) {
    var isPlain = true
    for byte in text where byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") {
      isPlain = false
    }
    if isPlain { return bytes.append(text) }
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): bytes.append("&amp;")
      case UInt8(ascii: "<"): bytes.append("&lt;")
      case UInt8(ascii: ">"): bytes.append("&gt;")
      default: bytes.append(byte)
      }
    }
  }
}
