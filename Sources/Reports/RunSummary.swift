import Payments

/// A summary of a run to be read in ten seconds: the verdict with its reasons, the day's figures, and what is wrong.
///
/// The terminal and the workbook's first sheet show the same summary.
package struct RunSummary: Sendable {
  package var verdict: Verdict
  /// Why the verdict is not clean, one sentence each: streams that were not read in full, proofs that fail.
  package var reasons: [String]
  package var range: ReportRange
  /// IANA name of the reporting time zone.
  package var timeZone: String
  package var figures: SummaryFigures
  /// The location of the reports, for the terminal only: the workbook's bytes must not depend on a path.
  package var location: String?

  package init(
    verdict: Verdict, reasons: [String] = [], range: ReportRange, timeZone: String, figures: SummaryFigures,
    location: String? = nil
  ) {
    self.verdict = verdict
    self.reasons = reasons
    self.range = range
    self.timeZone = timeZone
    self.figures = figures
    self.location = location
  }

  /// The days in words.
  var days: String { range.firstDay == range.lastDay ? "\(range.firstDay)" : "\(range.firstDay) to \(range.lastDay)" }
}

/// The figures of a summary, read from the store or given by hand.
package struct SummaryFigures: Sendable {
  /// The day's figures of one provider in one currency, minor units: sums over the entries booked in the range.
  package struct Totals: Sendable, Equatable {
    package var provider: String
    package var currency: Currency
    package var captured: Int64 = 0
    package var refunded: Int64 = 0
    package var disputed: Int64 = 0
    package var fees: Int64 = 0
    package var transferred: Int64 = 0
    package var commission: Int64 = 0
    /// What the platform keeps after customers, providers and connected accounts.
    package var kept: Int64 = 0
    package var paidOut: Int64 = 0
    /// Movements of the balance without a counterparty that we know.
    package var exchange: Int64 = 0
    package var reserves: Int64 = 0
    package var adjustments: Int64 = 0
    /// The same, for rows without a posting rule.
    package var unclassified: Int64 = 0
    /// The sum of the provider's own rows of the range, computed without posting rules.
    package var stated: Int64 = 0

    package init(provider: String, currency: Currency) {
      self.provider = provider
      self.currency = currency
    }
  }

  /// How many discrepancies of a severity there are.
  package struct Severity: Sendable, Equatable {
    package var severity: String
    package var new: Int64
    package var persisting: Int64
    /// Acknowledged or written off.
    package var decided: Int64
    package var resolved: Int64

    package var open: Int64 { new + persisting }
  }

  /// Open discrepancies of one type and currency; the difference is summed without signs.
  package struct TypeCount: Sendable, Equatable {
    package var type: String
    package var severity: String
    /// Blank where the type has no amounts.
    package var currency: String
    package var cases: Int64
    package var differenceMinor: Int64
  }

  /// Differences of a type from the day before the range.
  package struct Change: Sendable, Equatable {
    package var type: String
    package var severity: String
    package var new: Int64
    package var resolved: Int64
  }

  /// An open discrepancy worth reading first.
  package struct Worst: Sendable, Equatable {
    package var discrepancyID: String
    package var severity: String
    package var type: String
    package var state: String
    package var explanation: String
  }

  /// The control total of one provider account and currency: captured less tender is the sum of the rest
  /// (docs/contract.md section 5.7).
  package struct TieOut: Sendable, Equatable {
    package var provider: String
    package var account: String
    package var currency: Currency
    package var captured: Int64
    package var tender: Int64
    package var discrepancies: Int64
    package var pending: Int64
    package var withinTolerance: Int64
    package var residual: Int64
    package var holds: Bool
  }

  /// A balance of the platform from the range's first instant to its end.
  package struct Balance: Sendable, Equatable {
    package var provider: String
    package var account: String
    package var currency: Currency
    package var opening: Int64
    package var moved: Int64
    package var closing: Int64
    /// What the provider states at the end; nil: nothing.
    package var stated: Int64?
  }

  /// The result of a proof in one account and currency.
  package struct Proof: Sendable, Equatable {
    package var proof: String
    package var provider: String
    package var account: String
    package var currency: String
    package var lines: Int64
    package var failing: Int64
  }

  package var totals: [Totals] = []
  /// Groups of orders and payments by `match_status`.
  package var matches: [String: Int64] = [:]
  package var severities: [Severity] = []
  package var types: [TypeCount] = []
  package var worst: [Worst] = []
  package var changes: [Change] = []
  /// Open discrepancies by owner; those without an owner have an empty name and come last.
  package var owners: [(owner: String, cases: Int64)] = []
  package var tieOut: [TieOut] = []
  package var balances: [Balance] = []
  /// How many discrepancies were opened and cleared within the range.
  package var passed: Int64 = 0
  /// The totals in the reporting currency; nil where none is configured.
  package var converted: ConvertedTotals?
  package var proofs: [Proof] = []

  package init() {}

  package var openDiscrepancies: Int64 { severities.reduce(0) { $0 + $1.open } }
}
