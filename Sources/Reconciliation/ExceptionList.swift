import Decisions
import Foundation
import Payments
import Storage

/// The discrepancies of the range that was reconciled last, with everything that has been decided about them until now.
package struct ExceptionList {
  let database: any Database
  let log: DecisionLog

  package init(database: any Database, log: DecisionLog) {
    self.database = database
    self.log = log
  }

  /// A discrepancy as the list shows it.
  package struct Item: Sendable, Encodable {
    package var discrepancyID: String
    package var type: String
    package var severity: String
    package var state: String
    package var provider: String
    package var orderID: String
    package var paymentID: String
    package var currency: String
    /// An exact decimal with the currency's digits; nil where there is no amount.
    package var difference: String?
    package var ageDays: Int64
    package var owner: String
    package var explanation: String
    package var decision: String
    package var note: String
    /// In minor units, for a decision; not shown.
    package var differenceMinor: Int64?

    private enum CodingKeys: String, CodingKey {
      case type, severity, state, provider, currency, difference, owner, explanation, decision, note
      case discrepancyID = "discrepancy_id"
      case orderID = "order_id"
      case paymentID = "payment_id"
      case ageDays = "age_days"
    }
  }

  /// Worst first, in the order of the report.
  ///
  /// - Throws: what the database or the log says.
  package func items() throws -> [Item] {
    let decisions = Dictionary(grouping: try log.read().decisions, by: \.discrepancyID)
    let rangeEnd = try database.integer("select instant from moment where moment = 1") ?? 0
    var items: [Item] = []
    try database.query(
      """
      select discrepancy_id, type, severity, condition, provider, order_id, payment_id, currency, difference_minor, since, age_days, explanation
      from discrepancy order by severity_rank desc, since, type, discrepancy_id
      """
    ) { row in
      let id = row.text(0) ?? ""
      let currency = row.text(7) ?? ""
      let difference = try row.integer(8)
      let standing = Standing(
        Standing.Facts(
          condition: row.text(3) ?? "", currency: currency, differenceMinor: difference, since: try row.integer(9) ?? 0, rangeEnd: rangeEnd),
        decisions: decisions[id] ?? [])
      items.append(
        Item(
          discrepancyID: id, type: row.text(1) ?? "", severity: row.text(2) ?? "", state: standing.state, provider: row.text(4) ?? "",
          orderID: row.text(5) ?? "", paymentID: row.text(6) ?? "", currency: currency,
          difference: Self.amount(difference, currency), ageDays: try row.integer(10) ?? 0, owner: standing.owner,
          explanation: row.text(11) ?? "", decision: standing.decision, note: standing.note, differenceMinor: difference))
    }
    return items.sorted { Self.place($0.state) < Self.place($1.state) }
  }

  /// Why something cannot be decided.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Decides the same about each of the discrepancies, and keeps it; nothing is kept when one of them cannot be.
  ///
  /// - Parameters:
  ///   - text: the owner of `assign`, the text of `note`, else a remark or nil.
  ///   - now: the moment of the decision, Unix seconds.
  /// - Throws: `Refusal` with what is wrong with each id, or what the log's file says.
  package func decide(
    _ action: Decision.Action, about ids: [String], text: String?, who: String, source: String, now: Int64
  ) throws -> [Decision] {
    let items = Dictionary(uniqueKeysWithValues: try items().map { ($0.discrepancyID, $0) })
    var refusals: [String] = []
    var decisions: [Decision] = []
    var seen: Set<String> = []
    for id in ids where seen.insert(id).inserted {
      if let reason = Self.refusal(of: action, items[id], id) { refusals.append(reason) }
      decisions.append(
        Decision(
          at: now, who: who, source: source, action: action, discrepancyID: id, differenceMinor: items[id]?.differenceMinor, text: text))
    }
    guard refusals.isEmpty else { throw Refusal(description: refusals.joined(separator: "\n")) }
    try log.append(decisions)
    return decisions
  }

  /// Why a decision about one item cannot be taken; nil when it can.
  package static func refusal(of action: Decision.Action, _ item: Item?, _ id: String) -> String? {
    guard let item else { return "\(id): not among the discrepancies of the last run; `crossfoot discrepancies list` shows them" }
    if action.setsState, item.state == "resolved" { return "\(id): has resolved itself, there is nothing to decide" }
    if action == .writeOff, item.differenceMinor == nil { return "\(id): has no amount to write off; acknowledge it instead" }
    if action == .reopen, !["acknowledged", "written_off"].contains(item.state) { return "\(id): is \(item.state), not decided" }
    return nil
  }

  private static func amount(_ minor: Int64?, _ code: String) -> String? {
    guard let minor, let currency = try? Currency(code: code) else { return nil }
    return Money.decimalText(minor, digits: currency.digits)
  }

  private static func place(_ state: String) -> Int {
    switch state {
    case "new", "persisting": 0
    case "acknowledged": 1
    case "written_off": 2
    default: 3
    }
  }
}
