import Decisions
import Payments

extension ReconciliationRun {
  /// What people decided about a discrepancy, oldest first; empty where nothing was decided.
  func decisions(about id: String) throws -> [Decision] {
    guard id.hasPrefix("d_") else { return [] }
    return try DecisionLog(landing: settings.landing.directory).read(asOf: asOf).decisions.filter {
      $0.discrepancyID == id
    }
  }
}

extension Story {
  static func text(_ decision: Decision) -> String {
    "  \(Instant.text(decision.at))  \(decision.action.rawValue) by \(decision.who), \(decision.source)"
      + (decision.text.map { ": \($0)" } ?? "")
  }
}
