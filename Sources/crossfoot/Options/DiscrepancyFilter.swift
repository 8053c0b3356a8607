import Reconciliation
import Settings

/// The discrepancies that a list shows; an empty list of values accepts all.
struct DiscrepancyFilter: Sendable {
  let states, severities, types, owners, providers: [String]

  static let knownStates = ["new", "persisting", "resolved", "acknowledged", "written_off"]

  func passes(_ item: ExceptionList.Item) -> Bool {
    let pairs = [
      (states, item.state), (severities, item.severity), (types, item.type), (owners, item.owner),
      (providers, item.provider),
    ]
    return pairs.allSatisfy { wanted, word in wanted.isEmpty || wanted.contains(word) }
  }

  /// Rejects a value that no discrepancy can have: it would give an empty list, which reads like good news.
  ///
  /// - Parameter types: those that the checks can raise.
  /// - Throws: `Failure` 64.
  func check(types known: [String]) throws {
    try Self.check(states, among: Self.knownStates, "--state")
    try Self.check(severities, among: Severity.allCases.map(\.rawValue), "--severity")
    try Self.check(types, among: known, "--type")
  }

  private static func check(_ words: [String], among known: [String], _ option: String) throws {
    for word in words where !known.contains(word) {
      throw Failure(.usage, "\(option) \(word): expected one of \(known.joined(separator: ", "))")
    }
  }
}
