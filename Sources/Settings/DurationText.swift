/// Durations as the configuration writes them: a whole number and one letter, a multiple of seconds.
package enum DurationText {
  /// Seconds of `90s`, `10m`, `26h` or `7d`; nil for anything else, and for more than 36,500 days.
  package static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard let letter = text.last, let unit = units[letter] else { return nil }
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int64(digits) else {
      return nil
    }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow || seconds > 36500 * 86400 ? nil : seconds
  }
}
