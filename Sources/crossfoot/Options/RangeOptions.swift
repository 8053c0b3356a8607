import ArgumentParser
import Payments

/// Business days from the first to the last, both inclusive.
struct DayRange: Equatable, Sendable, CustomStringConvertible {
  let first: BusinessDay
  let last: BusinessDay

  /// `2026-03-01`, or `2026-03-01_2026-03-31` for several days: the name of the publication's folder.
  var description: String { first == last ? "\(first)" : "\(first)_\(last)" }
}

/// The day whose result a command refers to.
struct DayOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The day to show, in reporting.time_zone. Default: the newest published range.", valueName: "day"),
    transform: RangeOptions.day)
  var date: BusinessDay?

  /// Whether no day was given.
  var isNewest: Bool { date == nil }
}

/// The days a command is about.
struct RangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("One day, in reporting.time_zone. Default: yesterday.", valueName: "day"), transform: Self.day)
  var date: BusinessDay?

  @Option(help: ArgumentHelp("The first day of several.", valueName: "day"), transform: Self.day)
  var from: BusinessDay?

  @Option(help: ArgumentHelp("The last day, itself included.", valueName: "day"), transform: Self.day)
  var to: BusinessDay?

  func validate() throws {
    if date != nil, from != nil || to != nil { throw ValidationError("--date excludes --from and --to.") }
    if (from == nil) != (to == nil) { throw ValidationError("--from and --to belong together.") }
    if let from, let to, to < from { throw ValidationError("--to \(to) is before --from \(from).") }
  }

  /// Whether days were given: then `run` pulls them again.
  var isNamed: Bool { date != nil || from != nil }

  /// The given days, else the day before the one that contains `now`.
  ///
  /// - Throws: `Failure` 64 when the range has not begun.
  func range(in calendar: BusinessCalendar, now: Int64) throws -> DayRange {
    let today = calendar.day(containing: now)
    let yesterday = today.advanced(by: -1)
    let range = DayRange(first: date ?? from ?? yesterday, last: date ?? to ?? yesterday)
    guard range.first <= today else { throw Failure(.usage, "the day \(range.first) has not begun; today is \(today)") }
    return range
  }

  static func day(_ text: String) throws -> BusinessDay {
    guard let day = BusinessDay(text) else {
      throw ValidationError("\"\(text)\" is not a day; expected YYYY-MM-DD, as in 2026-01-31.")
    }
    return day
  }
}
