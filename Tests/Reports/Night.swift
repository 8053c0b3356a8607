import Foundation
import Payments
import Storage
import TestSupport

@testable import Reports

/// The small night of Tests/Fixtures/reports/store.sql, and a folder that is gone afterwards.
struct Night {
  static let fixtures = TestStore.repository + "/Tests/Fixtures/reports"
  static let reports = TestStore.repository + "/reports"
  static let range = ReportRange(
    firstDay: day("2026-03-01"), lastDay: day("2026-03-01"), startsAt: 1_772_323_200, endsAt: 1_772_409_600)

  static func day(_ text: String) -> BusinessDay { BusinessDay(text) ?? BusinessDay(date: CivilDate(dayNumber: 0)) }

  /// Runs the body with a store that holds the night.
  static func store<R>(_ engine: TestStore = .sqlite, _ body: (any Database) throws -> R) throws -> R {
    try withStore(engine) { database in
      try database.script(try String(contentsOfFile: fixtures + "/store.sql", encoding: .utf8))
      for file in try FileManager.default.contentsOfDirectory(atPath: matched).sorted() {
        try database.script(try String(contentsOfFile: "\(matched)/\(file)", encoding: .utf8))
      }
      try sumUp(database)
      return try body(database)
    }
  }

  /// Sums the movements of the range anew, as a run does before it writes reports.
  static func sumUp(_ database: any Database) throws {
    try database.empty("range_movement")
    try database.script(
      try String(contentsOfFile: TestStore.repository + "/sql/balances/24-range.sql", encoding: .utf8))
  }

  /// What follows from the matching once it is done.
  private static var matched: String { TestStore.repository + "/sql/matched" }

  /// Runs the body with an empty folder.
  static func folder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }

  static func summary(_ database: any Database) throws -> RunSummary {
    let figures = try SummaryFigures.read(from: database, range: range, folder: reports + "/summary")
    return RunSummary(
      verdict: .incomplete, reasons: ["stripe charges was not read in full: HTTP 503"], range: range, timeZone: "UTC",
      figures: figures)
  }

  static func run(_ settings: WorkbookSettings = WorkbookSettings()) throws -> ReportRun {
    ReportRun(catalogue: try ReportCatalogue(folders: [reports]), range: range, workbook: settings)
  }

  /// Writes the night's reports into a folder and returns what was written.
  @discardableResult
  static func write(
    _ database: any Database, into folder: String, _ settings: WorkbookSettings = WorkbookSettings()
  ) throws -> [WrittenFile] {
    try run(settings).write(from: database, summary: summary(database), into: folder)
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  /// Takes the last bytes away.
  static func cut(_ path: String, by count: Int) throws {
    let bytes = try bytes(path).dropLast(count)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
