import Payments

/// What changed for the readers of the report that ends where this one begins: `new`, `persisting` or `resolved`.
///
/// Where no such report was published, the condition at the range's first instant takes its place.
struct ReaderState {
  /// What that report lists as open, by id; nil: there is none.
  let listed: [String: ListedDiscrepancy]?
  /// The range's first instant, Unix seconds.
  let startsAt: Int64
  /// What the newest report of this very range lists as open, by id.
  var before: [String: ListedDiscrepancy] = [:]
  /// What other reports within the range list as open, by id, as the newest of them says it.
  var within: [String: (row: ListedDiscrepancy, lastDay: BusinessDay)] = [:]

  /// - Parameters:
  ///   - isOpen: whether it holds at the range's end.
  ///   - wasOpen: whether it held at the range's first instant, as is known now.
  /// - Returns: nil where it is not listed: it ended before anybody read of it.
  func condition(of row: ListedDiscrepancy, isOpen: Bool, wasOpen: Bool) -> String? {
    guard let listed else { return isOpen ? (wasOpen ? "persisting" : "new") : "resolved" }
    let isListed = listed[row.id] != nil
    guard isOpen else { return isListed ? "resolved" : nil }
    // Listed, and yet it begins inside the range: it ended in between and came back.
    let cameBack = !wasOpen && row.since >= startsAt
    return isListed && !cameBack ? "persisting" : "new"
  }

  /// What it is while something is lost that may speak for it: what was open stays open.
  func conditionWhileLost(of row: ListedDiscrepancy) -> String {
    listed?[row.id] != nil || (before[row.id] == nil && row.since < startsAt) ? "persisting" : "new"
  }

  /// What was opened and cleared within the range, in the order of the ids.
  ///
  /// - Parameter mentioned: what the report of the range lists.
  func passed(besides mentioned: Set<String>) -> [(row: ListedDiscrepancy, lastDay: BusinessDay)] {
    within.filter { !mentioned.contains($0.key) && listed?[$0.key] == nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What was listed as open and is found neither at the range's beginning nor at its end, in the order of the ids.
  func unmentioned(besides found: Set<String>) -> [ListedDiscrepancy] {
    (listed ?? [:]).filter { !found.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What only the report of this very range listed as open, and is not found, in the order of the ids.
  func unmentionedHere(besides found: Set<String>) -> [ListedDiscrepancy] {
    before.filter { !found.contains($0.key) && listed?[$0.key] == nil }.sorted { $0.key < $1.key }.map(\.value)
  }
}
