import Payments
import Storage

/// Records that could not be derived because of a defect of ours: they are left out and reported, and the rest of the
/// run is not affected.
struct UnresolvedRecord {
  let provider: String
  let orderIDs: [String]
  /// Payments, refunds or payouts, as the provider names them.
  let recordIDs: [String]
  let reason: String

  init(_ unresolved: Unresolved) {
    provider = unresolved.provider
    orderIDs = []
    recordIDs = [unresolved.recordID]
    reason = unresolved.reason
  }

  init(_ group: UnresolvedGroup) {
    provider = group.flowKeys.first.map { String($0.prefix { $0 != ":" }) } ?? ""
    orderIDs = group.orderIDs
    recordIDs = group.flowKeys.map { String($0.drop { $0 != ":" }.dropFirst()) }
    reason = group.reason
  }

  private var subject: String { (["\(provider)"] + orderIDs + recordIDs).joined(separator: " ") }

  private var explanation: String {
    let what = (orderIDs.map { "order \($0)" } + recordIDs.map { "record \($0)" }).joined(separator: ", ")
    return
      "The landed records of \(what) could not be derived: \(reason). They are left out of every figure; everything "
      + "else is reported."
  }

  /// Reports each as an `unexplained_difference` at both snapshots.
  ///
  /// - Throws: `StorageError`.
  static func report(_ unresolved: [UnresolvedRecord], in database: any Database, _ check: Check) throws {
    guard !unresolved.isEmpty else { return }
    let action = "Run explain on it, read its landed lines, and report the defect."
    let severity = check.severities["unexplained_difference"] ?? .critical
    for record in Dictionary(grouping: unresolved, by: \.subject).values.compactMap(\.first).sorted(by: {
      $0.subject < $1.subject
    }) {
      try database.execute(
        """
        insert into finding (type, moment, subject, severity, provider, account, order_id, payment_id, record_id,
          currency, expected_minor,
          actual_minor, since, connected_account, explanation, suggested_action)
        select 'unexplained_difference', m.moment, $1, $2, $3, '', $4, '', $5, '', null, null, m.instant - 1, '', $6, $7
        from moment m
        """,
        [
          .text(record.subject), .text(severity.rawValue), .text(record.provider),
          .text(record.orderIDs.joined(separator: " ")),
          .text(record.recordIDs.joined(separator: " ")), .text(record.explanation), .text(action),
        ])
    }
  }
}
