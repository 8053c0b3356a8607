import Payments
import Reports
import Settings

/// A range of days that is closed as a whole: a calendar month, or a period named in the configuration.
package struct Period: Sendable, Equatable {
  package let name: String
  package let range: ReportRange

  /// The named period.
  ///
  /// - Throws: `PeriodError` where no period has that name.
  package init(_ name: String, _ settings: Settings, _ calendar: BusinessCalendar) throws(PeriodError) {
    self.name = name
    if settings.periods.isEmpty {
      guard let days = Self.month(name) else { throw .unknown(name, known: "a calendar month, as in 2026-03") }
      range = ReportRange(from: days.first, to: days.last, in: calendar)
      return
    }
    guard let entry = settings.periods.first(where: { $0.name == name }) else {
      let names = settings.periods.map(\.name)
      throw .unknown(name, known: "one of `periods:`, \(names.suffix(13).joined(separator: ", "))")
    }
    range = ReportRange(from: entry.firstDay, to: entry.lastDay, in: calendar)
  }

  private static func month(_ name: String) -> (first: BusinessDay, last: BusinessDay)? {
    guard name.utf8.count == 7, let first = BusinessDay(name + "-01") else { return nil }
    let last = (28...31).reversed().lazy.compactMap { BusinessDay("\(name)-\($0)") }.first
    return last.map { (first, $0) }
  }

  /// The period that ends where this one begins; nil where the configuration names none.
  func before(_ settings: Settings) -> String? {
    let day = range.firstDay.advanced(by: -1)
    if settings.periods.isEmpty { return String("\(day)".prefix(7)) }
    return settings.periods.last { $0.lastDay <= day }?.name
  }
}

/// A name that is not the name of a period, or a period in the wrong state.
package enum PeriodError: Error, CustomStringConvertible {
  case unknown(String, known: String)
  /// The period is not closed, but the command needs it to be.
  case notClosed(String)
  /// A later period is closed, and its seal rests on this one.
  case notNewest(String, newest: String)

  package var description: String {
    switch self {
    case .unknown(let name, let known): "\"\(name.prefix(40))\" is no period; expected \(known)"
    case .notClosed(let name): "\(name) is not closed; `crossfoot close \(name)` closes it"
    case .notNewest(let name, let newest):
      "\(newest) was closed after \(name) and rests on it: reopen \(newest) first, then \(name)"
    }
  }
}
