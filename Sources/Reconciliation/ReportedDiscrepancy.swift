import Storage

/// A discrepancy of the range as the reports list it, for the alerts.
package struct ReportedDiscrepancy: Sendable {
  package let id, type, severity, state, provider, orderID, paymentID, currency: String
  /// Minor units of `currency`; nil where there is no amount.
  package let differenceMinor: Int64?
  package let owner, explanation, suggestedAction, decision, connectedAccount: String

  /// All of them, by id.
  static func read(_ database: any Database) throws -> [ReportedDiscrepancy] {
    var discrepancies: [ReportedDiscrepancy] = []
    try database.query(
      """
      select discrepancy_id, type, severity, state, provider, order_id, payment_id, currency, difference_minor,
        owner, explanation,
        suggested_action, decision, connected_account
      from discrepancy order by discrepancy_id
      """
    ) { row in
      func text(_ column: Int) -> String { row.text(column) ?? "" }
      discrepancies.append(
        ReportedDiscrepancy(
          id: text(0), type: text(1), severity: text(2), state: text(3), provider: text(4), orderID: text(5),
          paymentID: text(6),
          currency: text(7), differenceMinor: try row.integer(8), owner: text(9), explanation: text(10),
          suggestedAction: text(11),
          decision: text(12), connectedAccount: text(13)))
    }
    return discrepancies
  }
}
