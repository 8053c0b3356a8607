/// What a run knows of the closed periods.
struct ClosedState {
  var periods: ClosedPeriods
  var adjustments: [Adjustment]
  /// Whether what was derived was compared with what is sealed.
  var isCompared = false
}

/// A closed period that a range has days of.
package struct ClosedNote: Sendable, Encodable {
  package let period: String
  /// RFC 3339.
  package let closedAt: String
  /// How many adjustments have been noted since.
  package let adjustments: Int
}
