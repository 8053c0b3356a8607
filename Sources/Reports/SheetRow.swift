import CXLSXWriter
import Foundation

/// The row of a sheet while it is written: its cells as the bytes of the sheet's part, in any order until the row ends.
///
/// A night of a million payments has seventy million cells, and the library takes each through `printf`, a `double` and a copy of its own. Here
/// the same elements are written (ECMA-376 part 1, 18.3.1.4 and 18.3.1.73) into the same temporary file, which the library puts into the part
/// when the workbook is closed; amounts are exact decimals.
struct SheetRow {
  private let sheet: UnsafeMutablePointer<lxw_worksheet>
  private let file: UnsafeMutablePointer<FILE>
  /// In points, where it is not the sheet's own.
  var height: Double?
  /// The row's number, counted from 1, in figures.
  private var number: [UInt8] = [UInt8(ascii: "1")]
  private var letters: [[UInt8]] = []
  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private var isInOrder = true
  private var figures = [UInt8](repeating: 0, count: 20)

  /// Where a cell's bytes lie.
  private struct Cell {
    let column: UInt16
    let start: Int
    var end: Int
  }

  init(_ sheet: UnsafeMutablePointer<lxw_worksheet>, name: String) throws(ReportError) {
    guard let file = sheet.pointee.optimize_tmpfile else { throw .workbook(place: "sheet \(name)", reason: "it has no temporary file") }
    self.sheet = sheet
    self.file = file
  }

  /// A text without control characters.
  mutating func text(_ text: UnsafeRawBufferPointer, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append(" t=\"inlineStr\"><is><t")
    // Parsers drop spaces at either end.
    if text.first == 0x20 || text.last == 0x20 { append(" xml:space=\"preserve\"") }
    append(">")
    escaped(text)
    append("</t></is></c>")
    close()
  }

  /// Minor units as an exact decimal, or any whole number where there are no digits.
  mutating func decimal(_ minor: Int64, digits: Int, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append("><v>")
    decimal(minor, digits: digits)
    append("</v></c>")
    close()
  }

  mutating func number(_ value: Double, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append("><v>")
    bytes.append(contentsOf: "\(value)".utf8)
    append("</v></c>")
    close()
  }

  mutating func blank(at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append("/>")
    close()
  }

  /// A formula with the number that it has.
  mutating func formula(_ text: String, value: Double, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append("><f>")
    escaped(text.dropFirst())
    append("</f><v>")
    bytes.append(contentsOf: "\(value)".utf8)
    append("</v></c>")
    close()
  }

  /// A formula with the text that it has.
  mutating func formula(_ text: String, value: String, at column: UInt16, _ style: CellStyle) {
    open(column, style)
    append(" t=\"str\"><f>")
    escaped(text.dropFirst())
    append("</f><v>")
    escaped(value[...])
    append("</v></c>")
    close()
  }

  /// Writes the row, if it has anything, and begins the next.
  ///
  /// - Parameter row: its place, counted from 0.
  mutating func end(row: UInt32) {
    if !cells.isEmpty || height != nil { write(row) }
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    (isInOrder, height) = (true, nil)
    number = Array("\(row + 2)".utf8)
  }

  private mutating func write(_ row: UInt32) {
    var head = Array("<row r=\"\(row + 1)\"".utf8)
    if let height { head += Array(" ht=\"\(height)\" customHeight=\"1\"".utf8) }
    head.append(UInt8(ascii: ">"))
    put(head[...])
    if isInOrder {
      put(bytes[...])
    } else {
      // What was written last into a cell stands there.
      var last: [UInt16: Cell] = [:]
      for cell in cells { last[cell.column] = cell }
      for cell in last.values.sorted(by: { $0.column < $1.column }) { put(bytes[cell.start..<cell.end]) }
    }
    put(Array("</row>".utf8)[...])
    sheet.pointee.dim_rowmin = min(sheet.pointee.dim_rowmin, row)
    sheet.pointee.dim_rowmax = max(sheet.pointee.dim_rowmax, row)
    for cell in cells {
      sheet.pointee.dim_colmin = min(sheet.pointee.dim_colmin, cell.column)
      sheet.pointee.dim_colmax = max(sheet.pointee.dim_colmax, cell.column)
    }
  }

  /// Whether the disk took it is asked when the workbook is closed.
  private func put(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
  }

  private mutating func open(_ column: UInt16, _ style: CellStyle) {
    while letters.count <= Int(column) { letters.append(Array(CellAddress.letters(letters.count).utf8)) }
    if let last = cells.last, last.column >= column { isInOrder = false }
    cells.append(Cell(column: column, start: bytes.count, end: bytes.count))
    append("<c r=\"")
    bytes.append(contentsOf: letters[Int(column)])
    bytes.append(contentsOf: number)
    append("\"")
    let index = lxw_format_get_xf_index(style)
    guard index > 0 else { return }
    append(" s=\"")
    decimal(Int64(index), digits: 0)
    append("\"")
  }

  private mutating func close() { cells[cells.count - 1].end = bytes.count }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func escaped(_ text: Substring) {
    var text = text
    text.withUTF8 { escaped(UnsafeRawBufferPointer($0)) }
  }

  private mutating func escaped(_ text: UnsafeRawBufferPointer) {
    var isPlain = true
    for byte in text where byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") { isPlain = false }
    if isPlain { return bytes.append(contentsOf: text) }
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      default: bytes.append(byte)
      }
    }
  }

  private mutating func decimal(_ value: Int64, digits: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var count = 0
    repeat {
      figures[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      count += 1
    } while rest > 0 || count <= digits
    while count > 0 {
      if count == digits { bytes.append(UInt8(ascii: ".")) }
      count -= 1
      bytes.append(figures[count])
    }
  }
}
