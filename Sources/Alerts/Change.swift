import Settings

/// One change that a receiver is sent: logged, so that it is sent once.
package struct Change: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable, CaseIterable {
    case new, worse, resolved
    /// About the run, not about a discrepancy: it was incomplete, published nothing, or is complete again.
    case verdict
  }
  package var kind: Kind
  /// The discrepancy's id; `run <range>` for a verdict.
  package var id: String
  package var type: String
  /// critical, high, medium or low; blank for a verdict.
  package var severity: String
  package var provider: String
  package var connectedAccount: String
  package var currency: String
  /// Minor units of `currency`.
  package var differenceMinor: Int64?
  /// The verdict that was sent; nil for a discrepancy.
  package var verdict: String?

  init(_ kind: Kind, _ discrepancy: Discrepancy) {
    self.kind = kind
    id = discrepancy.id
    type = discrepancy.type
    severity = discrepancy.severity.rawValue
    provider = discrepancy.provider
    connectedAccount = discrepancy.connectedAccount
    currency = discrepancy.currency
    differenceMinor = discrepancy.differenceMinor
  }

  init(verdict: String, range: String) {
    kind = .verdict
    id = "run \(range)"
    (type, severity, provider, connectedAccount, currency) = ("", "", "", "", "")
    self.verdict = verdict
  }

  /// Worst first, then the largest amount.
  static func isBefore(_ one: Change, _ other: Change) -> Bool {
    if one.weight != other.weight { return one.weight > other.weight }
    let (left, right) = (one.differenceMinor?.magnitude ?? 0, other.differenceMinor?.magnitude ?? 0)
    return left != right ? left > right : one.id < other.id
  }

  private var weight: Int { Severity(rawValue: severity)?.weight ?? 0 }

  /// Identifies the change: repeated by a rerun, it is not sent again.
  var key: String { "\(kind.rawValue) \(id) \(severity) \(differenceMinor.map(String.init) ?? "-") \(verdict ?? "")" }

  private enum CodingKeys: String, CodingKey {
    case kind, id, type, severity, provider, currency, verdict
    case connectedAccount = "connected_account"
    case differenceMinor = "difference_minor"
  }
}
