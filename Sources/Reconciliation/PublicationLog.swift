import Files
import Foundation
import Landing
import Payments
import Reports

/// The log of publications: `published.jsonl` beside the decisions, one line per published report, only ever added to.
///
/// The column `state` of a report shows what changed for its readers, so it depends on the report they read before.
/// That report cannot be derived again: late records change what is known of an earlier day (docs/contract.md section
/// 5.9).
package struct PublicationLog: Sendable {
  package static let fileName = "published.jsonl"
  private let file: AppendedLines<PublicationLine>

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = AppendedLines(path: "\(landing)/\(Self.fileName)") }

  /// Everything that was published so far.
  ///
  /// - Parameter asOf: only what had been published by then, Unix seconds.
  /// - Returns: the publications, and a sentence for each line that cannot be read.
  /// - Throws: the error of the file system; a log that does not exist is empty.
  package func read(asOf: Int64? = nil) throws -> (history: PublicationHistory, warnings: [String]) {
    let (lines, bad) = try file.read()
    let warnings = bad.map { "\(Self.fileName):\($0.line): \($0.reason); that publication is not compared with" }
    return (PublicationHistory(lines, asOf: asOf), warnings)
  }

  /// Adds a publication; returns once the disk has it.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ report: PublishedReport) throws {
    let history = try read().history
    try file.append([PublicationLine(report, after: history)])
  }
}

/// A line of `published.jsonl`.
struct PublicationLine: Codable, Sendable {
  /// RFC 3339: when the run began.
  var at: String
  /// `2026-03-01`, or `2026-03-01_2026-03-31`.
  var range: String
  /// Bounds of the range, Unix seconds UTC, half-open.
  var startsAt: Int64
  var endsAt: Int64
  var verdict: String
  var version: String
  var exitStatus: Int32?
  /// Ids of the listed discrepancies by state.
  var states: [String: [String]]
  /// The open discrepancies as the report lists them, except those that an earlier line has with the same content.
  var rows: [ListedDiscrepancy]
  /// The end of the landing chain; shows whether files are missing at its end.
  var landed: ChainLink?

  private enum CodingKeys: String, CodingKey {
    case at, range, verdict, version, states, rows, landed
    case startsAt = "starts_at"
    case endsAt = "ends_at"
    case exitStatus = "exit_status"
  }

  init(_ report: PublishedReport, after history: PublicationHistory) {
    at = Instant.text(report.at)
    range = report.range.name
    (startsAt, endsAt) = (report.range.startsAt, report.range.endsAt)
    landed = report.landed
    (verdict, version, exitStatus) = (report.verdict, report.version, report.exitStatus)
    states = report.states.mapValues { $0.sorted() }
    rows = report.open.filter { history.newestRow($0.id) != $0 }.sorted { $0.id < $1.id }
  }
}
