import Foundation
import Testing

@testable import Sheets

@Suite("Reading a workbook")
struct WorkbookReaderTests {
  /// Makes a workbook with Python's zipfile: parts by path.
  private func workbook(_ parts: [String: String], _ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "sheets-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let script =
      "import sys,json,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
      + "for k,v in json.load(sys.stdin).items(): z.writestr(k, v if not v.startswith('@') else ' '*int(v[1:]))\nz.close()"
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
    <workbook xmlns="m" xmlns:r="r"><sheets><sheet name="Other" sheetId="1" r:id="rId1"/><sheet name="Discrepancies" sheetId="2" r:id="rId2"/></sheets></workbook>
    """
  private let relations = """
    <Relationships><Relationship Id="rId1" Target="worksheets/a.xml"/><Relationship Id="rId2" Target="/xl/worksheets/b.xml"/></Relationships>
    """
  private func parts(_ sheet: String, shared: String = "<sst/>") -> [String: String] {
    ["xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": relations, "xl/sharedStrings.xml": shared, "xl/worksheets/b.xml": sheet]
  }

  @Test("Cells of every type, gaps, rows without numbers, phonetic runs left out")
  func cells() throws {
    let sheet = """
      <worksheet><sheetData><row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="inlineStr"><is><t>in</t><t>line</t></is></c>
      <c r="AB3"><f>1+1</f><v>2</v></c><c r="E3" t="str"><v>text</v></c></row><row><c><v>7</v></c><c><v>8</v></c></row></sheetData></worksheet>
      """
    let shared = "<sst><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>no</t></rPh></si></sst>"
    try workbook(parts(sheet, shared: shared)) { path in
      var rows: [Int: [WorkbookReader.Cell]] = [:]
      try WorkbookReader(path: path).rows(ofSheet: "Discrepancies") { rows[$0] = $1 }
      #expect(rows[3] == [.init(column: 1, text: "shared"), .init(column: 3, text: "inline"), .init(column: 27, text: "2"), .init(column: 4, text: "text")])
      #expect(rows[4] == [.init(column: 0, text: "7"), .init(column: 1, text: "8")])
    }
  }

  private func refusal(_ parts: [String: String], sheet: String = "Discrepancies") throws -> String {
    var sentence = ""
    try workbook(parts) { path in
      do {
        try WorkbookReader(path: path).rows(ofSheet: sheet) { _, _ in }
      } catch { sentence = "\(error)" }
    }
    return sentence
  }

  @Test("A file that is none, or another's, is refused with a sentence")
  func foreign() throws {
    #expect(try refusal(["a.txt": "x"]).contains("xl/workbook.xml is not in it"))
    #expect(try refusal(parts("<worksheet/>"), sheet: "Nope").contains("has no sheet Nope; is it a workbook of Crossfoot? It has Discrepancies, Other"))
    #expect(try refusal(parts("<worksheet><row>")).contains("line 1: "))
    let path = NSTemporaryDirectory() + "no-\(UUID().uuidString).xlsx"
    try Data("not a zip".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: SheetError.self) { try WorkbookReader(path: path) }
    #expect(throws: SheetError.self) { try WorkbookReader(path: path + ".missing") }
  }

  @Test("Entities are not expanded: a document type is refused")
  func entities() throws {
    let bomb = "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;\">]><worksheet><sheetData><row><c><v>&y;</v></c></row></sheetData></worksheet>"
    #expect(try refusal(parts(bomb)).contains("declares a document type"))
  }

  @Test("A zip bomb is refused before it unfolds")
  func bomb() throws {
    var bomb = parts("")
    bomb["xl/worksheets/b.xml"] = "@200000000"
    #expect(try refusal(bomb).contains("unfolds to more than a workbook of ours would hold"))
  }

  @Test("A column or row that no sheet has is refused")
  func beyond() throws {
    #expect(try refusal(parts("<worksheet><row r=\"1\"><c r=\"ZZZZZZZZ1\"><v>1</v></c></row></worksheet>")).contains("beyond"))
    #expect(try refusal(parts("<worksheet><row r=\"99999999\"><c><v>1</v></c></row></worksheet>")).contains("a row 99999999"))
  }
}
