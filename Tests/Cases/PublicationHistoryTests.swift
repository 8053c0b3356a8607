import Foundation
import Payments
import Reports
import TestSupport
import Testing

@testable import Reconciliation

@Suite("What was published", .onItsOwnThread)
struct PublicationHistoryTests {
  /// A moment of publication.
  private static let night: Int64 = 1_772_600_000

  @Test("A run makes up for every day since the newest published one, 31 at most; the first one for yesterday alone")
  func dueDays() throws {
    let yesterday = try day("2026-03-20")
    #expect(DueDays(newest: nil, yesterday: yesterday) == DueDays(newest: try day("2026-03-19"), yesterday: yesterday))
    #expect(DueDays(newest: nil, yesterday: yesterday).days == [yesterday])
    #expect(DueDays(newest: yesterday, yesterday: yesterday).days == [yesterday])
    #expect(DueDays(newest: try day("2026-03-21"), yesterday: yesterday).days == [yesterday])
    #expect(
      try DueDays(newest: day("2026-03-17"), yesterday: yesterday).days == [
        day("2026-03-18"), day("2026-03-19"), yesterday,
      ])
    let long = DueDays(newest: try day("2026-02-10"), yesterday: yesterday)
    #expect(long.days.count == 31 && long.days.first?.description == "2026-02-18" && long.days.last == yesterday)
    #expect(ReportRange.text(of: long.skipped) == "2026-02-11 to 2026-02-17")
  }

  @Test("Days that no report covers are missed, those of a longer range are not")
  func missedDays() throws {
    let history = PublicationHistory([
      try line("2026-03-01"), try line("2026-03-03_2026-03-04"), try line("2026-03-08"),
    ])
    #expect(try history.missedDays(before: range("2026-03-07")).map(\.description) == ["2026-03-05", "2026-03-06"])
    #expect(try history.missedDays(before: range("2026-03-10")).map(\.description) == ["2026-03-09"])
    #expect(
      try history.missedDays(before: range("2026-03-01")).isEmpty
        && history.missedDays(before: range("2026-02-20")).isEmpty)
    #expect(
      try ReportRange.text(of: history.daysWithoutReport(through: day("2026-03-09")))
        == "2026-03-02, 2026-03-05 to 2026-03-07, 2026-03-09")
  }

  @Test("A range that is reported for the first time changes the reports after it, a rerun none")
  func changedDays() throws {
    let history = PublicationHistory([
      try line("2026-03-01_2026-03-03"), try line("2026-03-05"), try line("2026-03-06"),
    ])
    #expect(try history.laterDays(changedBy: range("2026-03-04")).map(\.description) == ["2026-03-05", "2026-03-06"])
    #expect(try history.laterDays(changedBy: range("2026-02-28")).count == 5)
    #expect(
      try history.laterDays(changedBy: range("2026-03-02")).isEmpty
        && history.laterDays(changedBy: range("2026-03-07")).isEmpty)
  }

  @Test("What other reports within a range list as open counts as the last of them says it")
  func withinRange() throws {
    let lines = try [
      ("2026-02-28", "o1", 1), ("2026-03-01", "o2", 2), ("2026-03-02", "o2", 3), ("2026-03-01_2026-03-02", "o4", 4),
      ("2026-03-03", "o5", 5),
    ].map { name, order, difference in
      let row = listed(order, Int64(difference))
      return PublicationLine(
        try report(name, ["new": [row.id]], [row], at: Self.night), after: PublicationHistory())
    }
    let month = try range("2026-03-01_2026-03-02")
    let found = PublicationHistory(lines).listedAsOpen(within: month.startsAt, to: month.endsAt)
    #expect(found.values.map { "\($0.row.orderID) \($0.row.actualMinor ?? 0) \($0.lastDay)" } == ["o2 1003 2026-03-02"])
  }

  @Test("The newest report of the range that ends there is the one compared with, and a row is kept once")
  func rows() throws {
    let landing = NSTemporaryDirectory() + "crossfoot-published-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: landing) }
    let log = PublicationLog(landing: landing)
    let row = listed("O-1", -200)
    var other = row
    other.actualMinor = 900
    let end = try range("2026-03-02").endsAt
    try log.append(report("2026-03-01", ["new": [row.id]], [row], at: Self.night + 1))
    try log.append(report("2026-03-02", ["persisting": [row.id]], [row], at: Self.night + 2))
    try log.append(report("2026-03-02", ["acknowledged": [row.id]], [other], at: Self.night + 3))
    try log.append(report("2026-03-03", ["resolved": [row.id]], [], at: Self.night + 4))
    let lines = try String(contentsOfFile: "\(landing)/\(PublicationLog.fileName)", encoding: .utf8).split(
      separator: "\n")
    #expect(lines.map { $0.contains("\"rows\":[]") } == [false, true, false, true])
    #expect(try log.read().history.listedAsOpen(endingAt: end) == [row.id: other])
    #expect(try log.read(asOf: Self.night + 2).history.listedAsOpen(endingAt: end) == [row.id: row])
    #expect(try log.read(asOf: Self.night + 1).history.listedAsOpen(endingAt: end) == nil)
    #expect(try log.read().history.listedAsOpen(endingAt: range("2026-03-03").endsAt) == [:])
    #expect(try log.read().history.newest?.lastDay == day("2026-03-03"))
    #expect(try log.read().history.closedRow(row.id) != nil, "the newest report lists it as resolved")
    #expect(try log.read(asOf: Self.night + 3).history.closedRow(row.id) == nil, "it is open in the newest report")
    #expect(try log.read().history.closedRow("d_0000000000000000") == nil)
  }

  @Test("The table of states: what is open at the end and the beginning, and what the readers read", arguments: cases)
  func states(_ row: StateCase) {
    let listed = row.listed.map { $0 ? [Self.sample.id: Self.sample] : [:] }
    let state = ReaderState(listed: listed, startsAt: row.startsAt)
    #expect(state.condition(of: Self.sample, isOpen: row.isOpen, wasOpen: row.wasOpen) == row.expected, "\(row)")
  }

  @Test("A listed record with a later date is what it was; another record that begins within the range came back")
  func redated() {
    var row = Self.sample
    row.recordID = "re_1"
    let state = ReaderState(listed: [row.id: row], startsAt: 900)
    #expect(state.condition(of: row, isOpen: true, wasOpen: false) == "persisting")
    row.recordID = "re_2"
    #expect(state.condition(of: row, isOpen: true, wasOpen: false) == "new")
  }

  struct StateCase: Sendable {
    /// Whether the report before lists it as open; nil: there is none.
    let listed: Bool?
    let isOpen, wasOpen: Bool
    /// The range's beginning; the sample begins at 1000.
    let startsAt: Int64
    let expected: String?
  }
  static let cases = [
    StateCase(listed: nil, isOpen: true, wasOpen: false, startsAt: 900, expected: "new"),
    StateCase(listed: nil, isOpen: true, wasOpen: true, startsAt: 2000, expected: "persisting"),
    StateCase(listed: nil, isOpen: false, wasOpen: true, startsAt: 2000, expected: "resolved"),
    StateCase(listed: false, isOpen: true, wasOpen: true, startsAt: 2000, expected: "new"),
    StateCase(listed: false, isOpen: true, wasOpen: false, startsAt: 900, expected: "new"),
    StateCase(listed: false, isOpen: false, wasOpen: true, startsAt: 2000, expected: nil),
    StateCase(listed: true, isOpen: true, wasOpen: true, startsAt: 2000, expected: "persisting"),
    StateCase(listed: true, isOpen: true, wasOpen: false, startsAt: 2000, expected: "persisting"),
    StateCase(listed: true, isOpen: true, wasOpen: false, startsAt: 900, expected: "new"),
    StateCase(listed: true, isOpen: true, wasOpen: true, startsAt: 900, expected: "persisting"),
    StateCase(listed: true, isOpen: false, wasOpen: true, startsAt: 2000, expected: "resolved"),
  ]
  static let sample = listed("O-1", -200)

  @Test("What was listed and is found no more is left over, in the order of the ids")
  func unmentioned() {
    let (one, two) = (listed("O-1", -200), listed("O-2", -300))
    let state = ReaderState(listed: [one.id: one, two.id: two], startsAt: 0)
    #expect(state.unmentioned(besides: [one.id]) == [two])
    #expect(state.unmentioned(besides: []).map(\.id) == [one.id, two.id].sorted())
    #expect(ReaderState(listed: nil, startsAt: 0).unmentioned(besides: []).isEmpty)
  }
}

