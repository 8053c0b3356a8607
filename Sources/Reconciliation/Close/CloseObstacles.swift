import OrderSources
import Payments
import Reports
import Storage

/// All reasons at once why a period cannot be closed.
struct CloseObstacles {
  let night: ReconciliationRun
  let database: any Database
  let coverage: SourceCoverage
  let history: PublicationHistory

  func all() throws -> [String] {
    try unknown() + damage() + missedDays() + proofs() + discrepancies()
  }

  /// Sources that are not known to be complete up to the period's end, one reason for what ends at the same time.
  private func unknown() throws -> [String] {
    var reasons: [String] = []
    var named: Set<String> = []
    let end = night.range.endsAt
    for (source, subjects) in coverage.extents.sorted(by: { $0.key < $1.key }) {
      let short = subjects.filter { subject, extent in
        extent.isAsked && (!source.isEmpty || OrderStream(rawValue: subject) != nil) && extent.knownUntil < end
      }
      if !short.isEmpty { named.insert(source) }
      for (until, ending) in Dictionary(grouping: short, by: \.value.knownUntil).sorted(by: { $0.key < $1.key }) {
        let words = ending.map { Self.words[$0.key] ?? $0.key.replacing("_", with: " ") }.sorted()
        let list =
          words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
        let known = until > 0 ? "known until \(Instant.text(until)) only" : "not known yet"
        reasons.append(
          "\(source.isEmpty ? "" : "\(source): ")\(list) are \(known), and the period ends at \(Instant.text(end)): "
            + "run again later")
      }
    }
    // That a stream ends before the period does is what its source's reason already states.
    return reasons + coverage.gaps.filter { gap in !coverage.isOnlyShort(gap, of: named) }
  }

  /// What is asked of a source, in the words of a controller.
  private static let words = [
    "ledger": "balance movements", "payment_inits": "payment starts", "fees": "application fees",
  ]

  /// Faults of the landing zone or of earlier seals.
  private func damage() throws -> [String] {
    var reasons: [String] = []
    try database.query("select reason from landing_fault order by place") { row in
      if let reason = row.text(0), !coverage.gaps.contains(where: { $0.hasSuffix(reason) }) { reasons.append(reason) }
    }
    return reasons + night.closedGaps()
  }

  private func missedDays() -> [String] {
    let days = BusinessDay.days(after: night.range.firstDay.advanced(by: -1), through: night.range.lastDay)
    let missed = days.filter { !history.covers($0) }
    guard let first = missed.first, let last = missed.last else { return [] }
    return [
      "no report covers \(ReportRange.text(of: missed)): `crossfoot run --from \(first) --to \(last)` reports them"
    ]
  }

  private func proofs() throws -> [String] {
    var reasons: [String] = []
    try database.query(
      """
      select proof, provider, account, currency, cast(count(*) as bigint) from proof_line where holds = 0
      group by proof, provider, account, currency order by proof, provider, account, currency
      """
    ) { row in
      let place = [1, 2, 3].compactMap { row.text($0) }.filter { !$0.isEmpty }.joined(separator: ", ")
      reasons.append("the proof \(row.text(0) ?? "") failed for \(place)")
    }
    return reasons
  }

  /// Open discrepancies without an owner, and everything unexplained.
  private func discrepancies() throws -> [String] {
    var reasons: [String] = []
    try database.query(
      """
      select discrepancy_id, type, severity, owner, note, order_id, payment_id, record_id from discrepancy
      where state in ('new', 'persisting') and (type = 'unexplained_difference'
        or severity in ('critical', 'high') and (owner = '' or note = ''))
      order by severity_rank desc, type, discrepancy_id
      """
    ) { row in
      let (id, type, severity) = (row.text(0) ?? "", row.text(1) ?? "", row.text(2) ?? "")
      guard type != "unexplained_difference" else {
        reasons.append("\(id): an unexplained difference is open")
        return
      }
      let missing = [row.text(3) == "" ? "owner" : nil, row.text(4) == "" ? "note" : nil].compactMap { $0 }
      let about = [5, 6, 7].compactMap { row.text($0) }.first { !$0.isEmpty }.map { " of \($0)" } ?? ""
      reasons.append("\(id): \(severity) \(type)\(about) is open and has no \(missing.joined(separator: " and no "))")
    }
    return reasons
  }
}
