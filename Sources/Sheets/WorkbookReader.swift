import Foundation

/// Reads one sheet of an .xlsx workbook, row by row: filled in by a person and saved with any program.
///
/// Texts of the workbook are kept within a limit, everything else is streamed. Formulas yield the value that was saved
/// with them.
package final class WorkbookReader {
  /// The maximum size of all shared texts together, and the overhead per text; bytes.
  package static let (mostText, ofEachText) = (64 << 20, 16)
  /// The maximum size of the index parts, which list the other parts.
  private static let mostIndex: UInt64 = 16 << 20
  /// The maximum columns and rows of the format.
  fileprivate static let (mostColumns, mostRows) = (16_384, 1_048_576)

  private let archive: ZipArchive
  private let name: String
  private let mostText: Int

  /// - Parameter mostText: the maximum size of the workbook's texts in memory, bytes.
  /// - Throws: `SheetError` when it is no workbook.
  package init(path: String, mostText: Int = WorkbookReader.mostText) throws(SheetError) {
    self.mostText = mostText
    name = (path as NSString).lastPathComponent
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw SheetError("\(name) does not exist or cannot be read")
    }
    archive = try ZipArchive(path: path, name: name)
  }

  /// A cell of a row: its column counted from 0, and its text.
  package struct Cell: Sendable, Equatable {
    package let column: Int
    package let text: String
    /// Whether the text is the error of a formula, e.g. `#REF!`.
    package var isError = false
  }

  /// Passes on the cells of each row that has any, with the row's number from 1.
  ///
  /// - Throws: `SheetError`, or what `row` throws.
  package func rows(ofSheet sheet: String, _ row: (Int, [Cell]) throws -> Void) throws {
    let part = try part(of: sheet)
    let texts = try sharedTexts()
    let reader = try XMLReader("\(name), sheet \(sheet)")
    let state = RowState(texts: texts, dates: try dateStyles(), name: name)
    reader.start = { state.start($0, $1) }
    reader.end = { state.end($0) }
    reader.text = { state.text($0) }
    let isThere = try archive.part(part) { bytes in
      try reader.parse(bytes)
      try state.deliver(row)
    }
    guard isThere else { throw SheetError("\(name): the sheet \(sheet) has no part \(part); save the workbook again") }
    try reader.finish()
    try state.deliver(row)
  }

  /// The names of its sheets, in their order.
  ///
  /// - Throws: `SheetError`.
  package func sheets() throws -> [String] { try index().map(\.name) }

  /// Every sheet with the id of the relation to its part.
  private func index() throws -> [(name: String, id: String?)] {
    var sheets: [(name: String, id: String?)] = []
    let book = try XMLReader("\(name), xl/workbook.xml")
    book.start = { element, attributes in
      guard element == "sheet", let title = attributes["name"] else { return }
      sheets.append((title, attributes.first { $0.key == "id" || $0.key.hasSuffix(":id") }?.value))
    }
    guard try archive.part("xl/workbook.xml", atMost: Self.mostIndex, { try book.parse($0) }) else {
      throw SheetError("\(name) is no workbook: xl/workbook.xml is not in it; save it as .xlsx")
    }
    try book.finish()
    return sheets
  }

  /// The part that holds a sheet, by its name.
  private func part(of sheet: String) throws -> String {
    let ids = Dictionary(try index().compactMap { sheet in sheet.id.map { (sheet.name, $0) } }) { $1 }
    guard let id = ids[sheet] else {
      throw SheetError(
        "\(name) has no sheet \(sheet); is it a workbook of Crossfoot? It has "
          + "\(ids.keys.sorted().prefix(20).joined(separator: ", "))"
      )
    }
    var target: String?
    let relations = try XMLReader("\(name), xl/_rels/workbook.xml.rels")
    relations.start = { element, attributes in
      if element == "Relationship", attributes["Id"] == id, attributes["TargetMode"] != "External" {
        target = attributes["Target"]
      }
    }
    _ = try archive.part("xl/_rels/workbook.xml.rels", atMost: Self.mostIndex) { try relations.parse($0) }
    guard let target else {
      throw SheetError("\(name): nothing says where the sheet \(sheet) is; save the workbook again")
    }
    return target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
  }

  /// The cell styles that show a number as a date or time, by their position in `cellXfs`.
  private func dateStyles() throws -> Set<Int> {
    var (formats, dates, count, isCell) = ([Int: Bool](), Set<Int>(), 0, false)
    let reader = try XMLReader("\(name), xl/styles.xml")
    reader.start = { element, attributes in
      let format = attributes["numFmtId"].flatMap(Int.init) ?? 0
      switch element {
      case "numFmt": formats[format] = SheetDate.isDate(format: attributes["formatCode"] ?? "")
      case "cellXfs": isCell = true
      case "xf" where isCell:
        if formats[format] ?? SheetDate.builtIn.contains(format) { dates.insert(count) }
        count += 1
      default: break
      }
    }
    reader.end = { if $0 == "cellXfs" { isCell = false } }
    guard try archive.part("xl/styles.xml", atMost: Self.mostIndex, { try reader.parse($0) }) else { return [] }
    try reader.finish()
    return dates
  }

  private func sharedTexts() throws -> [String] {
    var texts: [String] = []
    var (current, size, isText, isPhonetic) = ([UInt8](), 0, false, false)
    let reader = try XMLReader("\(name), xl/sharedStrings.xml")
    reader.start = { element, _ in
      if element == "si" { (current, size) = ([], size + Self.ofEachText) }
      if element == "rPh" { isPhonetic = true }
      isText = element == "t" && !isPhonetic
    }
    reader.end = { element in
      if element == "si" { texts.append(Self.text(current)) }
      if element == "rPh" { isPhonetic = false }
      if element == "t" { isText = false }
    }
    reader.text = { bytes in
      guard isText else { return }
      size += bytes.count
      current.append(contentsOf: bytes)
    }
    let (name, most) = (name, mostText)
    _ = try archive.part("xl/sharedStrings.xml") { bytes in
      try reader.parse(bytes)
      guard size <= most else {
        throw SheetError("\(name) holds more text than a workbook of ours would; it is not read")
      }
    }
    return texts
  }

  /// A text with its escapes decoded: `_x000A_` is a line break, `_x005F_` an underscore (ECMA-376, ST_Xstring).
  fileprivate static func text(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("_x") else { return text }
    return text.replacing(#/_x([0-9A-Fa-f]{4})_/#) { match in
      UInt32(match.1, radix: 16).flatMap(UnicodeScalar.init).map { String(Character($0)) } ?? String(match.0)
    }
  }

  /// The rows of a sheet as its events build them.
  private final class RowState {
    let texts: [String]
    let dates: Set<Int>
    let name: String
    private var done: [(Int, [Cell])] = []
    private var number = 0
    private var cells: [Cell] = []
    private var column = -1
    private var type = ""
    private var isDate = false
    private var isFormula = false
    private var value: [UInt8] = []
    private var isValue = false
    private var problem: String?

    init(texts: [String], dates: Set<Int>, name: String) {
      self.texts = texts
      self.dates = dates
      self.name = name
    }

    func start(_ element: String, _ attributes: [String: String]) {
      switch element {
      case "row":
        number = attributes["r"].flatMap(Int.init) ?? number + 1
        (cells, column) = ([], -1)
        if number < 1 || number > WorkbookReader.mostRows { problem = "a row \(number)" }
      case "c":
        column = attributes["r"].map { Self.column($0) ?? WorkbookReader.mostColumns } ?? column + 1
        if column >= WorkbookReader.mostColumns { problem = "a column beyond the last" }
        type = attributes["t"] ?? "n"
        isDate = attributes["s"].flatMap(Int.init).map(dates.contains) ?? false
        isFormula = false
        value = []
      case "f": isFormula = true
      case "v", "t": isValue = true
      default: break
      }
    }

    func end(_ element: String) {
      switch element {
      case "v", "t": isValue = false
      case "c":
        let shown = shown(WorkbookReader.text(value))
        if !shown.isEmpty {
          cells.append(Cell(column: column, text: shown, isError: type == "e"))
        } else if isFormula {
          cells.append(Cell(column: column, text: "(its value was not saved)", isError: true))
        }
      case "row": if !cells.isEmpty { done.append((number, cells)) }
      default: break
      }
    }

    /// The value as the sheet shows it, where that is not how it is stored.
    private func shown(_ text: String) -> String {
      switch type {
      case "s": Int(text).flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
      case "b": text == "1" ? "TRUE" : text == "0" ? "FALSE" : text
      case "n" where isDate: SheetDate.text(ofSerial: text) ?? text
      default: text
      }
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
      if isValue, value.count < 100_000 { value.append(contentsOf: bytes) }
    }

    func deliver(_ row: (Int, [Cell]) throws -> Void) throws {
      if let problem { throw SheetError("\(name) has \(problem), which no sheet has; it is not read") }
      for (number, cells) in done { try row(number, cells) }
      done = []
    }

    /// `AB12` is column 27.
    private static func column(_ address: String) -> Int? {
      var column = 0
      for byte in address.utf8.prefix(while: { (65...90).contains($0) }) {
        guard column < 1 << 20 else { return nil }
        column = column * 26 + Int(byte) - 64
      }
      return column > 0 ? column - 1 : nil
    }
  }
}
