import TestSupport
import Testing

@testable import Files

/// The CSV reader: RFC 4180, and what comes in its place.
@Suite struct CSVReaderTests {
  @Test(arguments: [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("\u{feff}a,b\n1,2\r", [["a", "b"], ["1", "2"]]), ("\u{feff}\"a\",b", [["a", "b"]]), ("", []), ("\n\r\n  \n", []),
    ("\"a,b\",\"c\"\"d\",\"\"\n", [["a,b", "c\"d", ""]]),
    ("\"two\nlines\",\"and\r\nmore\"\n", [["two\nlines", "and\r\nmore"]]),
    ("a,,\n,\n", [["a", "", ""], ["", ""]]), (" a , \"b\n", [[" a ", " \"b"]]), ("a\n\n\nb", [["a"], ["b"]]),
    ("5\" pipe,x\n", [["5\" pipe", "x"]]), ("ü,漢,🧾\n", [["ü", "漢", "🧾"]]), ("\"\"\"\"\n", [["\""]]),
  ])
  func `rows and cells are those of RFC 4180`(text: String, expected: [[String]]) throws {
    for step in [1, 2, 7, 1 << 16] { try #expect(rows(of: text, step: step).map(\.cells) == expected) }
  }

  @Test func `the row's number is the one a spreadsheet shows`() throws {
    let rows = try rows(of: "h\n\n\"two\nlines\"\nlast")
    #expect(rows.map(\.number) == [1, 3, 4])
  }

  @Test(arguments: [
    ("h\n1,\"open\n2,b\n3,c\n", "a quote is opened and never closed"),
    ("h\n1,\"a\"x,b\n2,b\n3,c\n", "text follows a closing quote"),
    ("h\n1,\"open\n2,\"b\"\n3,c", "text follows a closing quote"),
    ("h\n1,LONG\n2,b\n3,c", "the row is longer than 256 KiB"),
    ("h\n1,\"LONG\n2,b\n3,c", "the row is longer than 256 KiB"),
  ])
  func `a row that cannot be distinguished costs only its own line`(text: String, problem: String) throws {
    let rows = try rows(of: text.replacing("LONG", with: String(repeating: "x", count: 300_000)))
    #expect(rows.map { $0.problem ?? "" } == ["", problem, "", ""])
    #expect(rows.map { $0.cells.first ?? "" } == ["h", "", "2", "3"])
    #expect(rows.map(\.number) == [1, 2, 3, 4])
  }

  @Test func `a cell that is not UTF-8 has no text`() throws {
    var bytes = Array("a,b\nx,".utf8)
    bytes += [0xff, 0xfe, UInt8(ascii: "\n")]
    let reader = try CSVReader(fill: filler(bytes, step: 3))
    try #expect(reader.next() && reader.next())
    #expect(reader.text(0) == "x" && reader.text(1) == nil)
  }

  @Test func `what is written by the rules is read back, whatever it holds`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let columns = Int.random(in: 2...5, using: &random)
      let table = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        (0..<columns).map { _ in Self.cell(&random) }
      }
      let lineBreak = Bool.random(using: &random) ? "\n" : "\r\n"
      let text = table.map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: lineBreak)
      try #expect(
        rows(of: text, step: Int.random(in: 1...40, using: &random)).map(\.cells) == table, "\(text.debugDescription)")
    }
  }

  private static func cell(_ random: inout SeededGenerator) -> String {
    let letters = ["a", "\"", ",", "\n", "\r\n", "\r", " ", "é", "漢", "=", "'", "\t", "1"]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &random)]
    }
    .joined()
  }

  private static func quoted(_ cell: String) -> String {
    "\"\(cell.replacing("\"", with: "\"\""))\""
  }

  @Test func `no prefix of a file brings the reader down`() throws {
    let bytes = Array("\u{feff}a,b\r\n\"x\"\"\",\"y\nz\"\r\n1,\"2\"3\n\n漢,\"\"\n".utf8)
    for length in 0...bytes.count {
      let reader = try CSVReader(fill: filler(Array(bytes[..<length]), step: 5))
      while try reader.next() { _ = (0..<reader.count).map { reader.text($0) } }
    }
  }

  private struct ReadRow {
    var number: Int
    var problem: String?
    var cells: [String]
  }

  private func rows(of text: String, step: Int = 4096) throws -> [ReadRow] {
    let reader = try CSVReader(fill: filler(Array(text.utf8), step: step))
    var rows: [ReadRow] = []
    while try reader.next() {
      let cells = (0..<reader.count).map { reader.text($0) ?? "no UTF-8" }
      rows.append(ReadRow(number: reader.number, problem: reader.problem?.rawValue, cells: cells))
    }
    return rows
  }

  /// Gives the bytes a few at a time.
  private func filler(_ bytes: [UInt8], step: Int) -> (UnsafeMutableRawBufferPointer) -> Int {
    var rest = bytes[...]
    return { buffer in
      let piece = rest.prefix(min(step, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }
}
