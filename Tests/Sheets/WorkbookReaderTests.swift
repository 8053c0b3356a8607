import Foundation
import TestSupport
import Testing

@testable import Sheets

@Suite("Reading a workbook")
struct WorkbookReaderTests {
  /// Makes a workbook with Python's zipfile: parts by path; `@` and a number is so many spaces, `#` and a number so
  /// many bytes that fold less well,
  /// `*`, a number and a text that text so many times.
  private func workbook(_ parts: [String: String], _ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "sheets-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let script =
      "import sys,json,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
      + "import random\nrandom.seed(1)\nblock=''.join(random.choice('abcdefgh') for _ in range(20000))\n"
      + "def grown(v):\n c=v[0] if v else ''\n if c=='@': return ' '*int(v[1:])\n"
      + " if c=='#': n,h,t=v[1:].split(',',2); return h+block*(int(n)//20000)+t\n"
      + " if c=='*': n,h,m,t=v[1:].split(',',3); return h+m*int(n)+t\n return v\n"
      + "for k,v in json.load(sys.stdin).items(): z.writestr(k, grown(v))\nz.close()"
    try QuickRun.refuse("python3")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, folder + "/book.xlsx"]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(parts))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try body(folder + "/book.xlsx")
  }

  private let book = """
    <workbook xmlns="m" xmlns:r="r"><sheets><sheet name="Other" sheetId="1" r:id="rId1"/>
    <sheet name="Discrepancies" sheetId="2" r:id="rId2"/></sheets></workbook>
    """
  private let relations = """
    <Relationships><Relationship Id="rId1" Target="worksheets/a.xml"/>
    <Relationship Id="rId2" Target="/xl/worksheets/b.xml"/></Relationships>
    """
  private func parts(_ sheet: String, shared: String = "<sst/>") -> [String: String] {
    [
      "xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": relations, "xl/sharedStrings.xml": shared,
      "xl/worksheets/b.xml": sheet,
    ]
  }

  @Test("Cells of every type, gaps, rows without numbers, phonetic runs left out")
  func cells() throws {
    let sheet = """
      <worksheet><sheetData><row r="3"><c r="B3" t="s"><v>0</v></c>
      <c r="D3" t="inlineStr"><is><t>in</t><t>line</t></is></c>
      <c r="AB3"><f>1+1</f><v>2</v></c><c r="E3" t="str"><v>text</v></c></row><row><c><v>7</v></c><c><v>8</v></c></row>
      </sheetData></worksheet>
      """
    let shared = "<sst><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>no</t></rPh></si></sst>"
    try workbook(parts(sheet, shared: shared)) { path in
      var rows: [Int: [WorkbookReader.Cell]] = [:]
      try WorkbookReader(path: path).rows(ofSheet: "Discrepancies") { rows[$0] = $1 }
      #expect(
        rows[3] == [
          .init(column: 1, text: "shared"), .init(column: 3, text: "inline"), .init(column: 27, text: "2"),
          .init(column: 4, text: "text"),
        ])
      #expect(rows[4] == [.init(column: 0, text: "7"), .init(column: 1, text: "8")])
    }
  }

  private func refusal(
    _ parts: [String: String], sheet: String = "Discrepancies", mostText: Int = WorkbookReader.mostText
  ) throws -> String {
    var sentence = ""
    try workbook(parts) { path in
      do {
        try WorkbookReader(path: path, mostText: mostText).rows(ofSheet: sheet) { _, _ in }
      } catch { sentence = "\(error)" }
    }
    return sentence
  }

  @Test("A file that is none, or another's, is refused with a sentence")
  func foreign() throws {
    #expect(try refusal(["a.txt": "x"]).contains("xl/workbook.xml is not in it"))
    #expect(
      try refusal(parts("<worksheet/>"), sheet: "Nope").contains(
        "has no sheet Nope; is it a workbook of Crossfoot? It has Discrepancies, Other"))
    #expect(try refusal(parts("<worksheet><row>")).contains("line 1: "))
    let path = NSTemporaryDirectory() + "no-\(UUID().uuidString).xlsx"
    try Data("not a zip".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: SheetError.self) { try WorkbookReader(path: path) }
    #expect(throws: SheetError.self) { try WorkbookReader(path: path + ".missing") }
  }

  @Test("Entities are not expanded: a document type is refused")
  func entities() throws {
    let bomb =
      "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y "
      + "\"&x;&x;&x;\">]><worksheet><sheetData><row><c><v>&y;</v></c></row></sheetData></worksheet>"
    #expect(try refusal(parts(bomb)).contains("declares a document type"))
  }

  @Test("A zip bomb is refused before it unfolds")
  func bomb() throws {
    var bomb = parts("")
    bomb["xl/worksheets/b.xml"] = "@200000000"
    #expect(try refusal(bomb).contains("unfolds to more than a workbook of ours would hold"))
  }

  @Test("More text than a workbook of ours holds, more texts, a longer word, a larger index: refused, not kept")
  func hostile() throws {
    var huge = parts("<worksheet/>")
    huge["xl/sharedStrings.xml"] = "#70000000,<sst><si><t>,</t></si></sst>"
    #expect(try refusal(huge).contains("holds more text than a workbook of ours would"))
    huge["xl/sharedStrings.xml"] = "*70000,<sst>,<si/>,</sst>"
    #expect(try refusal(huge, mostText: 1 << 20).contains("holds more text than a workbook of ours would"))
    #expect(try refusal(huge) == "")
    huge["xl/sharedStrings.xml"] = "#9000000,<sst a=\",\"/>"
    #expect(try refusal(huge).contains("holds something longer than any workbook does"))
    huge["xl/sharedStrings.xml"] = "<sst/>"
    huge["xl/workbook.xml"] =
      "*400000,<workbook><sheets>,<sheet name=\"Discrepancies\" sheetId=\"1\" id=\"x\"/>,</sheets></workbook>"
    #expect(try refusal(huge).contains("the part xl/workbook.xml unfolds to more"))
  }

  @Test("A file that is cut, damaged, locked or saved as something else is refused with what to do")
  func damaged() throws {
    try workbook(parts("#200000,<worksheet><sheetData><row><c t=\"str\"><v>,</v></c></row></sheetData></worksheet>")) {
      path in
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      func sentence(_ bytes: Data) throws -> String {
        try bytes.write(to: URL(fileURLWithPath: path))
        do { try WorkbookReader(path: path).rows(ofSheet: "Discrepancies") { _, _ in } } catch { return "\(error)" }
        return "read"
      }
      #expect(try sentence(whole) == "read")
      for size in stride(from: 0, to: whole.count, by: max(1, whole.count / 50)) {
        #expect(
          try sentence(whole.prefix(size))
            == "book.xlsx is no workbook that can be read; save it as .xlsx, without a password", "\(size)")
      }
      var changed = whole
      let place = try #require(whole.range(of: Data("xl/worksheets/b.xml".utf8))).upperBound + 200
      changed[place] ^= 0xFF
      #expect(try sentence(changed).contains("the part xl/worksheets/b.xml is damaged; save the workbook again"))
      // What a locked workbook and one of before 2007 begin with.
      let old = Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) + Data(count: 4096)
      #expect(try sentence(old).hasSuffix("save it as .xlsx, without a password"))
    }
  }

  @Test("What a formula failed with is known as such, and escapes are undone")
  func errorsAndEscapes() throws {
    let sheet = """
      <worksheet><sheetData><row r="1"><c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1" t="s"><v>0</v></c>
      <c r="C1" t="str"><v>a_x000A_b_x</v></c>
      </row></sheetData></worksheet>
      """
    try workbook(parts(sheet, shared: "<sst><si><t>_x005F_x0041_</t></si></sst>")) { path in
      var cells: [WorkbookReader.Cell] = []
      try WorkbookReader(path: path).rows(ofSheet: "Discrepancies") { cells = $1 }
      #expect(
        cells == [
          .init(column: 0, text: "#DIV/0!", isError: true), .init(column: 1, text: "_x0041_"),
          .init(column: 2, text: "a\nb_x"),
        ])
    }
  }

  @Test("A date is read as it is shown, and a formula without a value is known as such")
  func dates() throws {
    let styles = """
      <styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" \
      formatCode="#,##0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/>
      </cellXfs>
      </styleSheet>
      """
    let sheet = """
      <worksheet><sheetData><row r="1"><c r="A1" s="1"><v>46143</v></c><c r="B1" s="2"><v>46143.3958333333</v></c>
      <c r="C1" s="3"><v>46143</v></c><c r="D1"><v>46143</v></c><c r="E1" s="4"><v>0.3958333333333333</v></c>
      <c r="F1" t="b"><v>1</v></c><c r="G1"><f>A1&amp;"x"</f></c><c r="H1" s="1"><v>-5</v></c></row>
      </sheetData></worksheet>
      """
    var all = parts(sheet)
    all["xl/styles.xml"] = styles
    try workbook(all) { path in
      var cells: [WorkbookReader.Cell] = []
      try WorkbookReader(path: path).rows(ofSheet: "Discrepancies") { cells = $1 }
      #expect(
        cells.map(\.text) == [
          "2026-05-01", "2026-05-01 09:30", "46143", "46143", "09:30", "TRUE", "(its value was not saved)", "-5",
        ])
      #expect(cells.filter(\.isError).map(\.column) == [6])
    }
  }

  @Test("A column or row that no sheet has is refused")
  func beyond() throws {
    #expect(
      try refusal(parts("<worksheet><row r=\"1\"><c r=\"ZZZZZZZZ1\"><v>1</v></c></row></worksheet>")).contains("beyond")
    )
    #expect(
      try refusal(parts("<worksheet><row r=\"99999999\"><c><v>1</v></c></row></worksheet>")).contains("a row 99999999"))
  }
}
