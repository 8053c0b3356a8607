/// Reads CSV by RFC 4180, row after row, in memory that one row bounds: line breaks in quotes, LF or CRLF, a byte order mark.
///
/// Ours rather than libcsv: libcsv gives up a whole file at its first bad quote (or, when lenient, lets it swallow the rows
/// that follow), and does not tell row numbers. Here a row that cannot be told apart costs only its own line: reading goes on
/// with the next one. Spaces belong to their cell, and a quote inside an unquoted cell is a letter like any other.
final class CSVReader {
  /// What is wrong with a row as such.
  enum Problem: String {
    case unclosedQuote = "a quote is opened and never closed"
    case textAfterQuote = "text follows a closing quote"
    case tooLong = "the row is longer than 256 KiB"
  }

  /// The longest row, in bytes.
  static let rowLimit = 256 << 10

  /// The row's number as a spreadsheet counts: the header is row 1, blank rows count.
  private(set) var number = 0
  /// What is wrong with the row; it then has no cells.
  private(set) var problem: Problem?
  private var cells: [Cell] = []

  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var bytes = [UInt8](repeating: 0, count: 64 << 10)
  /// Where the bytes that were read end in `bytes`.
  private var end = 0
  /// Where the row begins in `bytes`; all other offsets count from here.
  private var start = 0
  private var length = 0
  private var isAtEnd = false

  /// One cell: its bytes, from the row's beginning, without the quotes around it.
  private struct Cell {
    var from: Int
    var to: Int
    var hasDoubledQuotes = false
  }

  /// - Parameter fill: puts the next bytes into the buffer and returns how many; 0 at the end.
  init(fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self.fill = fill
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    if try mark.indices.allSatisfy({ try byte($0) == mark[$0] }) { length = mark.count }
  }

  /// How many cells the row has.
  var count: Int { cells.count }

  /// A cell's text; nil when its bytes are not UTF-8.
  func text(_ column: Int) -> String? {
    let cell = cells[column]
    let range = bytes[(start + cell.from)..<(start + cell.to)]
    let text = range.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    return cell.hasDoubledQuotes ? text.map { $0.replacing("\"\"", with: "\"") } : text
  }

  /// Goes to the next row that is not blank; false at the end.
  func next() throws -> Bool {
    repeat {
      start += length
      guard try byte(0) != nil else { return false }
      number += 1
      problem = try scanRow()
      if problem != nil { try skipLine() }
    } while isBlank
    return true
  }

  private var isBlank: Bool {
    problem == nil && cells.count == 1
      && bytes[(start + cells[0].from)..<(start + cells[0].to)].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// The byte at an offset from the row's beginning, read if need be; nil at the end of the file.
  private func byte(_ offset: Int) throws -> UInt8? {
    while start + offset >= end {
      if isAtEnd { return nil }
      try readOn()
    }
    return bytes[start + offset]
  }

  /// Moves the row to the buffer's beginning and reads what fits behind it.
  private func readOn() throws {
    if end - start > bytes.count / 2 { bytes.append(contentsOf: [UInt8](repeating: 0, count: bytes.count)) }
    let (from, kept) = (start, end - start)
    let count = try bytes.withUnsafeMutableBytes { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[from..<(from + kept)]))
      return try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
    }
    (start, end) = (0, kept + count)
    isAtEnd = count == 0
  }
}

extension CSVReader {
  private enum Ending { case cell, row }

  /// Finds the row's cells and its length.
  private func scanRow() throws -> Problem? {
    cells.removeAll(keepingCapacity: true)
    length = 0
    var ending = Ending.cell
    while ending == .cell {
      let isQuoted = try byte(length) == UInt8(ascii: "\"")
      if let problem = isQuoted ? try scanQuoted() : try scanPlain() { return problem }
      ending = try endCell()
    }
    return nil
  }

  /// Scans an unquoted cell up to its comma, line break or the end; a CR before the line break is the line break's.
  private func scanPlain() throws -> Problem? {
    let from = length
    while let byte = try byte(length), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") {
      if length >= Self.rowLimit { return .tooLong }
      length += 1
    }
    let isComma = try byte(length) == UInt8(ascii: ",")
    let hasReturn = try !isComma && length > from && byte(length - 1) == UInt8(ascii: "\r")
    cells.append(Cell(from: from, to: hasReturn ? length - 1 : length))
    return nil
  }

  /// Scans a quoted cell up to what follows its closing quote.
  private func scanQuoted() throws -> Problem? {
    var cell = Cell(from: length + 1, to: length + 1)
    while true {
      guard let byte = try byte(cell.to) else { return .unclosedQuote }
      if cell.to >= Self.rowLimit { return .tooLong }
      if byte == UInt8(ascii: "\"") {
        guard try self.byte(cell.to + 1) == byte else { break }
        cell.hasDoubledQuotes = true
        cell.to += 1
      }
      cell.to += 1
    }
    cells.append(cell)
    length = cell.to + 1
    if try byte(length) == UInt8(ascii: "\r") { length += 1 }
    let next = try byte(length)
    return next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: "\n") ? nil : .textAfterQuote
  }

  /// Takes the comma or line break after a cell.
  private func endCell() throws -> Ending {
    let ending: Ending = try byte(length) == UInt8(ascii: ",") ? .cell : .row
    if try byte(length) != nil { length += 1 }
    return ending
  }

  /// Gives up a row: the next one begins after the first line break, whatever the quotes say.
  private func skipLine() throws {
    cells.removeAll(keepingCapacity: true)
    length = 0
    while let byte = try byte(length), byte != UInt8(ascii: "\n") {
      length += 1
      if length >= Self.rowLimit {
        start += length
        length = 0
      }
    }
    if try byte(length) != nil { length += 1 }
  }
}
