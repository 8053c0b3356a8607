import Payments
import Settings

/// The outcome of a run for its alerts: plain values, so that a channel depends on neither store nor reports.
package struct RunOutcome: Sendable {
  /// How the run ended, at the beginning of every message.
  package enum Outcome: Sendable, Equatable {
    case clean, discrepancies, incomplete
    /// Nothing was published: the exit status, and why.
    case nothingPublished(status: Int32)
  }
  package var outcome: Outcome
  /// The name of the range: `2026-03-01` or `2026-03-01_2026-03-31`.
  package var range: String
  /// The end of the range, Unix seconds: a run of an older range never contradicts a newer one.
  package var rangeEnd: Int64
  /// Why the verdict is not clean, a sentence each.
  package var reasons: [String]
  package var discrepancies: [Discrepancy]
  /// Where the report is; nil where nothing was published.
  package var reports: String?
  /// The workbook's path, to be attached if it is small enough.
  package var workbook: String?
  /// The time of the run, Unix seconds.
  package var now: Int64

  package init(
    outcome: Outcome, range: String, rangeEnd: Int64, reasons: [String] = [], discrepancies: [Discrepancy] = [],
    reports: String? = nil,
    workbook: String? = nil, now: Int64
  ) {
    self.outcome = outcome
    self.range = range
    self.rangeEnd = rangeEnd
    self.reasons = reasons
    self.discrepancies = discrepancies
    self.reports = reports
    self.workbook = workbook
    self.now = now
  }
}

/// One discrepancy of the run's range, as in discrepancies.csv.
package struct Discrepancy: Sendable, Equatable {
  package var id: String
  package var type: String
  package var severity: Severity
  /// new, persisting, resolved, acknowledged or written_off.
  package var state: String
  package var provider: String
  package var connectedAccount = ""
  package var orderID = ""
  package var paymentID = ""
  package var currency = ""
  /// Minor units of `currency`; nil where there is no amount.
  package var differenceMinor: Int64?
  /// Decides which channel it goes to; never part of a message, as it may be a person.
  package var owner = ""
  package var explanation = ""
  package var suggestedAction = ""
  /// The decision on it; on an open one it no longer applies.
  package var decision = ""

  package init(id: String, type: String, severity: Severity, state: String, provider: String) {
    self.id = id
    self.type = type
    self.severity = severity
    self.state = state
    self.provider = provider
  }

  /// Needs attention: neither resolved nor decided.
  var isOpen: Bool { (state == "new" || state == "persisting") && severity != .ignore }

  /// The difference in the currency's digits, e.g. `-12.50 EUR`.
  var amount: String { Discrepancy.amount(differenceMinor, currency) }

  static func amount(_ minor: Int64?, _ code: String) -> String {
    guard let minor, let currency = try? Currency(code: code) else { return "" }
    return "\(Money(amountMinor: minor, currency: currency))"
  }
}

extension Severity {
  /// 4 is the worst.
  var weight: Int {
    switch self {
    case .critical: 4
    case .high: 3
    case .medium: 2
    case .low: 1
    case .ignore: 0
    }
  }
}
