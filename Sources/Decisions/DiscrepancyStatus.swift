import Payments

/// The status of a discrepancy: its condition and the decisions about it (docs/discrepancies.md).
package struct DiscrepancyStatus: Sendable, Equatable {
  /// The facts that the run determined about it.
  package struct Facts: Sendable {
    /// new, persisting or resolved.
    package var condition: String
    package var currency: String
    package var differenceMinor: Int64?
    /// Since when it is open, Unix seconds.
    package var since: Int64
    /// The end of the reported range.
    package var rangeEnd: Int64

    package init(condition: String, currency: String, differenceMinor: Int64?, since: Int64, rangeEnd: Int64) {
      self.condition = condition
      self.currency = currency
      self.differenceMinor = differenceMinor
      self.since = since
      self.rangeEnd = rangeEnd
    }
  }

  /// new, persisting, resolved, acknowledged or written_off.
  package private(set) var state: String
  package private(set) var owner = ""
  /// The decision, with its author and time; if it no longer applies, also the reason.
  package private(set) var decision = ""
  package private(set) var note = ""

  /// How long `resolve` covers a condition that still holds, seconds.
  static let resolveHolds: Int64 = 7 * 86_400

  /// - Parameter decisions: those about it, in the order in which they were made.
  package init(_ facts: Facts, decisions: [Decision]) {
    state = facts.condition
    var standing: Decision?
    for decision in decisions {
      switch decision.action {
      case .assign: owner = decision.text ?? ""
      case .note: note = decision.text ?? ""
      case .reopen: standing = nil
      case .acknowledge, .resolve, .writeOff: standing = decision
      }
      if decision.action.setsState || decision.action == .reopen, let text = decision.text, !text.isEmpty {
        note = text
      }
    }
    guard let standing else { return }
    decision = Self.words(standing)
    if let reason = Self.reopened(standing, facts) {
      decision += "; \(reason)"
    } else if facts.condition != "resolved" {
      state = standing.action == .writeOff ? "written_off" : "acknowledged"
    }
  }

  private static func words(_ decision: Decision) -> String {
    let verb =
      switch decision.action {
      case .resolve: "resolved"
      case .writeOff: "written off"
      default: "acknowledged"
      }
    return "\(verb) by \(decision.who) on \(Instant.text(decision.at).prefix(10))"
  }

  /// Why a decision no longer applies; nil while it does.
  private static func reopened(_ decision: Decision, _ facts: Facts) -> String? {
    if facts.condition == "resolved" { return nil }
    if facts.differenceMinor != decision.differenceMinor {
      return "open again: the difference was \(amount(decision.differenceMinor, facts.currency)) then"
    }
    if facts.since > decision.at { return "open again: it recurred" }
    if decision.action == .resolve && facts.rangeEnd > decision.at + resolveHolds {
      return "open again: the condition is still present after seven days"
    }
    return nil
  }

  private static func amount(_ minor: Int64?, _ code: String) -> String {
    guard let minor else { return "none" }
    guard let currency = try? Currency(code: code) else { return "\(minor)" }
    return "\(Money(amountMinor: minor, currency: currency))"
  }
}
