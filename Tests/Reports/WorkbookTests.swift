import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// The workbook, as far as its bytes report; how it looks is for people.
@Suite struct WorkbookTests {
  private func workbook(_ folder: String) -> String { "\(folder)/reconciliation.xlsx" }

  @Test func `the same night gives the same bytes, whatever the folder and the hour`() throws {
    try Night.store { database in
      try Night.folder { one in
        try Night.folder { other in
          try Night.folder { temporary in
            let first = try Night.write(database, into: one)
            let second = try Night.write(database, into: other, WorkbookSettings(temporaryDirectory: temporary))
            #expect(first == second)
            try #expect(Night.bytes(workbook(one)) == Night.bytes(workbook(other)))
            try #expect(FileManager.default.contentsOfDirectory(atPath: temporary) == [])
          }
        }
      }
      try Night.folder { folder in
        try Night.write(database, into: folder)
        let archive = try Archive(Night.bytes(workbook(folder)))
        #expect(
          archive.parts.count > 10 && archive.moments.count == 1,
          "a part carries the hour of its writing: \(archive.moments)")
      }
    }
  }

  @Test func `what a spreadsheet would run stays text`() throws {
    try Night.store { database in
      try Night.folder { folder in
        try Night.write(database, into: folder)
        let sheets = try self.sheets(folder)
        #expect(sheets.contains("<t>=HYPERLINK(&quot;") || sheets.contains("<t>=HYPERLINK(\""))
        #expect(sheets.contains("<t>@TRACE-1</t>") && sheets.contains("<t>-2+3</t>"))
        // Formulas are our own: sums, counts, comparisons, and links into the workbook or to a configured dashboard.
        let formulas = sheets.matches(of: #/<f>([A-Z]+|[-$(])/#).map { String($0.1) }
        #expect(
          Set(formulas).isSubset(of: ["ROUND", "SUMIFS", "COUNTIFS", "SUM", "IF", "HYPERLINK", "-", "$", "("]),
          "\(Set(formulas))")
        #expect(!sheets.contains("<hyperlink") && !sheets.contains("[1]"))
      }
    }
  }

  @Test func `beyond its limit a sheet says so and names the file that holds everything`() throws {
    try Night.store { database in
      try Night.folder { folder in
        let files = try Night.write(database, into: folder, WorkbookSettings(maximumRows: 3))
        #expect(files.first { $0.name == "entries.csv" }?.rows == 17)
        let sheets = try self.sheets(folder)
        #expect(sheets.contains("The first 3 of 17 rows are shown here. entries.csv contains all of them."))
        #expect(sheets.contains("Entries: The first 3 of 17 rows"))
      }
    }
  }

  @Test func `a text that a cell cannot hold is cut, and the sheet says so`() throws {
    try Night.store { database in
      try database.execute(
        "update discrepancy set note = $1 where discrepancy_id = 'd1'", [.text(String(repeating: "ü", count: 40_000))])
      try Night.folder { folder in
        try Night.write(database, into: folder)
        let sheets = try self.sheets(folder)
        #expect(sheets.contains(String(repeating: "ü", count: 32_766) + "…<"))
        #expect(
          sheets.contains(
            "Texts cut at the length limit of a cell, ending in …: 1. discrepancies.csv has the full texts."))
        try #expect(Night.text("\(folder)/discrepancies.csv").contains(String(repeating: "ü", count: 40_000)))
      }
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\u{1}b\tc\nd", "a b c d"), ("_x0041_", "_x005F_x0041_"), ("_x41_", "_x41_"),
    ("é\u{85}\u{7F}", "é  "),
    ("\u{FFFE}", " "),
  ])
  func `a cell's text is what XML and the spreadsheet can hold`(text: String, expected: String) {
    let bytes = Array(text.utf8)
    let cell = bytes.withUnsafeBytes { CellText($0, limit: 100).bytes }
    #expect(String(decoding: cell, as: UTF8.self) == expected)
    #expect(bytes.withUnsafeBytes { CellText.isPlain($0) } == (text == "plain"))
  }

  @Test(arguments: [
    ("", 1), ("short", 1), ("nine char s", 2), ("one two three four five six", 3), ("abcdefghijklmnopqrstuvwxyz", 3),
    ("üüü üüü üüü", 2),
  ])
  func `a text in a narrow column takes so many lines`(text: String, lines: Int) {
    #expect(Array(text.utf8).withUnsafeBytes { CellText.lines($0, width: 10) } == lines)
  }

  @Test func `bytes that are no UTF-8 never reach the library`() {
    let cell = [UInt8(ascii: "a"), 0xC3, 0x28].withUnsafeBytes { CellText($0, limit: 100).bytes }
    #expect(String(decoding: cell, as: UTF8.self) == "a\u{FFFD}(")
  }

  @Test(arguments: [
    (1000, 2, 10.0), (-5, 2, -0.05), (5120, 3, 5.12), (500, 0, 500), (9_007_199_254_740_993, 2, 90_071_992_547_409.93),
  ])
  func `an amount is the double nearest to its decimal`(minor: Int64, digits: Int, expected: Double) {
    #expect(CellNumber.major(minor, digits: digits) == expected)
  }

  @Test func `cells are in their order, what was written last counts, texts are escaped and amounts exact`() throws {
    try Night.folder { folder in
      let book = try Workbook(
        path: "\(folder)/rows.xlsx", title: "Rows & columns", createdAt: 0, settings: WorkbookSettings())
      let writer = try SheetWriter(book, name: "Rows")
      writer.column = 2
      writer.text("a < b & c > \"d\"")
      writer.column = 0
      writer.integer(-7)
      writer.text(" spaced ")
      writer.column = 0
      writer.amount(-5, digits: 2)
      try writer.endRow()
      try writer.skip(to: 3)
      writer.instant(1_772_323_230)
      writer.amount(9_007_199_254_740_993, digits: 2)
      writer.instant(.max)
      try writer.endRow()
      try book.close()
      let sheet = try Archive(Night.bytes("\(folder)/rows.xlsx")).sheets.replacing(#/ s="[0-9]+"/#, with: "")
      let first =
        #"""
        <row r="1"><c r="A1"><v>-0.05</v></c><c r="B1" t="inlineStr"><is><t xml:space="preserve"> spaced </t></is></c>
        """#
      #expect(
        sheet.contains(
          first + #"<c r="C1" t="inlineStr"><is><t>a &lt; b &amp; c &gt; "d"</t></is></c></row><row r="4">"#))
      #expect(sheet.contains(#"<c r="A4"><v>46082.00034722222</v></c><c r="B4"><v>90071992547409.93</v></c>"#))
      #expect(sheet.contains(#"<dimension ref="A1:C4"/>"#) && sheet.contains("&amp;CRows &amp;&amp; columns&amp;R"))
    }
  }

  @Test func `rows go only where the library has left a place for them`() throws {
    try Night.store { database in
      try Night.folder { folder in
        try Night.write(database, into: folder)
        let before = try Night.bytes(workbook(folder))
        for sheet in [1, 1000] {
          let part = CompressedPart(directory: folder)
          try part.append(Array("<row r=\"1\"></row>".utf8), .more)
          let archive = try WorkbookArchive(path: workbook(folder))
          #expect(throws: ReportError.self) { try archive.insert(part, sheet: sheet, directory: folder) }
        }
        try #expect(Night.bytes(workbook(folder)) == before)
        try Night.cut(workbook(folder), by: 30)
        #expect(throws: ReportError.self) { try WorkbookArchive(path: workbook(folder)) }
      }
    }
  }

  @Test func `each of several tables has a filter of its own, one without rows has none`() throws {
    try Night.store { database in
      try Night.folder { folder in
        try Night.write(database, into: folder)
        let parts = try Archive(Night.bytes(workbook(folder))).parts
        let types = try #require(parts.first { $0.name == "[Content_Types].xml" }?.text)
        var rowless = 0
        for sheet in parts where sheet.name.hasPrefix("xl/worksheets/sheet") {
          let number = sheet.name.dropFirst("xl/worksheets/sheet".count).prefix { $0.isNumber }
          let relations = parts.first { $0.name == "xl/worksheets/_rels/sheet\(number).xml.rels" }?.text ?? ""
          let named = sheet.text.matches(of: #/<tablePart r:id="([A-Za-z0-9]+)"/#).map { String($0.1) }
          #expect(sheet.text.contains("<tableParts count=\"\(named.count)\">") == !named.isEmpty)
          for name in named {
            let target = try #require(
              relations.firstMatch(of: try Regex("Id=\"\(name)\"[^>]*Target=\"\\.\\./(tables/table[0-9]+\\.xml)\"")))
            let path = String(try #require(target.output[1].substring))
            let table = try #require(parts.first { $0.name == "xl/\(path)" }?.text)
            #expect(types.contains("PartName=\"/xl/\(path)\""))
            let range = try #require(table.firstMatch(of: #/<autoFilter ref="A([0-9]+):[A-Z]+([0-9]+)"/>/#))
            let (heading, last) = (try #require(Int(range.1)), try #require(Int(range.2)))
            #expect(last > heading && table.contains("ref=\"A\(heading):"))
          }
          if sheet.text.contains("<t>None.</t>"), !sheet.text.contains("<autoFilter") { rowless += 1 }
        }
        let tables = parts.filter { $0.name.hasPrefix("xl/tables/") }.map(\.text)
        func values(_ attribute: String) throws -> [String] {
          try tables.map {
            String(try #require($0.firstMatch(of: try Regex(" \(attribute)=\"([^\"]+)\""))?.output[1].substring))
          }
        }
        try #expect(values("id") == tables.indices.map { "\($0 + 1)" })
        try #expect(Set(values("displayName")).count == tables.count && tables.count > 3)
        #expect(rowless > 0, "the night has a table without rows on a sheet of several")
      }
    }
  }

  @Test func `a table that the format does not allow is none`() throws {
    func table(_ headings: [String], rows: Int = 1) -> SheetTable? {
      SheetTable(report: "fees", headings: headings, headingRow: 1, lastRow: 1 + rows)
    }
    #expect(table(["Fee"], rows: 0) == nil)
    #expect(table(["Fee", "fee"]) == nil && table(["Fee", ""]) == nil)
    let part = try #require(table(["Fee", "Cost & \"share\" < 1\nof _x0041_"], rows: 3)).part(number: 7)
    #expect(part.contains("id=\"7\" name=\"report_fees\" displayName=\"report_fees\" ref=\"A2:B5\""))
    #expect(part.contains("<tableColumn id=\"2\" name=\"Cost &amp; &quot;share&quot; &lt; 1 of _x005F_x0041_\"/>"))
  }

  @Test func `a sheet of many rows is whole, and leaves no file behind`() throws {
    try Night.folder { folder in
      let book = try Workbook(path: "\(folder)/rows.xlsx", title: "Rows", createdAt: 0, settings: WorkbookSettings())
      let (writer, seed) = (try SheetWriter(book, name: "Rows"), UInt64(20_260_301))
      print("seed \(seed)")
      var random = SeededGenerator(seed: seed)
      // Hardly to be compressed: more than what is kept in memory.
      let texts = (0..<1500).map { _ in
        String(
          decoding: (0..<1000).map { _ in UInt8.random(in: 0x21...0x7E, using: &random) }.filter {
            !"&<>_".utf8.contains($0)
          }, as: UTF8.self)
      }
      for text in texts {
        writer.text(text)
        try writer.endRow()
      }
      try book.close()
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["rows.xlsx"])
      let sheet = try Archive(Night.bytes("\(folder)/rows.xlsx")).sheets
      let rows = texts.enumerated().map {
        "<row r=\"\($0 + 1)\"><c r=\"A\($0 + 1)\" s=\"1\" t=\"inlineStr\"><is><t>\($1)</t></is></c></row>"
      }
      #expect(sheet.components(separatedBy: "sheetData>")[1] == rows.joined() + "</")
    }
  }

  @Test func `the date is the night's, whatever another thread asks the C library at the same moment`() async throws {
    let isOver = Mutex(false)
    let other = Thread {
      var elsewhere = time_t(86_400)
      while !isOver.withLock({ $0 }) { _ = gmtime(&elsewhere) }
    }
    other.start()
    defer { isOver.withLock { $0 = true } }
    try Night.folder { folder in
      let books = try (0..<40).map { number in
        let path = "\(folder)/\(number).xlsx"
        let book = try Workbook(path: path, title: "Rows", createdAt: 1_772_323_200, settings: WorkbookSettings())
        _ = try SheetWriter(book, name: "Rows")
        try book.close()
        return try Night.bytes(path)
      }
      #expect(Set(books).count == 1)
    }
  }

  @Test func `the same rows give the same bytes, however many workbooks are written at the same moment`() throws {
    try Night.folder { folder in
      let books = Mutex<[Data: Int]>([:])
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 600) { number in
        do {
          let path = "\(folder)/\(number).xlsx"
          let book = try Workbook(path: path, title: "Rows", createdAt: 1_772_323_200, settings: WorkbookSettings())
          let writer = try SheetWriter(book, name: "Rows")
          for row in 0..<40 {
            try writer.row(
              ["po_\(row * 7919)", "ch_\(row)", "2026-03-0\(row % 9)", "\(row * 31).07"], writer.styles.text)
          }
          try book.close(isFlushed: false)
          let bytes = Data(try Night.bytes(path))
          books.withLock { $0[bytes, default: 0] += 1 }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
      #expect(failures.withLock { $0 } == [])
      let counts = books.withLock { $0 }
      if let kept = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_KEEP"], counts.count > 1 {
        for (place, book) in counts.keys.enumerated() {
          try book.write(to: URL(fileURLWithPath: "\(kept)/book-\(place).xlsx"))
        }
      }
      #expect(counts.count == 1, "\(counts.values.sorted())")
    }
  }

  private func sheets(_ folder: String) throws -> String { try Archive(Night.bytes(workbook(folder))).sheets }
}
