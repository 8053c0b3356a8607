import Crypto
import Decisions
import Foundation
import Payments
import Reports
import Settings
import Storage

/// Makes discrepancies of findings: state, first seen, age, and an id that a rerun finds again (contracts.md section 5, When).
struct Discrepancies {
  let database: any Database
  let range: ReportRange
  let calendar: BusinessCalendar
  /// By discrepancy, each in the order in which they were made.
  let decisions: [String: [Decision]]

  private static let columns = [
    "discrepancy_id", "type", "subject", "severity", "severity_rank", "state", "provider", "account", "order_id", "payment_id",
    "record_id",
    "currency", "expected_minor", "actual_minor", "difference_minor", "since", "first_seen", "last_seen", "age_days", "owner",
    "explanation",
    "suggested_action", "decision", "note", "connected_account", "counts", "condition",
  ]

  /// A finding of the end with the one of the start beside it; of the start alone where the condition is gone.
  private static let findings = """
    select f.type, f.subject, f.severity, f.provider, f.account, f.order_id, f.payment_id, f.record_id, f.currency, f.expected_minor,
      f.actual_minor, f.since, f.connected_account, f.explanation, f.suggested_action,
      case when f.moment = 0 then 'resolved' when b.type is null then 'new' else 'persisting' end
    from finding f
    left join finding b on b.type = f.type and b.subject = f.subject and b.moment = 0 and f.moment = 1
    left join finding e on e.type = f.type and e.subject = f.subject and e.moment = 1 and f.moment = 0
    where e.type is null
    order by f.type, f.subject
    """

  func run() throws {
    try database.empty("discrepancy")
    try database.transaction {
      let loader = try database.bulkLoader(into: "discrepancy", columns: Discrepancies.columns, replacing: ["discrepancy_id"])
      try database.query(Discrepancies.findings) { try load($0, loader) }
      _ = try loader.finish()
    }
  }

  private func load(_ row: any Row, _ loader: any BulkLoader) throws {
    let type = row.text(0) ?? ""
    let subject = row.text(1) ?? ""
    let severity = Severity(rawValue: row.text(2) ?? "") ?? .high
    let condition = row.text(15) ?? ""
    let expected = try row.integer(9)
    let actual = try row.integer(10)
    let since = try row.integer(11) ?? 0
    let id = Discrepancies.id(type: type, subject: subject)
    let difference = try Discrepancies.difference(expected, actual, type)
    let standing = Standing(
      Standing.Facts(
        condition: condition, currency: row.text(8) ?? "", differenceMinor: difference, since: since, rangeEnd: range.endsAt),
      decisions: decisions[id] ?? [])
    let firstSeen = calendar.day(containing: since)
    let lastSeen = condition == "resolved" ? range.firstDay.advanced(by: -1) : range.lastDay
    try loader.append(text: id)
    try loader.append(text: type)
    try loader.append(text: subject)
    try loader.append(text: severity.rawValue)
    try loader.append(integer: Int64(severity.rank))
    try loader.append(text: standing.state)
    for column in 3...8 { try loader.append(text: row.text(column) ?? "") }
    try loader.append(integer: expected)
    try loader.append(integer: actual)
    try loader.append(integer: difference)
    try loader.append(integer: since)
    try loader.append(text: firstSeen.description)
    try loader.append(text: lastSeen.description)
    try loader.append(integer: range.lastDay.date.dayNumber - firstSeen.date.dayNumber)
    try loader.append(text: standing.owner)
    try loader.append(text: row.text(13) ?? "")
    try loader.append(text: row.text(14) ?? "")
    try loader.append(text: standing.decision)
    try loader.append(text: standing.note)
    try loader.append(text: row.text(12) ?? "")
    try loader.append(integer: severity != .ignore && ["new", "persisting"].contains(standing.state) ? 1 : 0)
    try loader.append(text: condition)
    try loader.endRow()
  }

  private static func difference(_ expected: Int64?, _ actual: Int64?, _ type: String) throws -> Int64? {
    guard let expected, let actual else { return nil }
    let difference = actual.subtractingReportingOverflow(expected)
    guard !difference.overflow else { throw MoneyError.overflow("the difference of a \(type)") }
    return difference.partialValue
  }

  /// Stable: of the type and of what it is about, never of the run.
  static func id(type: String, subject: String) -> String {
    let digest = SHA256.hash(data: Data("\(type)\n\(subject)".utf8))
    return "d_" + digest.prefix(8).map { String(format: "%02x", $0) }.joined()
  }
}
