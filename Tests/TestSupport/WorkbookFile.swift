import Foundation

/// A workbook in the eyes of other programs: what openpyxl reads in it, whether xmllint accepts its parts, what
/// LibreOffice computes.
package struct WorkbookFile: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Whether everything is there that looks at workbooks.
  package static var canBeRead: Bool {
    LibreOffice.isInstalled
      && ["/usr/bin/xmllint", "/usr/lib/python3/dist-packages/openpyxl"].allSatisfy(FileManager.default.fileExists)
  }

  /// What differs between two workbooks.
  package struct Comparison: Decodable, Sendable {
    package struct Difference: Decodable, Sendable, Equatable {
      /// The sheet and the cell, e.g. `Summary!C8`.
      package let cell: String
      /// The formula of the first workbook; empty where it has none.
      package let formula: String
      package let saved: String
      package let recalculated: String
    }
    package let sheets: [String]
    /// How many cells of the first workbook show something.
    package let cells: Int
    package let formulas: Int
    package let differences: [Difference]
  }

  /// Compares what each cell shows with another workbook, exactly.
  package func compare(with other: WorkbookFile) async throws -> Comparison {
    try await Self.ask(["compare", path, other.path])
  }

  /// The rows of a sheet as texts of the saved values; blank cells are empty.
  package func rows(_ sheet: String) async throws -> [[String]] { try await Self.ask(["rows", path, sheet]) }

  /// The formula of every cell of a sheet that has one, by cell.
  package func formulas(_ sheet: String) async throws -> [String: String] {
    try await Self.ask(["formulas", path, sheet])
  }

  /// A copy in which one cell shows something else, a formula beside it as it was.
  package func changing(_ sheet: String, _ cell: String, to value: String, into output: String) async throws
    -> WorkbookFile
  {
    WorkbookFile(try await Self.ask(["change", path, output, sheet, cell, value]))
  }

  /// The conditional formats over a cell, e.g. `notEqual "ties out": F9D6D5`.
  package func rules(_ sheet: String, _ cell: String) async throws -> [String] {
    try await Self.ask(["rules", path, sheet, cell])
  }

  /// A range that has a filter, and what its heading shows.
  package struct Filter: Decodable, Sendable, Equatable {
    /// E.g. `A2:F17`.
    package let range: String
    package let heading: [String]
  }

  /// The filters of each sheet from top to bottom: the sheet's own, and those of tables.
  package func filters() async throws -> [String: [Filter]] { try await Self.ask(["filters", path]) }

  /// The same workbook after LibreOffice opened, computed and saved it.
  package func recalculated(into folder: String, recalculating: Bool = true) async throws -> WorkbookFile {
    WorkbookFile(try await LibreOffice.convert(path, to: .xlsx, recalculating: recalculating, into: folder))
  }

  /// Unpacks it into a folder and lets xmllint read every part.
  ///
  /// - Returns: the parts' names, and what xmllint has to say; empty when every part is well-formed.
  package func lint(in folder: String) async throws -> (parts: [String], said: String) {
    let parts: [String] = try await Self.ask(["unpack", path, folder])
    let ended = try await ProgramRun(["/usr/bin/xmllint", "--noout"] + parts)
    return (parts, ended.status == 0 ? "" : "\(ended.status): \(ended.said)")
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "workbook.py"
  ).path

  private static func ask<Answer: Decodable>(_ words: [String]) async throws -> Answer {
    let ended = try await ProgramRun(["/usr/bin/python3", script] + words)
    guard ended.status == 0 else { throw Refusal(said: ended.said) }
    return try JSONDecoder().decode(Answer.self, from: Data(ended.said.utf8))
  }

  /// openpyxl did not read it.
  private struct Refusal: Error, CustomStringConvertible {
    let said: String
    var description: String { "openpyxl: \(said)" }
  }
}
