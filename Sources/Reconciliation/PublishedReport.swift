import Landing
import Reports
import Storage

/// A report as the log of publications records it.
package struct PublishedReport: Sendable {
  /// When its run began, Unix seconds.
  var at: Int64
  var range: ReportRange
  var verdict: String
  var version: String
  /// The exit status of the run; nil where it is unknown.
  var exitStatus: Int32?
  /// Ids of the listed discrepancies by state.
  var states: [String: [String]]
  /// The open discrepancies, whatever was decided about them.
  var open: [ListedDiscrepancy]
  /// The end of the landing chain.
  var landed: ChainLink?
}

extension PublishedReport {
  /// Reads the discrepancies that a report lists.
  ///
  /// - Throws: what the database throws.
  init(
    _ database: any Database, range: ReportRange, at: Int64, verdict: String, version: String, exitStatus: Int32?,
    landed: ChainLink? = nil
  )
    throws
  {
    var states: [String: [String]] = [:]
    var open: [ListedDiscrepancy] = []
    try database.query(
      """
      select state, condition, type, subject, severity, provider, account, order_id, payment_id, record_id, currency,
        expected_minor, actual_minor, since, connected_account, explanation, suggested_action
      from discrepancy order by discrepancy_id
      """
    ) { row in
      let listed = try ListedDiscrepancy(row, from: 2)
      states[row.text(0) ?? "", default: []].append(listed.id)
      if row.text(1) != "resolved" { open.append(listed) }
    }
    self.init(
      at: at, range: range, verdict: verdict, version: version, exitStatus: exitStatus, states: states, open: open,
      landed: landed)
  }
}

/// A discrepancy as a report lists it, whatever was decided about it.
struct ListedDiscrepancy: Codable, Sendable, Equatable {
  var type, subject, severity, provider, account, orderID, paymentID, recordID, currency: String
  /// Minor units of `currency`; nil where there is no amount.
  var expectedMinor, actualMinor: Int64?
  /// Since when it is open, Unix seconds.
  var since: Int64
  var connectedAccount, explanation, suggestedAction: String

  private enum CodingKeys: String, CodingKey {
    case type, subject, severity, provider, account, currency, since, explanation
    case orderID = "order_id"
    case paymentID = "payment_id"
    case recordID = "record_id"
    case expectedMinor = "expected_minor"
    case actualMinor = "actual_minor"
    case connectedAccount = "connected_account"
    case suggestedAction = "suggested_action"
  }

  /// A stable id, derived from the type and the subject, never from the run.
  var id: String { Discrepancies.id(type: type, subject: subject) }
}

extension ListedDiscrepancy {
  /// Reads the columns in the order of the members, the first of them at a place.
  init(_ row: any Row, from place: Int = 0) throws {
    func text(_ offset: Int) -> String { row.text(place + offset) ?? "" }
    self.init(
      type: text(0), subject: text(1), severity: text(2), provider: text(3), account: text(4), orderID: text(5),
      paymentID: text(6),
      recordID: text(7), currency: text(8), expectedMinor: try row.integer(place + 9),
      actualMinor: try row.integer(place + 10),
      since: try row.integer(place + 11) ?? 0, connectedAccount: text(12), explanation: text(13),
      suggestedAction: text(14))
  }
}
