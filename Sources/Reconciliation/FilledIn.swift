import Decisions
import Files
import Foundation
import Reports
import Sheets

/// Owner, status and note of discrepancies as finance filled them in, read from the workbook's sheet or from
/// discrepancies.csv. Rows may have been sorted, filtered or inserted.
package struct FilledIn {
  /// A line about one discrepancy, with its place in the file.
  struct Line {
    var place: String
    /// The address of a column's cell, for refusals.
    var cell: (String) -> String
    var id: String
    var owner: String?
    var status: String?
    var note: String?
  }
  /// The file's name.
  package let source: String
  let lines: [Line]
  /// Lines that are filled in but cannot be read, one sentence each.
  let refusals: [String]

  /// - Throws: a refusal of the whole file, as a sentence.
  package init(path: String) throws {
    source = (path as NSString).lastPathComponent
    (lines, refusals) = path.lowercased().hasSuffix(".csv") ? try Self.csv(path) : try Self.sheet(path)
  }

  private static let sheetName = "Discrepancies"

  /// The columns that finance fills in.
  private static let filled = ["owner", "status", "note"]

  /// The heading row is found by its column names, so rows and columns may have been inserted.
  private static func sheet(_ path: String) throws -> ([Line], [String]) {
    var heading: Heading?
    var lines: [Line] = []
    var refusals: [String] = []
    let name = (path as NSString).lastPathComponent
    try WorkbookReader(path: path).rows(ofSheet: sheetName) { number, cells in
      let row = Dictionary(cells.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })
      guard let heading else {
        heading = try Heading(row, of: name)
        refusals += heading?.missing(in: name) ?? []
        return
      }
      func text(_ column: String) -> String? {
        heading.columns[column].map { cleaned(row[$0]?.text ?? "") }
      }
      func cell(_ column: String) -> String {
        "\(sheetName)!\(CellAddress.letters(heading.columns[column] ?? 0))\(number)"
      }
      let id = text("id") ?? ""
      let wishes = filled.filter { text($0)?.isEmpty == false }
      let errors = (wishes + ["id"]).filter { column in heading.columns[column].flatMap { row[$0]?.isError } ?? false }
      for column in errors {
        refusals.append("\(cell(column)) holds the error \(text(column) ?? "") of a formula; write a text there")
      }
      if errors.contains("id") { return }
      func wish(_ column: String) -> String? { errors.contains(column) ? nil : text(column) }
      if id.hasPrefix("d_") {
        lines.append(
          Line(
            place: "\(sheetName), row \(number)", cell: cell, id: id, owner: wish("owner"), status: wish("status"),
            note: wish("note")))
      } else if let column = wishes.first {
        refusals.append("\(cell(column)) is filled in, and \(cell("id")) \(missing(id))")
      }
    }
    guard heading != nil else {
      throw ExceptionList.Refusal(
        description:
          "\(name): the sheet \(sheetName) has no heading with Id, Owner, Status and Note; those columns are read by "
          + "their names"
      )
    }
    return (lines, refusals)
  }

  private static func missing(_ id: String) -> String {
    id.isEmpty
      ? "names no discrepancy; move it to a row with an id"
      : "holds \"\(id.prefix(40))\", which is no discrepancy's id: those begin with d_"
  }

  /// The positions of the columns, by their names in lower case.
  private struct Heading {
    let columns: [String: Int]

    /// One sentence for each column that finance fills in and that is not there.
    func missing(in file: String) -> [String] {
      FilledIn.filled.filter { columns[$0] == nil }.map { column in
        "\(file): the sheet \(sheetName) has no column \(column.capitalized), so nothing of it is read; give the "
          + "column its heading again"
      }
    }

    /// - Returns: nil where the row is not the heading.
    /// - Throws: a refusal where a required column name occurs twice.
    init?(_ row: [Int: WorkbookReader.Cell], of file: String) throws {
      let words = row.mapValues { FilledIn.cleaned($0.text).lowercased() }
      columns = Dictionary(words.map { ($1, $0) }, uniquingKeysWith: min)
      guard columns["id"] != nil, FilledIn.filled.contains(where: { columns[$0] != nil }) else { return nil }
      for word in ["id"] + FilledIn.filled {
        let places = words.filter { $0.value == word }.keys.sorted()
        guard places.count < 2 else {
          let letters = places.map { CellAddress.letters($0) }.joined(separator: " and ")
          throw ExceptionList.Refusal(
            description:
              "\(file): the sheet \(sheetName) has two columns that are called \(word), \(letters); rename one")
        }
      }
    }
  }

  private static func csv(_ path: String) throws -> ([Line], [String]) {
    let file: DelimitedFile
    do {
      file = try DelimitedFile(
        path: path, columns: [.required("discrepancy_id"), .optional("owner"), .optional("status"), .optional("note")])
    } catch {
      guard hasSemicolons(path) else { throw error }
      let name = (path as NSString).lastPathComponent
      throw ExceptionList.Refusal(
        description: "\(name): semicolons stand between its columns; save it with commas, or import the workbook itself"
      )
    }
    var lines: [Line] = []
    var refusals: [String] = []
    while try file.next() {
      let place = "\(file.name):\(file.row)"
      if let problem = file.problem { throw ExceptionList.Refusal(description: "\(place): \(problem)") }
      let line = Line(
        place: place, cell: { "\(place), \($0)" }, id: plain(file.text(0)), owner: plain(file.text(1)),
        status: plain(file.text(2)),
        note: plain(file.text(3)))
      if line.id.hasPrefix("d_") {
        lines.append(line)
      } else if let column = zip(filled, [line.owner, line.status, line.note]).first(where: { $0.1?.isEmpty == false })?
        .0
      {
        refusals.append("\(line.cell(column)) is filled in, and discrepancy_id \(missing(line.id))")
      }
    }
    return (lines, refusals)
  }

  /// Whether cells are separated by semicolons, as spreadsheets do in countries with a decimal comma.
  private static func hasSemicolons(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 4096) else {
      return false
    }
    let heading = String(decoding: head, as: UTF8.self).prefix { !$0.isNewline }
    return heading.contains("discrepancy_id") && heading.contains(";") && !heading.contains(",")
  }

  /// Removes the mark that keeps a spreadsheet from running a text as a formula.
  private static func plain(_ text: String) -> String {
    guard text.hasPrefix("'"), let second = text.dropFirst().first, "=+-@".contains(second) else {
      return cleaned(text)
    }
    return cleaned(String(text.dropFirst()))
  }

  /// The text on one line, as in the reports: line breaks become spaces.
  static func cleaned(_ text: String) -> String {
    let spaced = text.unicodeScalars.map { $0.value < 32 || (127...159).contains($0.value) ? " " : Character($0) }
    return String(spaced).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
