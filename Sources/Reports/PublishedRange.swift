import Payments

/// The name under which a range is published: `2026-03-01`, `2026-03-01_2026-03-31`, and `…@<T>` for what was known at
/// T.
package struct PublishedRange: Sendable, Equatable, CustomStringConvertible {
  package let firstDay: BusinessDay
  package let lastDay: BusinessDay
  /// The instant of `--as-of` as it was given; nil for an ordinary publication.
  package let asOf: String?

  package init(_ range: ReportRange, asOf: String? = nil) {
    firstDay = range.firstDay
    lastDay = range.lastDay
    self.asOf = asOf
  }

  /// Reads a name in the output folder; nil if it is not the name of a range.
  package init?(name: String) {
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let days = parts[0].split(separator: "_", omittingEmptySubsequences: false)
    guard (1...2).contains(days.count), let first = BusinessDay(String(days[0])) else { return nil }
    guard let last = days.count == 2 ? BusinessDay(String(days[1])) : first, first <= last else { return nil }
    firstDay = first
    lastDay = last
    asOf = parts.count == 2 ? String(parts[1]) : nil
  }

  package var description: String {
    let days = firstDay == lastDay ? "\(firstDay)" : "\(firstDay)_\(lastDay)"
    return asOf.map { "\(days)@\($0)" } ?? days
  }

  /// The name of one publication in `.published`; the range can be read back from it.
  func publication(_ number: Int) -> String { "\(self)-\(number)" }

  static func number(ofPublication name: String) -> (range: String, number: Int)? {
    guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]), number > 0 else {
      return nil
    }
    let range = String(name[..<dash])
    return PublishedRange(name: range) == nil ? nil : (range, number)
  }
}
