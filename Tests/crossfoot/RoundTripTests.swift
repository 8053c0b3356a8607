import Foundation
import TestSupport
import Testing

/// The sheet Discrepancies as finance has it on the screen: LibreOffice opens it, people edit it, LibreOffice saves it.
@Suite(
  "The way back through a spreadsheet program", .onItsOwnThread,
  .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"),
  .serialized)
struct RoundTripTests {
  /// The published sheet: where the columns and the discrepancies stand.
  private struct Sheet {
    let book: WorkbookFile
    let columns: [String: Int]
    let rows: [[String]]

    init(_ site: NightSite) async throws {
      book = WorkbookFile("\(site.folder.path)/output/\(site.range())/reconciliation.xlsx")
      rows = try await book.rows("Discrepancies")
      columns = Dictionary(uniqueKeysWithValues: try #require(rows.first).enumerated().map { ($1, $0) })
    }

    /// The letters of a column of this sheet, which has fewer than 27.
    func letter(_ column: String) throws -> String {
      String(UnicodeScalar(UInt8(65 + (try #require(columns[column])))))
    }

    /// The address of a column's cell, of the discrepancy of that number from 0.
    func cell(_ column: String, _ number: Int) throws -> String { "\(try letter(column))\(number + 2)" }

    func id(_ number: Int) throws -> String { rows[number + 1][try #require(columns["Id"])] }

    /// A step that writes a text into a cell, as typed.
    func write(_ text: String, _ column: String, _ number: Int) throws -> String {
      "sheet.getCellRangeByName(\"\(try cell(column, number))\").String = \"\(text.replacing("\"", with: "\"\""))\""
    }

    let begin = "sheet = book.Sheets.getByName(\"Discrepancies\")"
  }

  private func read(_ file: String, _ site: NightSite, _ arguments: [String] = []) async throws -> CommandRun {
    try await CommandRun(
      ["discrepancies", "import", file, "--by", "anna", "--resources", NightSite.checkout] + arguments,
      in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  @Test("Filled in, sorted, filtered, a column and two rows inserted, saved: exactly the intended decisions, and once")
  func edited() async throws {
    try await NightSite.serve(orders: 120, faults: 12) { site in
      _ = try await site.run()
      let sheet = try await Sheet(site)
      let difference = try #require(sheet.columns["Difference"])
      let amounts = (0..<sheet.rows.count - 1).filter { !sheet.rows[$0 + 1][difference].isEmpty }
      try #require(sheet.rows.count > 8 && amounts.count > 3)
      let (owned, seen, noted, whole) = (amounts[0], amounts[1], amounts[2], amounts[3])
      let steps =
        [
          sheet.begin, try sheet.write("ben", "Owner", owned), try sheet.write("acknowledge", "Status", seen),
          try sheet.write("asked \"Lösch & Co\" <twice>", "Note", noted), try sheet.write("cleo", "Owner", whole),
          try sheet.write("Write-Off", "Status", whole), try sheet.write("=2+2 is no formula", "Note", whole),
        ] + sorted(sheet.rows.count, by: difference) + filtered
        + [
          "sheet.Columns.insertByIndex(2, 1)", "sheet.getCellRangeByName(\"C1\").String = \"Mine\"",
          "sheet.getCellRangeByName(\"C3\").String = \"look\"",
          "sheet.Rows.insertByIndex(0, 1)", "sheet.getCellRangeByName(\"A1\").String = \"For Monday's meeting\"",
          "sheet.Rows.insertByIndex(5, 1)",
        ]
      let filled = site.folder.path + "/filled.xlsx"
      try await LibreOffice.edit(sheet.book.path, into: filled, steps)
      try await expectEdited(filled, sheet, site)

      let expected = try [
        "\(sheet.id(owned)): assign ben", "\(sheet.id(seen)): acknowledge",
        "\(sheet.id(noted)): note asked \"Lösch & Co\" <twice>",
        "\(sheet.id(whole)): assign cleo", "\(sheet.id(whole)): write-off",
        "\(sheet.id(whole)): note =2+2 is no formula",
      ]
      let dry = try await read("filled.xlsx", site, ["--dry-run"])
      #expect(
        dry.output.split(separator: "\n").dropLast().map(String.init).sorted() == expected.sorted(),
        "\(dry.output)\(dry.errors)")
      #expect(try await read("filled.xlsx", site).output.hasSuffix("6 decisions recorded\n"))
      #expect(try await read("filled.xlsx", site).output == "nothing to change\n")

      _ = try await site.run("report")
      let next = try await Sheet(site)
      for (number, word, text) in [
        (owned, "Owner", "ben"), (whole, "Owner", "cleo"), (whole, "State", "written_off"),
        (seen, "State", "acknowledged"),
      ] {
        let id = try sheet.id(number)
        let row = try #require(next.rows.first { $0[next.columns["Id"] ?? 0] == id })
        #expect(row[next.columns[word] ?? 0] == text, "\(word)")
      }
      #expect(try await read("output/\(site.range())/reconciliation.xlsx", site).output == "nothing to change\n")
      try await LibreOffice.edit(next.book.path, into: site.folder.path + "/untouched.xlsx", [])
      #expect(try await read("untouched.xlsx", site).output == "nothing to change\n")
    }
  }

  private func sorted(_ rows: Int, by field: Int) -> [String] {
    [
      "table = sheet.getCellRangeByName(\"A1:V\(rows)\")", "Dim fields(0) As New com.sun.star.table.TableSortField",
      "fields(0).Field = \(field)",
      "fields(0).IsAscending = True", "Dim order(1) As New com.sun.star.beans.PropertyValue",
      "order(0).Name = \"ContainsHeader\"", "order(0).Value = True",
      "order(1).Name = \"SortFields\"", "order(1).Value = fields()", "table.sort(order())",
    ]
  }

  /// Only what is high is shown.
  private var filtered: [String] {
    [
      "wanted = table.createFilterDescriptor(True)", "Dim terms(0) As New com.sun.star.sheet.TableFilterField",
      "terms(0).Field = 0",
      "terms(0).IsNumeric = False", "terms(0).StringValue = \"high\"",
      "terms(0).Operator = com.sun.star.sheet.FilterOperator.EQUAL",
      "wanted.setFilterFields(terms())", "wanted.ContainsHeader = True", "table.filter(wanted)",
    ]
  }

  /// It is another order of rows, some of them hidden, and a column further to the right.
  private func expectEdited(_ path: String, _ sheet: Sheet, _ site: NightSite) async throws {
    let edited = WorkbookFile(path)
    let rows = try await edited.rows("Discrepancies")
    let place = try #require(sheet.columns["Id"])
    let before = sheet.rows.dropFirst().map { $0[place] }
    let after = rows.dropFirst(2).map { $0[place + 1] }.filter { !$0.isEmpty }
    #expect(before != after && before.sorted() == after.sorted())
    let parts = try await edited.lint(in: site.folder.path + "/parts").parts
    #expect(
      try parts.contains {
        try $0.hasSuffix("sheet2.xml") && String(contentsOfFile: $0, encoding: .utf8).contains("hidden=\"true\"")
      })
  }

  @Test("Saved as .ods or with a password: refused, with what to do instead")
  func otherFiles() async throws {
    try await NightSite.serve(faults: 2) { site in
      _ = try await site.run()
      let book = try await Sheet(site).book
      let ods = try await LibreOffice.convert(book.path, to: .ods, recalculating: false, into: site.folder.path)
      let refused = try await read((ods as NSString).lastPathComponent, site)
      #expect(refused.status == 64, "\(refused.output)")
      #expect(
        refused.errors
          == "crossfoot: reconciliation.ods is no workbook: xl/workbook.xml is not in it; save it as .xlsx\n")
      try await LibreOffice.edit(book.path, into: site.folder.path + "/locked.xlsx", password: "hidden", [])
      let locked = try await read("locked.xlsx", site)
      #expect(
        locked.status == 64
          && locked.errors
            == "crossfoot: locked.xlsx is no workbook that can be read; save it as .xlsx, without a password\n"
      )
      #expect(!FileManager.default.fileExists(atPath: site.folder.path + "/landing/decisions.jsonl"))
    }
  }

  @Test("Whatever does not fit is named by sheet and cell, all of it at once, and what fits is recorded")
  func refused() async throws {
    try await NightSite.serve(orders: 120, faults: 12) { site in
      _ = try await site.run()
      let sheet = try await Sheet(site)
      let last = sheet.rows.count - 1
      let steps = [
        sheet.begin, "sheet.getCellRangeByName(\"\(try sheet.cell("Note", 0))\").Formula = \"=1/0\"",
        try sheet.write("done", "Status", 1),
        try sheet.write("d_0000000000000000", "Id", 2), try sheet.write("ben", "Owner", 2),
        try sheet.write("ben", "Owner", 3),
        try sheet.write(try sheet.id(3), "Id", 4), try sheet.write("cleo", "Owner", 4),
        try sheet.write("acknowledge", "Status", last),
        try sheet.write("that one", "Id", 5), try sheet.write("see above", "Note", 5),
      ]
      try await LibreOffice.edit(sheet.book.path, into: site.folder.path + "/filled.xlsx", steps)
      let refused = try await read("filled.xlsx", site)
      #expect(
        try refused.status == 64 && refused.output == "\(sheet.id(3)): assign ben\n1 decision recorded\n",
        "\(refused.output)")
      let words = try [
        "Discrepancies!\(sheet.cell("Note", 0)) holds the error #DIV/0! of a formula; write a text there",
        "Discrepancies!\(sheet.cell("Status", 1)): \"done\" is none of acknowledge, resolve, write-off, reopen",
        "Discrepancies!\(sheet.cell("Id", 2)): d_0000000000000000 is not among the discrepancies of the last run",
        "Discrepancies, row 6: \(sheet.id(3)) is repeated, also at Discrepancies, row 5",
        "Discrepancies!\(sheet.cell("Status", last)) is filled in, and Discrepancies!\(sheet.cell("Id", last)) names "
          + "no discrepancy",
        "Discrepancies!\(sheet.cell("Note", 5)) is filled in, and Discrepancies!\(sheet.cell("Id", 5)) holds \"that "
          + "one\"",
      ]
      for sentence in words { #expect(refused.errors.contains(sentence), "\(sentence): \(refused.errors)") }

      let (type, note) = (try sheet.letter("Type"), try sheet.letter("Note"))
      let renamed = [sheet.begin, "sheet.getCellRangeByName(\"\(type)1\").String = \"Note\""]
      try await LibreOffice.edit(sheet.book.path, into: site.folder.path + "/twice.xlsx", renamed)
      let twice = try await read("twice.xlsx", site)
      #expect(
        twice.errors.hasSuffix("has two columns that are called note, \(type) and \(note); rename one\n"),
        "\(twice.errors)")
      #expect(try site.folder.read("landing/decisions.jsonl").split(separator: "\n").count == 1)

      let other = [
        sheet.begin, "sheet.getCellRangeByName(\"\(note)1\").String = \"Remarks\"", try sheet.write("dora", "Owner", 3),
      ]
      try await LibreOffice.edit(sheet.book.path, into: site.folder.path + "/renamed.xlsx", other)
      let lacking = try await read("renamed.xlsx", site)
      #expect(
        try lacking.status == 64 && lacking.output == "\(sheet.id(3)): assign dora\n1 decision recorded\n",
        "\(lacking.output)")
      #expect(
        lacking.errors.contains("renamed.xlsx: the sheet Discrepancies has no column Note, so nothing of it is read"),
        "\(lacking.errors)")
    }
  }
}
