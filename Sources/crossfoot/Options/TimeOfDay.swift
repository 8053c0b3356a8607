import ArgumentParser
import Foundation

/// A time of day on a clock, such as `05:00`.
struct TimeOfDay: Equatable, Sendable {
  let hour: Int
  let minute: Int

  /// - Throws: `ValidationError` for anything but hours and minutes of a day of 24 hours.
  init(argument text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [2, 2], let hour = Int(parts[0]), let minute = Int(parts[1]),
      (0...23).contains(hour),
      (0...59).contains(minute)
    else { throw ValidationError("\"\(text)\" is no time of day; expected hours and minutes, as in 05:00.") }
    (self.hour, self.minute) = (hour, minute)
  }

  /// When the clock of a time zone next shows it, Unix seconds; where daylight saving skips it, the first instant
  /// after.
  func next(after now: Int64, in timeZone: TimeZone) -> Int64? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let after = Date(timeIntervalSince1970: TimeInterval(now))
    return calendar.nextDate(
      after: after, matching: DateComponents(hour: hour, minute: minute, second: 0), matchingPolicy: .nextTime
    ).map {
      Int64($0.timeIntervalSince1970)
    }
  }
}
