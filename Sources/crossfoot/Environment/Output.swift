import Foundation
import Reconciliation
import Reports

/// Prints the result of a run: one line for cron when all is well, the full summary for a person or otherwise.
enum Output {
  static func show(_ report: RunReport, status: ExitStatus, _ order: RunOrder) throws {
    let options = order.output
    if status == .clean && options.quiet { return }
    if options.format == .json { return try Terminal.print(try json(report, status)) }
    let isFull = options.summary || Terminal.isInteractive || status != .clean
    try Terminal.print(
      ([isFull ? report.summary.text : report.summary.line] + notes(report, order)).joined(separator: "\n"))
  }

  /// Notes that are not in the report: earlier days without a report, and later days that it changes.
  private static func notes(_ report: RunReport, _ order: RunOrder) -> [String] {
    var notes: [String] = []
    if order.isNamedRange, !report.missedDays.isEmpty {
      notes.append("No report covers \(ReportRange.text(of: report.missedDays)).")
    }
    if let first = report.changedDays.first, order.asOf == nil {
      let days = ReportRange.text(of: report.changedDays)
      notes.append(
        "\(report.summary.range.name) is reported for the first time. What it brought changes later reports, those of "
          + "\(days): run them again in their order, beginning with `crossfoot run --no-pull --date \(first)`.")
    }
    return notes
  }

  /// It contains run.json's path for everything else.
  private static func json(_ report: RunReport, _ status: ExitStatus) throws -> String {
    let summary = report.summary
    let result = Result(
      verdict: summary.verdict.rawValue, exitStatus: status.rawValue, from: "\(summary.range.firstDay)",
      to: "\(summary.range.lastDay)",
      reasons: summary.reasons, matches: summary.figures.matches, openDiscrepancies: summary.figures.openDiscrepancies,
      reports: summary.location, missedDays: report.missedDays.map(\.description),
      changedDays: report.changedDays.map(\.description))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return String(decoding: try encoder.encode(result), as: UTF8.self)
  }

  private struct Result: Encodable {
    let verdict: String
    let exitStatus: Int32
    let from, to: String
    let reasons: [String]
    let matches: [String: Int64]
    let openDiscrepancies: Int64
    let reports: String?
    /// Days between the previous report and this range that no report covers.
    let missedDays: [String]
    /// Later days whose reports were made without this range's records.
    let changedDays: [String]
  }
}

/// One line on a terminal with the progress of the pull; nothing elsewhere.
enum Progress {
  static func show(_ source: String, _ stream: String, _ objects: Int) {
    guard Terminal.showsProgress else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(source) \(stream): \(objects)".utf8))
  }

  static func end() {
    guard Terminal.showsProgress else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
  }
}
