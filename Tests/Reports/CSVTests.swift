import Testing

@testable import Reports

/// The cells of a CSV file.
@Suite struct CSVTests {
  private func file(_ columns: Int, _ body: (CSVWriter) throws -> Void) throws -> String {
    try Night.folder { folder in
      let writer = try CSVWriter(folder: folder, name: "a.csv", columns: (0..<columns).map { "c\($0)" })
      try body(writer)
      let written = try writer.finish()
      let bytes = try Night.bytes("\(folder)/a.csv")
      #expect(written.bytes == Int64(bytes.count))
      return String(decoding: bytes.dropFirst(columns * 3), as: UTF8.self)
    }
  }

  private func text(_ text: String) throws -> String {
    try file(1) { writer in
      var text = text
      text.withUTF8 { writer.text(UnsafeRawBufferPointer($0)) }
      try writer.endRow()
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "a b"), ("=1+1", "'=1+1"), ("+1", "'+1"),
    ("-1", "'-1"),
    ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
    ("\u{FF20}x", "'\u{FF20}x"),
    ("\u{200B}=1", "'\u{200B}=1"), ("\u{FEFF}+1", "'\u{FEFF}+1"), ("\u{A0}=1", "'\u{A0}=1"),
    ("\u{2060}\u{AD}@x", "'\u{2060}\u{AD}@x"),
    (" \u{200B}=1", "' \u{200B}=1"), (" \u{FF1D}1", "' \u{FF1D}1"), ("\u{1}=1", "' =1"), ("\u{202E}-1", "'\u{202E}-1"),
    ("\u{2212}1", "'\u{2212}1"),
    ("\u{200B}a=1", "\u{200B}a=1"),
    ("\u{FF21}=1", "\u{FF21}=1"), (" a", " a"),
    ("@x", "'@x"), ("\tx", "' x"), ("\rx", "' x"), ("a=1", "a=1"), ("=\"x\",1", "\"'=\"\"x\"\",1\""),
    ("é\u{85}\u{0}ü", "é  ü"),
    ("Â", "Â"),
    ("-", "'-"), (" =1", " =1"), ("你好", "你好"),
  ])
  func `a text cell is quoted, and what a spreadsheet would run is neutralised`(cell: String, written: String) throws {
    try #expect(text(cell) == written + "\n")
  }

  @Test(arguments: [
    (0, 2, "0.00"), (5, 2, "0.05"), (-5, 2, "-0.05"), (100, 2, "1.00"), (500, 0, "500"), (-1, 0, "-1"),
    (5120, 3, "5.120"),
    (1, 4, "0.0001"),
    (Int64.max, 2, "92233720368547758.07"), (Int64.min, 0, "-9223372036854775808"),
    (Int64.min, 3, "-9223372036854775.808"),
  ])
  func `an amount has the digits of its currency`(minor: Int64, digits: Int, written: String) throws {
    let found = try file(1) { writer in
      writer.amount(minor, digits: digits)
      try writer.endRow()
    }
    #expect(found == written + "\n")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_399, "2000-02-28T23:59:59Z"),
      (951_868_799, "2000-02-29T23:59:59Z"),
      (4_102_444_800, "2100-01-01T00:00:00Z"), (.min, "0001-01-01T00:00:00Z"), (.max, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `an instant is RFC 3339 in UTC`(seconds: Int64, written: String) throws {
    let found = try file(1) { writer in
      writer.instant(seconds)
      try writer.endRow()
    }
    #expect(found == written + "\n")
  }

  @Test func `rows beyond the buffer are all there, and the hash is that of the file`() throws {
    let found = try file(2) { writer in
      for row in 0..<50_000 {
        writer.integer(Int64(row))
        writer.blank()
        try writer.endRow()
      }
    }
    #expect(found == (0..<50_000).map { "\($0),\n" }.joined())
  }
}
