import Payments

/// The days that a run reports, cut in the reporting time zone.
package struct ReportRange: Hashable, Sendable {
  package let first: BusinessDay
  package let last: BusinessDay
  package let calendar: BusinessCalendar

  package init(_ first: BusinessDay, _ last: BusinessDay, _ calendar: BusinessCalendar) {
    self.first = first
    self.last = last
    self.calendar = calendar
  }

  /// The range's first instant.
  package var startsAt: Int64 { calendar.bounds(of: first).startsAt }
  /// The first instant after the range.
  package var endsAt: Int64 { calendar.bounds(of: last).endsAt }
  /// `2026-03-01`, or `2026-03-01_2026-03-07`.
  package var name: String { first == last ? first.description : "\(first)_\(last)" }

  package static func == (left: ReportRange, right: ReportRange) -> Bool {
    left.first == right.first && left.last == right.last && left.calendar.timeZone == right.calendar.timeZone
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(last)
  }
}
