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

  /// As PayPal's report words it, e.g. `2026-03-01T00:00:00+0000`.
  static func offset(_ instant: Int64) -> String {
    text(instant).dropLast() + "+0000"
  }

  /// An RFC 3339 instant with seconds; a fraction is cut off. Nil of anything else.
  static func parse(_ text: String) -> Int64? {
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard parts.count >= 6, text.count >= 20, (1...12).contains(parts[1]) else { return nil }
    let local = days(parts[0], parts[1], parts[2]) * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    guard !text.hasSuffix("Z"), let sign = text.dropFirst(19).lastIndex(where: { $0 == "+" || $0 == "-" }) else {
      return local
    }
    let zone = text[sign...].filter(\.isNumber)
    guard zone.count == 4, let number = Int64(zone) else { return nil }
    let offset = number / 100 * 3_600 + number % 100 * 60
    return text[sign] == "+" ? local - offset : local + offset
  }

  /// A date of the Gregorian calendar as days since 1970 (Howard Hinnant's `days_from_civil`).
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
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
