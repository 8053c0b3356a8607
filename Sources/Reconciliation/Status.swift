import Foundation
import Payments
import Settings
import Storage

/// Where things stand: the last publications, how far each stream is known, and what is open.
package struct Status {
  let database: any Database
  let output: String

  package init(database: any Database, output: String) {
    self.database = database
    self.output = output
  }

  /// Lines for people.
  package func lines() throws -> [String] {
    try ["Publications"] + publications() + ["Sources"] + sources() + ["Open discrepancies"] + open()
  }

  private func publications() throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
    let ranges = names.filter { !$0.hasPrefix(".") && $0 != "latest" }.sorted().suffix(10)
    return ranges.isEmpty ? ["  none yet"] : ranges.map { "  \($0): \(verdict(of: $0))" }
  }

  private func verdict(of range: String) -> String {
    guard let bytes = FileManager.default.contents(atPath: "\(output)/\(range)/run.json"),
      let record = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any], let verdict = record["verdict"] as? String
    else { return "no run.json" }
    return "\(verdict), run at \(record["started_at"] as? String ?? "unknown")"
  }

  private func sources() throws -> [String] {
    var lines: [String] = []
    try database.query(
      """
      select f.source, f.stream, max(case when f.complete = 1 then f.watermark end), max(f.observed_at), cast(sum(f.objects) as bigint)
      from landed_file f group by f.source, f.stream order by f.source, f.stream
      """
    ) { row in
      let watermark = try row.integer(2).map { "known until \(Instant.text($0))" } ?? "never read in full"
      let pulled = try row.integer(3).map(Instant.text) ?? "never"
      lines.append(
        "  \(row.text(0) ?? "")/\(row.text(1) ?? ""): \(watermark), last pull \(pulled), \(try row.integer(4) ?? 0) objects")
    }
    return lines.isEmpty ? ["  nothing has landed yet"] : lines
  }

  private func open() throws -> [String] {
    var lines: [String] = []
    try database.query(
      """
      select d.severity, d.type, cast(count(*) as bigint), min(d.first_seen) from discrepancy d where d.state in ('new', 'persisting')
      group by d.severity, d.severity_rank, d.type order by d.severity_rank desc, d.type
      """
    ) { row in
      lines.append(
        "  \(row.text(0) ?? "") \(row.text(1) ?? ""): \(try row.integer(2) ?? 0), the oldest since \(row.text(3) ?? "")")
    }
    return lines.isEmpty ? ["  none"] : lines
  }
}
