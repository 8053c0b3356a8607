import Decisions
import Files
import Foundation
import Sheets

/// What finance filled in: owner, status and note of discrepancies, from the workbook's sheet or from discrepancies.csv, whatever was sorted,
/// filtered or inserted.
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

  /// - Throws: a refusal of the file as a whole, in a sentence.
  package init(path: String) throws {
    source = (path as NSString).lastPathComponent
    lines = path.lowercased().hasSuffix(".csv") ? try Self.csv(path) : try Self.sheet(path)
  }

  private static let sheetName = "Discrepancies"

  /// The heading is found by its words, so that rows and columns may have been inserted.
  private static func sheet(_ path: String) throws -> [Line] {
    var columns: [String: Int] = [:]
    var lines: [Line] = []
    let name = (path as NSString).lastPathComponent
    try WorkbookReader(path: path).rows(ofSheet: sheetName) { number, cells in
      let row = Dictionary(cells.map { ($0.column, $0.text.trimmingCharacters(in: .whitespacesAndNewlines)) }, uniquingKeysWith: { first, _ in first })
      guard !columns.isEmpty else {
        let heading = Dictionary(row.map { ($1.lowercased(), $0) }, uniquingKeysWith: min)
        if heading["id"] != nil, heading["status"] != nil || heading["owner"] != nil || heading["note"] != nil { columns = heading }
        return
      }
      guard let place = columns["id"], let id = row[place], id.hasPrefix("d_") else { return }
      func cell(_ column: String) -> String? { columns[column].map { row[$0] ?? "" } }
      let found = columns
      lines.append(
        Line(
          place: "\(sheetName), row \(number)", cell: { column in "\(sheetName)!\(columnLetters(found[column] ?? 0))\(number)" }, id: id,
          owner: cell("owner"), status: cell("status"), note: cell("note")))
    }
    guard !columns.isEmpty else {
      throw ExceptionList.Refusal(
        description: "\(name): the sheet \(sheetName) has no heading with Id, Owner, Status and Note; those columns are read by their names")
    }
    return lines
  }

  private static func csv(_ path: String) throws -> [Line] {
    let file = try DelimitedFile(path: path, columns: [.required("discrepancy_id"), .optional("owner"), .optional("status"), .optional("note")])
    var lines: [Line] = []
    while try file.next() {
      let place = "\(file.name):\(file.row)"
      if let problem = file.problem { throw ExceptionList.Refusal(description: "\(place): \(problem)") }
      guard !file.text(0).isEmpty else { continue }
      lines.append(
        Line(
          place: place, cell: { "\(place), \($0)" }, id: plain(file.text(0)), owner: plain(file.text(1)), status: plain(file.text(2)),
          note: plain(file.text(3))))
    }
    return lines
  }

  /// Without the mark that keeps a spreadsheet from running a text.
  private static func plain(_ text: String) -> String {
    guard text.hasPrefix("'"), let second = text.dropFirst().first, "=+-@".contains(second) else { return text }
    return String(text.dropFirst())
  }
}
