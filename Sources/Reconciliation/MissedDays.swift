import Payments
import Reports

/// The days that a nightly run reconciles: every day since the newest published one.
package struct DueDays: Sendable, Equatable {
  /// How many days one run makes up for; earlier days are only reported.
  static let limit = 31

  /// At least one day, in order; the last of them is yesterday.
  package let days: [BusinessDay]
  /// Earlier days that no report covers, in order.
  package let skipped: [BusinessDay]

  /// - Parameters:
  ///   - newest: the newest day that a report covers; nil before the first report.
  ///   - yesterday: the last day that has ended.
  init(newest: BusinessDay?, yesterday: BusinessDay, isCovered: (BusinessDay) -> Bool = { _ in false }) {
    guard let newest, newest < yesterday else {
      (days, skipped) = ([yesterday], [])
      return
    }
    let all = BusinessDay.days(after: newest, through: yesterday)
    days = Array(all.suffix(Self.limit))
    skipped = all.dropLast(Self.limit).filter { !isCovered($0) }
  }
}

extension BusinessDay {
  /// The days after one up to and including another; none where it is not later.
  static func days(after first: BusinessDay, through last: BusinessDay) -> [BusinessDay] {
    let count = last.date.dayNumber - first.date.dayNumber
    return count > 0 ? (1...count).map { first.advanced(by: $0) } : []
  }
}

extension PublicationHistory {
  /// The days between the preceding report and this range that no report covers; none before the first report.
  package func missedDays(before range: ReportRange) -> [BusinessDay] {
    guard let before = publications.map(\.lastDay).filter({ $0 < range.firstDay }).max() else { return [] }
    return BusinessDay.days(after: before, through: range.firstDay.advanced(by: -1)).filter { !covers($0) }
  }

  /// The days since the first report that no report covers.
  func daysWithoutReport(through last: BusinessDay) -> [BusinessDay] {
    guard let first = publications.map(\.firstDay).min() else { return [] }
    return BusinessDay.days(after: first, through: last).filter { !covers($0) }
  }

  /// Days with a report that ends after a range of which some days had no report so far: the range's records may change
  /// them.
  package func laterDays(changedBy range: ReportRange) -> [BusinessDay] {
    let days = BusinessDay.days(after: range.firstDay.advanced(by: -1), through: range.lastDay)
    guard days.contains(where: { !covers($0) }), let last = publications.map(\.lastDay).max() else { return [] }
    return BusinessDay.days(after: range.lastDay, through: last).filter(covers)
  }
}

extension ReportRange {
  /// Days as text for people: a day, or the first and the last of consecutive ones, separated by commas.
  package static func text(of days: [BusinessDay]) -> String {
    var runs: [(first: BusinessDay, last: BusinessDay)] = []
    for day in days {
      if let last = runs.last?.last, last.advanced(by: 1) == day {
        runs[runs.count - 1].last = day
      } else {
        runs.append((day, day))
      }
    }
    return runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)" }.joined(separator: ", ")
  }
}
