import Payments

/// What changed since the report that ends where this one begins: `new`, `persisting` or `resolved`.
///
/// Where no such report was published, the condition at the range's first instant takes its place.
struct ReaderState {
  /// The discrepancies that the preceding report lists as open, by id; nil if there is no such report.
  let listed: [String: ListedDiscrepancy]?
  /// The range's first instant, Unix seconds.
  let startsAt: Int64
  /// Where there is no such report: those that the newest earlier report lists as open, by id.
  var earlier: [String: ListedDiscrepancy] = [:]
  /// The discrepancies that the newest report of this very range lists as open, by id.
  var before: [String: ListedDiscrepancy] = [:]
  /// The discrepancies that other reports within the range list as open, by id, each from the newest of them.
  var within: [String: (row: ListedDiscrepancy, lastDay: BusinessDay)] = [:]

  /// - Parameters:
  ///   - isOpen: whether it holds at the range's end.
  ///   - wasOpen: whether it held at the range's first instant, as is known now.
  /// - Returns: nil where it is not listed because it ended before any report listed it.
  func condition(of row: ListedDiscrepancy, isOpen: Bool, wasOpen: Bool) -> String? {
    guard let listed else { return isOpen ? (wasOpen ? "persisting" : "new") : "resolved" }
    let before = listed[row.id]
    guard isOpen else { return before != nil ? "resolved" : nil }
    // Already listed, yet another record of it begins inside the range: it ended in between and came back. The same
    // record with a later date is what it was: a settlement dates a failure that a webhook had announced.
    let cameBack = !wasOpen && row.since >= startsAt && (row.recordID.isEmpty || before?.recordID != row.recordID)
    return before != nil && !cameBack ? "persisting" : "new"
  }

  /// Whether the report before this one, or without one the newest earlier one, lists it as open.
  func isListed(_ row: ListedDiscrepancy) -> Bool { (listed ?? earlier)[row.id] != nil }

  /// The condition while records that might support it are lost: what was open stays open.
  func conditionWhileLost(of row: ListedDiscrepancy) -> String {
    listed?[row.id] != nil || (before[row.id] == nil && row.since < startsAt) ? "persisting" : "new"
  }

  /// Discrepancies that were opened and cleared within the range, in the order of their ids.
  ///
  /// - Parameter mentioned: the ids that the report of the range lists.
  func passed(besides mentioned: Set<String>) -> [(row: ListedDiscrepancy, lastDay: BusinessDay)] {
    within.filter { !mentioned.contains($0.key) && listed?[$0.key] == nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Discrepancies that were listed as open and are found at neither end of the range, in the order of their ids.
  func unmentioned(besides found: Set<String>) -> [ListedDiscrepancy] {
    (listed ?? [:]).filter { !found.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Discrepancies of an earlier report that are found at neither end of the range, in the order of their ids.
  func unmentionedEarlier(besides found: Set<String>) -> [ListedDiscrepancy] {
    earlier.filter { !found.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Discrepancies that only the report of this very range listed as open and that are not found, in the order of their
  /// ids.
  func unmentionedHere(besides found: Set<String>) -> [ListedDiscrepancy] {
    before.filter { !found.contains($0.key) && listed?[$0.key] == nil }.sorted { $0.key < $1.key }.map(\.value)
  }
}
