import Decisions
import Files
import Foundation
import Reports
import Sheets

/// What finance filled in: owner, status and note of discrepancies, from the workbook's sheet or from
/// discrepancies.csv, whatever was sorted, filtered or inserted.
package struct FilledIn {
  /// A line about one discrepancy and where it stands.
  struct Line {
    var place: String
    /// The place of a column's cell, for what is refused.
    var cell: (String) -> String
    var id: String
    var owner: String?
    var status: String?
    var note: String?
  }
  /// The file's name.
  package let source: String
  let lines: [Line]
  /// What cannot be read in lines that are filled in, a sentence each.
  let refusals: [String]

  /// - Throws: a refusal of the file as a whole, in a sentence.
  package init(path: String) throws {
    source = (path as NSString).lastPathComponent
    (lines, refusals) = path.lowercased().hasSuffix(".csv") ? try Self.csv(path) : try Self.sheet(path)
  }

  private static let sheetName = "Discrepancies"

  /// What finance fills in.
  private static let filled = ["owner", "status", "note"]

  /// The heading is found by its words, so that rows and columns may have been inserted.
  private static func sheet(_ path: String) throws -> ([Line], [String]) {
    var heading: Heading?
    var lines: [Line] = []
    var refusals: [String] = []
    let name = (path as NSString).lastPathComponent
    try WorkbookReader(path: path).rows(ofSheet: sheetName) { number, cells in
      let row = Dictionary(cells.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })
      guard let heading else {
        heading = try Heading(row, of: name)
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
      if let column = errors.first {
        refusals.append("\(cell(column)) holds the error \(text(column) ?? "") of a formula; write a text there")
      } else if id.hasPrefix("d_") {
        lines.append(
          Line(
            place: "\(sheetName), row \(number)", cell: cell, id: id, owner: text("owner"), status: text("status"),
            note: text("note")))
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

  /// Where the columns stand, by their words in small letters.
  private struct Heading {
    let columns: [String: Int]

    /// - Returns: nil where the row is no heading.
    /// - Throws: a refusal where a word that is read by is there twice.
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

  /// What spreadsheets write in countries whose decimals have a comma.
  private static func hasSemicolons(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 4096) else {
      return false
    }
    let heading = String(decoding: head, as: UTF8.self).prefix { !$0.isNewline }
    return heading.contains("discrepancy_id") && heading.contains(";") && !heading.contains(",")
  }

  /// Without the mark that keeps a spreadsheet from running a text.
  private static func plain(_ text: String) -> String {
    guard text.hasPrefix("'"), let second = text.dropFirst().first, "=+-@".contains(second) else {
      return cleaned(text)
    }
    return cleaned(String(text.dropFirst()))
  }

  /// One line, as the reports have it: whatever breaks one is a space.
  static func cleaned(_ text: String) -> String {
    let spaced = text.unicodeScalars.map { $0.value < 32 || (127...159).contains($0.value) ? " " : Character($0) }
    return String(spaced).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
