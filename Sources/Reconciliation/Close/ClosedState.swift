/// The closed periods as a run knows them.
struct ClosedState {
  var periods: ClosedPeriods
  var adjustments: [Adjustment]
  /// Whether the derived records were compared with the sealed ones.
  var isCompared = false
}

/// A closed period that contains days of a range.
package struct ClosedNote: Sendable, Encodable {
  package let period: String
  /// RFC 3339.
  package let closedAt: String
  /// How many adjustments have been noted since.
  package let adjustments: Int
}
