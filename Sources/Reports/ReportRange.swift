import Payments
import Storage

/// The reported days, and their bounds in the reporting time zone.
package struct ReportRange: Sendable, Equatable {
  package let firstDay: BusinessDay
  package let lastDay: BusinessDay
  /// The first instant of the first day, Unix seconds UTC.
  package let startsAt: Int64
  /// The instant after the last of the last day, Unix seconds UTC.
  package let endsAt: Int64

  package init(firstDay: BusinessDay, lastDay: BusinessDay, startsAt: Int64, endsAt: Int64) {
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.startsAt = startsAt
    self.endsAt = endsAt
  }

  /// Takes the bounds from the calendar.
  package init(from firstDay: BusinessDay, to lastDay: BusinessDay, in calendar: BusinessCalendar) {
    self.init(
      firstDay: firstDay, lastDay: lastDay, startsAt: calendar.bounds(of: firstDay).startsAt,
      endsAt: calendar.bounds(of: lastDay).endsAt)
  }

  /// The name of the published folder: `2026-03-01`, or `2026-03-01_2026-03-31` for several days.
  package var name: String { firstDay == lastDay ? "\(firstDay)" : "\(firstDay)_\(lastDay)" }

  /// The values of `$1` to `$4` in a query.
  var values: [SQLValue] { [.integer(startsAt), .integer(endsAt), .text("\(firstDay)"), .text("\(lastDay)")] }
}
