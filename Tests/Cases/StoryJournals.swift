import Foundation
import Journal
import Payments
import Reports
import Settings
import Storage
import TestSupport
import Testing

/// The journals of a story's night, written from the store that the night left behind.
struct StoryJournals {
  let folder: String
  /// The first is 1.
  let night: Int
  let settings: Settings
  let range: ReportRange
  let calendar: BusinessCalendar
  private let database: any Database

  init(folder: String, night: Int, settings: Settings, range: ReportRange, calendar: BusinessCalendar) throws {
    (self.folder, self.night, self.settings, self.range, self.calendar) = (folder, night, settings, range, calendar)
    database = try openDatabase(url: settings.store.url.revealed, schemas: TestStore.schemas)
  }

  /// Writes each format below the folder; returns the files by name.
  func export() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for format in JournalFormat.allCases { files["\(night).\(format.rawValue)"] = try write(format) }
    return files
  }

  private func write(_ format: JournalFormat) throws -> Data {
    let export = JournalExport(
      database: database, folder: TestStore.repository + "/sql/journal", calendar: calendar, accounts: JournalAccounts(settings.journal),
      startsAt: range.startsAt, endsAt: range.endsAt)
    var text = ""
    try export.write(format, title: range.name) { text += $0 }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(format)))
    return Data(text.utf8)
  }

  private func path(_ format: JournalFormat) -> String { "\(folder)/\(night).\(format.rawValue)" }

  /// beancount and hledger accept what was written, and their balances are those of the published reports.
  ///
  /// - Parameter before: the night before; where its range ends with this one's beginning, its journal, as it would be now, closes with what this one
  ///   opens with.
  func examine(against reports: String, after before: StoryJournals?) throws {
    let isNext = before?.range.endsAt == range.startsAt
    if isNext { _ = try before?.write(.beancount) }
    let problems = try JournalExaminer.problems(
      beancount: path(.beancount), hledger: path(.hledger), csv: path(.csv), reports: reports, before: isNext ? before?.path(.beancount) : nil)
    #expect(problems.isEmpty, "\(range.name): \(problems.joined(separator: "\n"))")
  }
}
