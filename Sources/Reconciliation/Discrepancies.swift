import Cryptography
import Decisions
import Foundation
import Payments
import Reports
import Settings
import Storage

/// Makes discrepancies from findings: state, first seen, age, and an id that stays the same in a rerun
/// (docs/contract.md section 5.1).
struct Discrepancies {
  let database: any Database
  let range: ReportRange
  let calendar: BusinessCalendar
  /// Decisions by discrepancy, each in the order in which they were made.
  let decisions: [String: [Decision]]
  /// The state that readers know from the report before this one.
  let reader: ReaderState
  /// Whether the check is silent because a source was not read up to the instant of the claim; a discrepancy that was
  /// listed then stays listed.
  let isWithheld: (ListedDiscrepancy) throws -> Bool
  /// Whether the match that its check reads cannot be known at the end; what was listed then stays listed.
  let isUnknown: (ListedDiscrepancy) throws -> Bool
  /// Whether landed records are lost that might support it; it then stays open.
  var isLost: (ListedDiscrepancy) -> Bool = { _ in false }

  private static let columns = [
    "discrepancy_id", "type", "subject", "severity", "severity_rank", "state", "provider", "account", "order_id",
    "payment_id",
    "record_id",
    "currency", "expected_minor", "actual_minor", "difference_minor", "since", "first_seen", "last_seen", "age_days",
    "owner",
    "explanation",
    "suggested_action", "decision", "note", "connected_account", "counts", "condition",
  ]

  /// Each finding at the end with the one at the start beside it, and findings at the start alone where the condition
  /// is gone.
  private static let findings = """
    select f.type, f.subject, f.severity, f.provider, f.account, f.order_id, f.payment_id, f.record_id, f.currency,
      f.expected_minor, f.actual_minor, f.since, f.connected_account, f.explanation, f.suggested_action, f.moment,
      case when f.moment = 0 or b.type is not null then 1 else 0 end
    from finding f
    left join finding b on b.type = f.type and b.subject = f.subject and b.moment = 0 and f.moment = 1
    left join finding e on e.type = f.type and e.subject = f.subject and e.moment = 1 and f.moment = 0
    where e.type is null
    order by f.type, f.subject
    """

  func run() throws {
    try database.empty("discrepancy")
    try database.transaction {
      let loader = try database.bulkLoader(
        into: "discrepancy", columns: Discrepancies.columns, replacing: ["discrepancy_id"])
      var found: Set<String> = []
      try database.query(Discrepancies.findings) { row in
        let listed = try ListedDiscrepancy(row)
        found.insert(listed.id)
        let (isOpen, wasOpen) = (try row.integer(15) == 1, try row.integer(16) == 1)
        if !isOpen && isLost(listed) {
          try load(listed, reader.conditionWhileLost(of: listed), loader)
        } else if !isOpen, reader.isListed(listed), try isUnknown(listed) {
          try load(listed, "persisting", loader)
        } else if let condition = reader.condition(of: listed, isOpen: isOpen, wasOpen: wasOpen) {
          try load(listed, condition, loader)
        }
      }
      for listed in reader.unmentioned(besides: found) {
        try load(listed, try isWithheld(listed) ? "persisting" : "resolved", loader)
      }
      for listed in reader.unmentionedEarlier(besides: found) where try isWithheld(listed) {
        try load(listed, "persisting", loader)
        found.insert(listed.id)
      }
      for listed in reader.unmentionedHere(besides: found) where isLost(listed) {
        try load(listed, reader.conditionWhileLost(of: listed), loader)
      }
      _ = try loader.finish()
      try loadPassed()
    }
  }

  /// Loads discrepancies that were opened and cleared within the range: the report lists them neither as open nor as
  /// resolved.
  private func loadPassed() throws {
    try database.empty("passed_discrepancy")
    if reader.within.isEmpty { return }
    var mentioned: Set<String> = []
    try database.query("select discrepancy_id from discrepancy") { row in mentioned.insert(row.text(0) ?? "") }
    let loader = try database.bulkLoader(
      into: "passed_discrepancy",
      columns: [
        "discrepancy_id", "type", "severity", "provider", "account", "order_id", "payment_id", "record_id", "currency",
        "difference_minor", "first_seen", "last_seen", "explanation",
      ])
    for (row, lastDay) in reader.passed(besides: mentioned) {
      for text in [
        row.id, row.type, row.severity, row.provider, row.account, row.orderID, row.paymentID, row.recordID,
        row.currency,
      ] {
        try loader.append(text: text)
      }
      try loader.append(integer: try Discrepancies.difference(row.expectedMinor, row.actualMinor, row.type))
      for text in ["\(calendar.day(containing: row.since))", "\(lastDay)", row.explanation] {
        try loader.append(text: text)
      }
      try loader.endRow()
    }
    _ = try loader.finish()
  }

  private func load(_ row: ListedDiscrepancy, _ condition: String, _ loader: any BulkLoader) throws {
    let severity = Severity(rawValue: row.severity) ?? .high
    let difference = try Discrepancies.difference(row.expectedMinor, row.actualMinor, row.type)
    let standing = DiscrepancyStatus(
      DiscrepancyStatus.Facts(
        condition: condition, currency: row.currency, differenceMinor: difference, since: row.since,
        rangeEnd: range.endsAt),
      decisions: decisions[row.id] ?? [])
    let firstSeen = calendar.day(containing: row.since)
    let lastSeen = condition == "resolved" ? range.firstDay.advanced(by: -1) : range.lastDay
    for text in [row.id, row.type, row.subject, severity.rawValue] { try loader.append(text: text) }
    try loader.append(integer: Int64(severity.rank))
    for text in [standing.state, row.provider, row.account, row.orderID, row.paymentID, row.recordID, row.currency] {
      try loader.append(text: text)
    }
    for integer in [row.expectedMinor, row.actualMinor, difference, row.since] { try loader.append(integer: integer) }
    try loader.append(text: firstSeen.description)
    try loader.append(text: lastSeen.description)
    try loader.append(integer: range.lastDay.date.dayNumber - firstSeen.date.dayNumber)
    for text in [
      standing.owner, row.explanation, row.suggestedAction, standing.decision, standing.note, row.connectedAccount,
    ] {
      try loader.append(text: text)
    }
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

  /// A stable id, derived from the type and the subject, never from the run.
  static func id(type: String, subject: String) -> String {
    "d_" + Hexadecimal.text(SHA256.hash("\(type)\n\(subject)".utf8).bytes.prefix(8))
  }
}
