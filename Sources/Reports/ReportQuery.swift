import Storage

/// The statement of a report, without its comments and with its parameters numbered from 1 without a gap.
///
/// PostgreSQL requires exactly as many values as a statement has parameters, so a query that uses only `$2` is given
/// one.
package struct ReportQuery: Sendable {
  /// The statement as the database runs it.
  package let sql: String
  /// The range's value for each parameter: 1 the first instant, 2 the end, 3 the first day, 4 the last day.
  let places: [Int]

  /// - Throws: `ReportError.badDefinition` for an empty file, a second statement or a parameter beyond `$4`.
  package init(_ text: String, path: String) throws(ReportError) {
    var reader = QueryReader(text: Array(text.utf8), path: path)
    try reader.read()
    sql = reader.statement
    places = reader.places
    if sql.isEmpty { throw .badDefinition(path: path, line: 1, reason: "expected one select statement") }
  }

  func values(_ range: ReportRange) -> [SQLValue] { places.map { range.values[$0 - 1] } }
}

/// Reads the bytes of a statement: quoted text is copied unchanged, comments are left out.
private struct QueryReader {
  let text: [UInt8]
  let path: String
  var places: [Int] = []
  private var output: [UInt8] = []
  private var index = 0
  private var line = 1
  private var isEnded = false

  init(text: [UInt8], path: String) {
    self.text = text
    self.path = path
  }

  /// The statement with its line breaks, so that a line in a database error is the file's; empty if there is none.
  var statement: String {
    let end = output.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    return String(decoding: output[..<end], as: UTF8.self)
  }

  mutating func read() throws(ReportError) {
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skipComment()
      case UInt8(ascii: "'"), UInt8(ascii: "\""): copyQuoted()
      case UInt8(ascii: "$"): try takePlace()
      case UInt8(ascii: ";"):
        isEnded = true
        index += 1
      default: try copy()
      }
    }
  }

  private var next: UInt8? { index + 1 < text.count ? text[index + 1] : nil }

  private mutating func copy() throws(ReportError) {
    let byte = text[index]
    if byte == 0x0A { line += 1 }
    if isEnded, byte > 0x20 {
      throw .badDefinition(path: path, line: line, reason: "a report is one statement; another begins here")
    }
    output.append(byte)
    index += 1
  }

  private mutating func skipComment() {
    while index < text.count, text[index] != 0x0A { index += 1 }
  }

  private mutating func copyQuoted() {
    let quote = text[index]
    repeat {
      if text[index] == 0x0A { line += 1 }
      output.append(text[index])
      index += 1
    } while index < text.count && text[index] != quote
    if index < text.count { output.append(quote) }
    index += 1
  }

  /// Replaces `$2` by its number among the parameters used.
  private mutating func takePlace() throws(ReportError) {
    var number = 0
    index += 1
    while index < text.count, let figure = Character(Unicode.Scalar(text[index])).wholeNumberValue, number < 100 {
      number = number * 10 + figure
      index += 1
    }
    guard (1...4).contains(number) else {
      throw .badDefinition(
        path: path, line: line,
        reason: "$\(number) means nothing; $1 is the range's first instant, $2 its end, $3 its first day, $4 its last")
    }
    if !places.contains(number) { places.append(number) }
    output += Array("$\((places.firstIndex(of: number) ?? 0) + 1)".utf8)
  }
}
