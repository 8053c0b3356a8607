/// Instants as Unix seconds UTC, and their RFC 3339 text for people and files.
package enum Instant {
  /// What can be written with a four-digit year: 0001-01-01 to 9999-12-31.
  private static let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The nearest instant that can be written; every instant of a record can be (`Limits.instants`).
  package static func nearestWritable(_ seconds: Int64) -> Int64 {
    min(max(seconds, writable.lowerBound), writable.upperBound)
  }

  /// `2026-03-01T00:00:00Z`.
  package static func text(_ seconds: Int64) -> String {
    let seconds = nearestWritable(seconds)
    let day = floorDivide(seconds, 86_400)
    let second = Int(seconds - day * 86_400)
    let date = CivilDate(dayNumber: day)
    return "\(date)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// Reads every form of RFC 3339, also with a lower-case `t` or `z`, a space between date and time, fractions of a
  /// second (truncated) and the offset `+00` that PostgreSQL prints.
  ///
  /// - Throws: `InstantError` with the text found, also for an instant outside `Limits.instants`.
  package static func parse(_ text: String) throws(InstantError) -> Int64 {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2),
      let date = CivilDate(year: year, month: month, day: day), scanner.skip("Tt "),
      let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
      let second = scanner.number(2),
      hour < 24, minute < 60, second <= 60, scanner.skipFraction(), let offset = scanner.offset(), scanner.isAtEnd
    else { throw InstantError(text: text) }
    let seconds = date.dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59)) - offset
    guard Limits.instants.contains(seconds) else { throw InstantError(text: text, isOutsideLimits: true) }
    return seconds
  }

  static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 { (value - (((value % by) + by) % by)) / by }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

/// A text that is not an RFC 3339 instant, or one outside `Limits.instants`.
package struct InstantError: Error, Equatable, CustomStringConvertible {
  package let text: String
  package let isOutsideLimits: Bool

  package init(text: String, isOutsideLimits: Bool = false) {
    self.text = text
    self.isOutsideLimits = isOutsideLimits
  }

  package var description: String {
    isOutsideLimits
      ? "found \"\(text.prefix(40))\", expected a moment of the years 2000 to 2100; see the record at its source"
      : "\"\(text.prefix(40))\" is no moment; expected RFC 3339 with an offset, such as 2026-03-01T12:00:00Z"
  }
}

/// Scans the bytes of an instant.
private struct Scanner {
  let bytes: [UInt8]
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  mutating func number(_ figures: Int) -> Int? {
    guard index + figures <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[index..<(index + figures)] {
      guard byte >= 48, byte <= 57 else { return nil }
      number = number * 10 + Int(byte - 48)
    }
    index += figures
    return number
  }

  mutating func skip(_ anyOf: String) -> Bool {
    guard index < bytes.count, anyOf.utf8.contains(bytes[index]) else { return false }
    index += 1
    return true
  }

  /// A fraction needs at least one digit after its point.
  mutating func skipFraction() -> Bool {
    guard skip(".") else { return true }
    let start = index
    while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 { index += 1 }
    return index > start
  }

  /// Seconds east of UTC; `nil` when there is no offset.
  mutating func offset() -> Int64? {
    if skip("Zz") { return 0 }
    guard index < bytes.count else { return nil }
    let isWest = bytes[index] == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if skip(":") {
      guard let found = number(2), found < 60 else { return nil }
      minutes = found
    } else if !isAtEnd {
      guard let found = number(2), found < 60 else { return nil }
      minutes = found
    }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return isWest ? -seconds : seconds
  }
}
