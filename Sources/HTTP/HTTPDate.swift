/// Dates as HTTP headers write them (RFC 9110, section 5.6.7), in the only form that servers may send today.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Unix seconds of `Sun, 06 Nov 1994 08:49:37 GMT`, or nil for anything else.
  package static func parse(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]),
      let month = months.firstIndex(of: String(words[2])),
      let year = Int64(words[3]), (1970...9999).contains(year), (1...31).contains(day)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return days(year, Int64(month + 1), day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// Days since 1 January 1970 of a date in the Gregorian calendar.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
