import Decisions
import Foundation
import Payments
import Storage

/// The discrepancies of the range that was reconciled last, with all decisions about them so far.
package struct ExceptionList {
  let database: any Database
  let log: DecisionLog
  /// What the reports listed: it distinguishes a discrepancy that was closed from an unknown id.
  var published: PublicationHistory?

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
    /// In minor units, for recording a decision; not shown.
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
  /// - Throws: the error of the database or of the log.
  package func items() throws -> [Item] {
    let decisions = Dictionary(grouping: try log.read().decisions, by: \.discrepancyID)
    let rangeEnd = try database.integer("select instant from moment where moment = 1") ?? 0
    var items: [Item] = []
    try database.query(
      """
      select discrepancy_id, type, severity, condition, provider, order_id, payment_id, currency, difference_minor,
        since, age_days, explanation
      from discrepancy order by severity_rank desc, since, type, discrepancy_id
      """
    ) { row in
      let id = row.text(0) ?? ""
      let currency = row.text(7) ?? ""
      let difference = try row.integer(8)
      let standing = DiscrepancyStatus(
        DiscrepancyStatus.Facts(
          condition: row.text(3) ?? "", currency: currency, differenceMinor: difference, since: try row.integer(9) ?? 0,
          rangeEnd: rangeEnd),
        decisions: decisions[id] ?? [])
      items.append(
        Item(
          discrepancyID: id, type: row.text(1) ?? "", severity: row.text(2) ?? "", state: standing.state,
          provider: row.text(4) ?? "",
          orderID: row.text(5) ?? "", paymentID: row.text(6) ?? "", currency: currency,
          difference: Self.amount(difference, currency), ageDays: try row.integer(10) ?? 0, owner: standing.owner,
          explanation: row.text(11) ?? "", decision: standing.decision, note: standing.note, differenceMinor: difference
        ))
    }
    return items.sorted { Self.place($0.state) < Self.place($1.state) }
  }

  /// Why a decision is refused.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Records the same decision about each of the discrepancies; nothing is recorded if one of them cannot be decided.
  ///
  /// - Parameters:
  ///   - text: the owner of `assign`, the text of `note`, else a remark or nil.
  ///   - now: the time of the decision, Unix seconds.
  /// - Throws: `Refusal` with the reason for each id, or the error of the log's file.
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
          at: now, who: who, source: source, action: action, discrepancyID: id,
          differenceMinor: items[id]?.differenceMinor, text: text))
    }
    guard refusals.isEmpty else { throw Refusal(description: refusals.joined(separator: "\n")) }
    try log.append(decisions)
    return decisions
  }

  /// Why a discrepancy is not among those of the last run.
  private func absence(of id: String) -> String {
    published?.closedRow(id) == nil
      ? "is not among the discrepancies of the last run; run the range of the file again first"
      : "was closed meanwhile: a report before the last run listed it; there is nothing to decide"
  }

  /// The decisions in a filled-in file: only cells that differ from the current state count; a blank cell asks for
  /// nothing.
  ///
  /// - Returns: the valid decisions, and a sentence for each cell that is refused.
  package func decisions(in file: FilledIn, who: String, now: Int64) throws -> (
    decisions: [Decision], refusals: [String]
  ) {
    let items = Dictionary(uniqueKeysWithValues: try items().map { ($0.discrepancyID, $0) })
    var refusals = file.refusals
    var decisions: [Decision] = []
    var seen: [String: String] = [:]
    for line in file.lines {
      if let other = seen.updateValue(line.place, forKey: line.id) {
        refusals.append("\(line.place): \(line.id) is repeated, also at \(other)")
        continue
      }
      let wanted = wishes(line, items[line.id], &refusals)
      guard !wanted.isEmpty else { continue }
      guard let item = items[line.id] else {
        refusals.append("\(line.cell("id")): \(line.id) \(absence(of: line.id))")
        continue
      }
      for (action, text, column) in wanted {
        if let reason = Self.refusal(of: action, item, line.id) {
          refusals.append("\(line.cell(column)): \(reason)")
          continue
        }
        decisions.append(
          Decision(
            at: now, who: who, source: file.source, action: action, discrepancyID: line.id,
            differenceMinor: item.differenceMinor, text: text))
      }
    }
    return (decisions, refusals)
  }

  /// Records the decisions.
  package func keep(_ decisions: [Decision]) throws { try log.append(decisions) }

  private func wishes(_ line: FilledIn.Line, _ item: Item?, _ refusals: inout [String]) -> [(
    Decision.Action, String?, String
  )] {
    var wanted: [(Decision.Action, String?, String)] = []
    if let owner = line.owner, !owner.isEmpty, owner != item.map({ FilledIn.cleaned($0.owner) }) {
      wanted.append((.assign, owner, "owner"))
    }
    if let word = line.status, !word.isEmpty {
      if let action = Self.action(word) {
        if !Self.stands(action, item) { wanted.append((action, nil, "status")) }
      } else {
        refusals.append(
          "\(line.cell("status")): \"\(word.prefix(40))\" is none of acknowledge, resolve, write-off, reopen")
      }
    }
    // A decision's remark becomes the note, so the note comes last.
    if let note = line.note, !note.isEmpty, note != item.map({ FilledIn.cleaned($0.note) }) {
      wanted.append((.note, note, "note"))
    }
    return wanted
  }

  /// The action for a word of the list, or for the resulting state as a report names it.
  private static func action(_ word: String) -> Decision.Action? {
    switch word.lowercased().replacing("_", with: "-").replacing(" ", with: "-") {
    case "acknowledge", "acknowledged", "ack": .acknowledge
    case "resolve", "resolved": .resolve
    case "write-off", "written-off": .writeOff
    case "reopen": .reopen
    default: nil
    }
  }

  /// Whether the requested state is already in effect: a file may be read twice.
  private static func stands(_ action: Decision.Action, _ item: Item?) -> Bool {
    guard let item else { return false }
    switch action {
    case .acknowledge: return item.decision.hasPrefix("acknowledged by") && item.state == "acknowledged"
    case .resolve: return item.decision.hasPrefix("resolved by") && item.state == "acknowledged"
    case .writeOff: return item.state == "written_off"
    case .reopen: return ["new", "persisting"].contains(item.state)
    case .assign, .note: return false
    }
  }

  /// Why a decision about one item is refused; nil if it is allowed.
  package static func refusal(of action: Decision.Action, _ item: Item?, _ id: String) -> String? {
    guard let item else {
      return "\(id): not among the discrepancies of the last run; `crossfoot discrepancies list` shows them"
    }
    if action.setsState, item.state == "resolved" { return "\(id): is already resolved; there is nothing to decide" }
    if action == .writeOff, item.differenceMinor == nil {
      return "\(id): has no amount to write off; acknowledge it instead"
    }
    if action == .reopen, !["acknowledged", "written_off"].contains(item.state) {
      return "\(id): is \(item.state), not decided"
    }
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
