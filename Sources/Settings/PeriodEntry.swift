import Payments

/// A named range of days that is closed as a whole, such as a period of a 4-4-5 calendar.
package struct PeriodEntry: Sendable, Equatable {
  /// Becomes a folder name: letters, digits, `-` and `_`.
  package let name: String
  package let firstDay: BusinessDay
  package let lastDay: BusinessDay

  package init(name: String, firstDay: BusinessDay, lastDay: BusinessDay) {
    (self.name, self.firstDay, self.lastDay) = (name, firstDay, lastDay)
  }

  init?(_ node: SettingsNode) {
    name = node.string("name")
    let days = [node.day("from"), node.day("to")]
    guard !name.isEmpty, let first = days[0], let last = days[1] else { return nil }
    (firstDay, lastDay) = (first, last)
    if !Self.isName(name) {
      node.object(
        to: "name", "expected letters, digits, hyphens and underscores, at most 40, found \"\(name.prefix(40))\"")
    }
    if last < first { node.object(to: "to", "\(last) lies before \(first), where the period begins") }
  }

  /// Whether a text is a valid name of a period.
  package static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
      }
  }

  /// Reads all of them; rejects two with the same name, and overlapping days.
  static func read(_ nodes: [SettingsNode]) -> [PeriodEntry] {
    var periods: [PeriodEntry] = []
    for node in nodes {
      guard let period = PeriodEntry(node) else { continue }
      if periods.contains(where: { $0.name.lowercased() == period.name.lowercased() }) {
        node.object(to: "name", "another period is called \(period.name) too")
      }
      if let other = periods.first(where: { $0.firstDay <= period.lastDay && period.firstDay <= $0.lastDay }) {
        node.object(to: "from", "the period \(other.name), \(other.firstDay) to \(other.lastDay), has days of it too")
      }
      periods.append(period)
    }
    return periods.sorted { $0.firstDay < $1.firstDay }
  }
}

extension SettingsNode {
  /// A required day; nil if it is invalid, which is recorded.
  fileprivate func day(_ key: String) -> BusinessDay? {
    let text = required(key, "a day, as in 2026-01-31", optionalString(key))
    if text.isEmpty { return nil }
    if let day = BusinessDay(text) { return day }
    note(.badValue(place(of: key), expected: "a day, as in 2026-01-31", found: found(key)))
    return nil
  }
}
