/// Reads CSV by RFC 4180, row by row, in memory bounded by one row: line breaks in quotes, LF or CRLF, a byte order
/// mark.
///
/// Used instead of libcsv, which gives up a whole file at its first bad quote (or, when lenient, lets it swallow the
/// rows that follow), and does not report row numbers. Here a malformed row costs only its own line: reading continues
/// with the next one. Spaces belong to their cell, and a quote inside an unquoted cell is an ordinary character.
package final class CSVReader {
  /// What is wrong with a row itself.
  package enum Problem: String {
    case unclosedQuote = "a quote is opened and never closed"
    case textAfterQuote = "text follows a closing quote"
    case tooLong = "the row is longer than 256 KiB"
  }

  /// The longest row, in bytes.
  static let rowLimit = 256 << 10

  /// The row's number as a spreadsheet counts: the header is row 1, blank rows count.
  package private(set) var number = 0
  /// What is wrong with the row; it then has no cells.
  package private(set) var problem: Problem?
  /// Whether the file ends with this row, without a line break.
  package var isCutOff: Bool {
    isAtEnd && start + length == end && (length == 0 || bytes[start + length - 1] != Letter.lineFeed)
  }

  private var cells: [Cell] = []
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// Where the bytes that have been read end in `bytes`.
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

  private enum Letter {
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
  }

  /// - Parameter fill: puts the next bytes into the buffer and returns how many; 0 at the end.
  package init(fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self.fill = fill
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    if try mark.indices.allSatisfy({ try byte($0) == mark[$0] }) { length = mark.count }
  }

  deinit { bytes.deallocate() }

  /// How many cells the row has.
  package var count: Int { cells.count }

  /// A cell's text; nil when its bytes are not UTF-8.
  package func text(_ column: Int) -> String? {
    let text = String(validating: self.bytes(column), as: UTF8.self)
    return cells[column].hasDoubledQuotes ? text.map { $0.replacing("\"\"", with: "\"") } : text
  }

  /// A cell's bytes as they are in the file, a doubled quote still doubled; valid until the next row.
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let cell = cells[column]
    return UnsafeRawBufferPointer(rebasing: bytes[(start + cell.from)..<(start + cell.to)])
  }

  /// Goes to the next row that is not blank; false at the end.
  package func next() throws -> Bool {
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
    problem == nil && cells.count == 1 && bytes(0).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// The byte at an offset from the row's beginning, read if necessary; nil at the end of the file.
  private func byte(_ offset: Int) throws -> UInt8? {
    while start + offset >= end {
      if isAtEnd { return nil }
      try readOn()
    }
    return bytes[start + offset]
  }

  /// Moves the row to the buffer's beginning and fills the rest of the buffer.
  private func readOn() throws {
    let kept = end - start
    if kept > bytes.count / 2 {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      bytes.deallocate()
      bytes = larger
    } else if start > 0 {
      UnsafeMutableRawBufferPointer(rebasing: bytes[..<kept]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    (start, end) = (0, kept)
    let count = try fill(UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
    end += count
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
      let isQuoted = try byte(length) == Letter.quote
      if let problem = isQuoted ? try scanQuoted() : try scanPlain() { return problem }
      ending = try endCell()
    }
    return nil
  }

  /// Scans an unquoted cell up to its comma, line break or the end; a CR before the line break belongs to the line
  /// break.
  private func scanPlain() throws -> Problem? {
    let from = length
    repeat {
      length = offset(after: length) { $0 == Letter.comma || $0 == Letter.lineFeed }
      if length > Self.rowLimit { return .tooLong }
    } while try start + length == end && byte(length) != nil
    let isComma = try byte(length) == Letter.comma
    let hasReturn = !isComma && length > from && bytes[start + length - 1] == Letter.carriageReturn
    cells.append(Cell(from: from, to: hasReturn ? length - 1 : length))
    return nil
  }

  /// Scans a quoted cell up to the byte after its closing quote.
  private func scanQuoted() throws -> Problem? {
    var cell = Cell(from: length + 1, to: length + 1)
    while true {
      cell.to = offset(after: cell.to) { $0 == Letter.quote }
      if cell.to > Self.rowLimit { return .tooLong }
      guard let byte = try byte(cell.to) else { return .unclosedQuote }
      if byte == Letter.quote {
        guard try self.byte(cell.to + 1) == byte else { break }
        cell.hasDoubledQuotes = true
        cell.to += 2
      }
    }
    cells.append(cell)
    length = cell.to + 1
    if try byte(length) == Letter.carriageReturn { length += 1 }
    let next = try byte(length)
    return next == nil || next == Letter.comma || next == Letter.lineFeed ? nil : .textAfterQuote
  }

  /// The offset of the next matching byte among those in memory, or their end.
  ///
  /// This is the only loop over every byte, and so the only one that uses unsafe memory.
  @inline(__always) private func offset(after offset: Int, where isIt: (UInt8) -> Bool) -> Int {
    let (bytes, end) = (bytes, end)
    var at = start + offset
    while at < end, !isIt(bytes[at]) { at += 1 }
    return at - start
  }

  /// Takes the comma or line break after a cell.
  private func endCell() throws -> Ending {
    let ending: Ending = try byte(length) == Letter.comma ? .cell : .row
    if try byte(length) != nil { length += 1 }
    return ending
  }

  /// Skips a row: the next one begins after the first line break, regardless of quotes.
  private func skipLine() throws {
    cells.removeAll(keepingCapacity: true)
    length = 0
    while let byte = try byte(length), byte != Letter.lineFeed {
      length += 1
      if length >= Self.rowLimit {
        start += length
        length = 0
      }
    }
    if try byte(length) != nil { length += 1 }
  }
}
