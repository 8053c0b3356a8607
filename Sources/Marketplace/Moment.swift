/// An instant as text, without a calendar of anybody else's.
enum Moment {
  /// RFC 3339 in UTC, e.g. `2026-03-01T00:00:00Z`.
  static func text(_ instant: Int64) -> String {
    let (day, second) = (Int(instant / 86_400), Int(instant % 86_400))
    let (year, month, date) = civil(day)
    return "\(year)-\(two(month))-\(two(date))T\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// The date alone.
  static func date(_ instant: Int64) -> String {
    String(text(instant).prefix(10))
  }

  /// Days since 1970 as a date of the Gregorian calendar (Howard Hinnant's `civil_from_days`).
  private static func civil(_ day: Int) -> (Int, Int, Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