private let calendar = BusinessCalendar(timeZone: TimeZone(identifier: "UTC") ?? .gmt)

private func day(_ text: String) throws -> BusinessDay { try #require(BusinessDay(text)) }

private func range(_ name: String) throws -> ReportRange {
  let range = try #require(PublishedRange(name: name))
  return ReportRange(from: range.firstDay, to: range.lastDay, in: calendar)
}

private func line(_ name: String) throws -> PublicationLine {
  PublicationLine(try report(name, [:], [], at: 1_772_600_000), after: PublicationHistory())
}

private func report(_ name: String, _ states: [String: [String]], _ open: [ListedDiscrepancy], at: Int64) throws
  -> PublishedReport
{
  PublishedReport(at: at, range: try range(name), verdict: "clean", version: "test", states: states, open: open)
}

private func listed(_ order: String, _ difference: Int64) -> ListedDiscrepancy {
  ListedDiscrepancy(
    type: "amount_mismatch", subject: order, severity: "high", provider: "stripe", account: "acct_1", orderID: order,
    paymentID: "ch_\(order)",
    recordID: "", currency: "USD", expectedMinor: 1000, actualMinor: 1000 + difference, since: 1000,
    connectedAccount: "", explanation: "It differs.",
    suggestedAction: "Look.")
}
