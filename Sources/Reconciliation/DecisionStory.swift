import Decisions
import Payments

extension Night {
  /// What people decided about a discrepancy, oldest first, with owner, note and when; empty where nothing was decided.
  func decisionStory(of id: String) throws -> [String] {
    guard id.hasPrefix("d_") else { return [] }
    let decisions = try DecisionLog(landing: settings.landing.directory).read(asOf: asOf).decisions.filter {
      $0.discrepancyID == id
    }
    let lines = decisions.map { decision in
      "  \(Instant.text(decision.at))  \(decision.action.rawValue) by \(decision.who), \(decision.source)"
        + (decision.text.map { ": \($0)" } ?? "")
    }
    return lines.isEmpty ? [] : ["Decisions"] + lines
  }
}
