import Foundation
import Reconciliation
import Reports

/// Says how a night went: one line for cron when all is well, the full summary for a person or when it is not.
enum Output {
  static func show(_ report: NightReport, status: ExitStatus, _ options: LoggingOptions) throws {
    if status == .clean && options.quiet { return }
    if options.format == .json { return try Terminal.print(try json(report, status)) }
    let isFull = options.summary || Terminal.isInteractive || status != .clean
    try Terminal.print(isFull ? report.summary.text : report.summary.line)
  }

  /// run.json's path stands in it for everything else.
  private static func json(_ report: NightReport, _ status: ExitStatus) throws -> String {
    let summary = report.summary
    let result = Result(
      verdict: summary.verdict.rawValue, exitStatus: status.rawValue, from: "\(summary.range.firstDay)",
      to: "\(summary.range.lastDay)",
      reasons: summary.reasons, matches: summary.figures.matches, openDiscrepancies: summary.figures.openDiscrepancies,
      reports: summary.location)
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
  }
}

/// One line on a terminal that says how far the pull is; nothing elsewhere.
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
