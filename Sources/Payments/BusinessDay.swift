import Foundation

/// A date of the Gregorian calendar, without a time zone.
package struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int

  /// `nil` when the calendar has no such date.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    guard day <= days else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01, after Howard Hinnant's civil calendar.
  package var dayNumber: Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = Instant.floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * Int64(month + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date that many days after 1970-01-01.
  package init(dayNumber: Int64) {
    let shifted = dayNumber + 719_468
    let era = Instant.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    month = Int(monthIndex < 10 ? monthIndex + 3 : monthIndex - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  package var description: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

  /// Padded with zeros; Foundation's formatters take ten times as long, and every landed row has dates.
  private static func digits(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }
}

/// A calendar day in the reporting time zone: the unit that finance closes.
package struct BusinessDay: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let date: CivilDate

  package init(date: CivilDate) { self.date = date }

  /// Reads `2026-03-01`; `nil` when it is not a date.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
  }

  package var description: String { date.description }

  package func advanced(by days: Int64) -> BusinessDay {
    BusinessDay(date: CivilDate(dayNumber: date.dayNumber + days))
  }

  package static func < (left: BusinessDay, right: BusinessDay) -> Bool { left.date < right.date }
}

/// Divides time into business days of one time zone, including daylight saving.
package struct BusinessCalendar: Sendable {
  package let timeZone: TimeZone

  package init(timeZone: TimeZone) { self.timeZone = timeZone }

  /// The day's half-open bounds in Unix seconds: 23, 24 or 25 hours, from its first instant to the next day's.
  package func bounds(of day: BusinessDay) -> (startsAt: Int64, endsAt: Int64) {
    (start(of: day), start(of: day.advanced(by: 1)))
  }

  package func day(containing instant: Int64) -> BusinessDay {
    let offset = Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
    return BusinessDay(date: CivilDate(dayNumber: Instant.floorDivide(instant + offset, 86_400)))
  }

  /// The first instant of a day; where midnight is skipped by daylight saving, the first that exists.
  private func start(of day: BusinessDay) -> Int64 {
    let midnight = day.date.dayNumber * 86_400
    let candidates = [-86_400, 0, 86_400].map { shift in
      midnight - Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(midnight + shift))))
    }
    if let start = Set(candidates).sorted().first(where: {
      self.day(containing: $0) == day && self.day(containing: $0 - 1) < day
    }
    ) {
      return start
    }
    return firstInstant(of: day, after: (candidates.min() ?? midnight) - 86_400)
  }

  /// Halves the interval until the day's first second is found.
  private func firstInstant(of day: BusinessDay, after earlier: Int64) -> Int64 {
    var before = earlier
    var within = earlier + 3 * 86_400
    while within - before > 1 {
      let middle = before + (within - before) / 2
      if self.day(containing: middle) < day { before = middle } else { within = middle }
    }
    return within
  }
}
