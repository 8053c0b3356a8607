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

  /// Writes each format below the folder; returns the files by name.
  func export() throws -> [String: Data] {
    let export = JournalExport(
      database: try openDatabase(url: settings.store.url.revealed, schemas: TestStore.schemas), folder: TestStore.repository + "/sql/journal",
      calendar: calendar, accounts: JournalAccounts(settings.journal), startsAt: range.startsAt, endsAt: range.endsAt)
    var files: [String: Data] = [:]
    for format in JournalFormat.allCases {
      var text = ""
      try export.write(format, title: range.name) { text += $0 }
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(format)))
      files["\(night).\(format.rawValue)"] = Data(text.utf8)
    }
    return files
  }

  private func path(_ format: JournalFormat) -> String { "\(folder)/\(night).\(format.rawValue)" }

  /// beancount and hledger accept what was written, and their balances are those of the published reports.
  ///
  /// - Parameter before: the journals of the night before, if that night's range ends where this one begins.
  func examine(against reports: String, after before: StoryJournals?) throws {
    let isNext = before.map { $0.range.endsAt == range.startsAt } ?? false
    let problems = try JournalExaminer.problems(
      beancount: path(.beancount), hledger: path(.hledger), reports: reports, before: isNext ? before?.path(.beancount) : nil)
    #expect(problems.isEmpty, "\(range.name): \(problems.joined(separator: "\n"))")
  }
}
