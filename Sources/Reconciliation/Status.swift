import Foundation
import Payments
import Reports
import Settings
import Storage

/// Reads the current state: the logs of runs and publications, the folder of the reports, and the store.
package struct Status {
  let database: any Database
  let output: String
  /// The landing zone's folder, where the logs are.
  let landing: String
  /// The last day that has ended.
  let yesterday: BusinessDay
  /// Restricts sources and discrepancies to these; nil: all.
  var providers: Set<String>?

  /// How many runs and publications are shown.
  private static let shown = 10

  package func record() throws -> StatusRecord {
    let history = try PublicationLog(landing: landing).read().history.without(after: yesterday.advanced(by: 1))
    var record = StatusRecord()
    record.runs = try RunHistory(landing: landing).newest(Self.shown)
    record.publications = publications()
    record.daysWithoutReport = history.daysWithoutReport(through: yesterday).map(\.description)
    record.sources = try sources()
    record.openDiscrepancies = try open()
    record.newestReportAt = history.newest.map { Instant.text($0.at) }
    return record
  }

  private func publications() -> [StatusRecord.Publication] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
    let ranges = names.filter { PublishedRange(name: $0) != nil }.sorted().suffix(Self.shown)
    return ranges.map(publication)
  }

  private func publication(_ range: String) -> StatusRecord.Publication {
    guard let bytes = FileManager.default.contents(atPath: "\(output)/\(range)/run.json"),
      let record = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let verdict = record["verdict"] as? String
    else { return StatusRecord.Publication(range: range, verdict: "no run.json") }
    return StatusRecord.Publication(range: range, verdict: verdict, runAt: record["started_at"] as? String)
  }

  private func sources() throws -> [StatusRecord.Source] {
    var sources: [StatusRecord.Source] = []
    try database.query(
      """
      select f.source, f.stream, max(case when f.complete = 1 then f.watermark end), max(f.observed_at),
        cast(sum(f.objects) as bigint)
      from landed_file f group by f.source, f.stream order by f.source, f.stream
      """
    ) { row in
      guard isShown(row.text(0)) else { return }
      sources.append(
        StatusRecord.Source(
          source: row.text(0) ?? "", stream: row.text(1) ?? "", completeTo: try row.integer(2).map(Instant.text),
          lastPullAt: try row.integer(3).map(Instant.text), records: try row.integer(4) ?? 0))
    }
    return sources
  }

  private func isShown(_ provider: String?) -> Bool { providers?.contains(provider ?? "") ?? true }

  private func open() throws -> [StatusRecord.Open] {
    var open: [StatusRecord.Open] = []
    try database.query(
      """
      select d.severity, d.type, d.first_seen, d.provider from discrepancy d
      where d.state in ('new', 'persisting') order by d.severity_rank desc, d.type, d.first_seen
      """
    ) { row in
      guard isShown(row.text(3)) else { return }
      if let last = open.last, last.severity == row.text(0), last.type == row.text(1) {
        open[open.count - 1].cases += 1
        return
      }
      open.append(
        StatusRecord.Open(
          severity: row.text(0) ?? "", type: row.text(1) ?? "", cases: 1, oldest: row.text(2) ?? ""))
    }
    return open
  }
}
