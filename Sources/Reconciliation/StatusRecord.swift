import Payments
import Reports

/// The current state: the last runs and publications, days without a report, how far each stream was read, and the open
/// discrepancies.
package struct StatusRecord: Sendable, Encodable {
  package struct Publication: Sendable, Encodable {
    var range, verdict: String
    /// RFC 3339; nil where run.json is missing.
    var runAt: String?
  }
  package struct Source: Sendable, Encodable {
    var source, stream: String
    /// RFC 3339; nil where it was never read in full.
    var completeTo: String?
    var lastPullAt: String?
    var records: Int64
  }
  package struct Open: Sendable, Encodable {
    var severity, type: String
    var cases: Int64
    /// The first day of the oldest discrepancy.
    var oldest: String
  }
  /// Oldest first.
  package var runs: [RunLine] = []
  package var publications: [Publication] = []
  /// Days since the first report that no report covers, in order.
  package var daysWithoutReport: [String] = []
  package var sources: [Source] = []
  package var openDiscrepancies: [Open] = []
  /// When the run of the newest day's report began, RFC 3339; nil before the first report.
  package var newestReportAt: String?

  /// Whether the newest report is older than a number of seconds, or there is none.
  ///
  /// - Parameter now: Unix seconds.
  package func isOlder(than seconds: Int64, now: Int64) -> Bool {
    guard let at = newestReportAt.flatMap({ try? Instant.parse($0) }) else { return true }
    return now - at > seconds
  }

  /// The same as text for people.
  package var lines: [String] {
    var lines = ["Runs"] + (runs.isEmpty ? ["  none yet"] : runs.map(Self.line))
    lines += ["Publications"] + (publications.isEmpty ? ["  none yet"] : publications.map(Self.line))
    let days = ReportRange.text(of: daysWithoutReport.compactMap { BusinessDay($0) })
    lines += ["Days without a report", "  \(days.isEmpty ? "none" : days)"]
    lines += ["Sources"] + (sources.isEmpty ? ["  nothing has landed yet"] : sources.map(Self.line))
    return lines + ["Open discrepancies"] + (openDiscrepancies.isEmpty ? ["  none"] : openDiscrepancies.map(Self.line))
  }

  private static func line(_ run: RunLine) -> String {
    let outcome =
      run.verdict
      ?? "nothing published: \(run.reason?.split(separator: "\n").first.map(String.init) ?? "no reason recorded")"
    return "  \(run.at): \(run.range), exit status \(run.exitStatus), \(outcome)"
  }

  private static func line(_ publication: Publication) -> String {
    "  \(publication.range): \(publication.verdict)" + (publication.runAt.map { ", run at \($0)" } ?? "")
  }

  private static func line(_ source: Source) -> String {
    let watermark = source.completeTo.map { "complete to \($0)" } ?? "never read in full"
    let records = source.records == 1 ? "1 record" : "\(source.records) records"
    return "  \(source.source)/\(source.stream): \(watermark), last pull \(source.lastPullAt ?? "never"), \(records)"
  }

  private static func line(_ open: Open) -> String {
    "  \(open.severity) \(open.type): \(open.cases), the oldest since \(open.oldest)"
  }
}
