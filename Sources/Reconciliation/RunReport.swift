import Payments
import Providers
import Reports
import Settings

/// The outcome of a run: verdict, figures and notes.
package struct RunReport: Sendable {
  /// The verdict with its reasons, the figures, and where the reports are.
  package let summary: RunSummary
  /// Every discrepancy of the range, for the alerts.
  package var discrepancies: [ReportedDiscrepancy] = []
  /// How long each stage took, milliseconds.
  package var stages: [(name: String, milliseconds: Int64)] = []
  /// Days between the report before and this range that no report covers.
  package var missedDays: [BusinessDay] = []
  /// Later days whose reports were made without the records of this range, which no report covered so far.
  package var changedDays: [BusinessDay] = []
  /// The closed periods that contain days of the range.
  package var closedPeriods: [ClosedNote] = []

  /// How many groups of records were derived, and how many there are.
  package var groups = GroupCount(derived: 0, all: 0)

  package var verdict: Verdict { summary.verdict }

  /// Whether an open discrepancy has at least that severity; ignored, decided and resolved ones never count.
  package func has(atLeast severity: Severity) -> Bool {
    summary.figures.severities.contains { found in
      found.open > 0 && (Severity(rawValue: found.severity).map { $0 != .ignore && $0.rank >= severity.rank } ?? false)
    }
  }
}

/// How many groups of records a run derived: those that are alive in its range, of all that there are.
package struct GroupCount: Sendable, Equatable, Encodable {
  package let derived: Int64
  package let all: Int64
}

/// Why a run publishes nothing.
package enum RunError: Error, CustomStringConvertible {
  /// Another run holds the lock: exit 75.
  case locked(String)
  /// Every configured provider refused the credentials: exit 77.
  case credentials([String])
  /// No configured provider could be reached: exit 69.
  case unreachable([String])

  /// Ends the run when every provider refuses or is unreachable.
  static func refuse(_ outcomes: [String: PullOutcome]) throws {
    guard !outcomes.isEmpty, outcomes.values.allSatisfy({ $0.refusal != nil }) else { return }
    let sentences = outcomes.sorted { $0.key < $1.key }.map { name, outcome in
      "\(name): \(outcome.streams.compactMap(\.reason).first ?? "it gave no reason")"
    }
    if outcomes.values.allSatisfy({ $0.refusal == .credentials }) { throw RunError.credentials(sentences) }
    throw RunError.unreachable(sentences)
  }

  package var description: String {
    switch self {
    case .locked(let what): "another run holds the lock on \(what); wait until it has ended"
    case .credentials(let sentences):
      (["every configured provider refused the credentials; nothing was published:"] + sentences).joined(
        separator: "\n  ")
    case .unreachable(let sentences):
      (["no configured provider could be reached; nothing was published:"] + sentences).joined(separator: "\n  ")
    }
  }
}
