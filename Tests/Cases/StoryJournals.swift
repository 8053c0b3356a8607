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
      files["\(night).\(format.rawValue)"] = Data(text.utf8)
    }
    for (name, text) in files { try text.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    return files
  }

  /// beancount and hledger accept what was written, and their balances are those of the published reports.
  func examine(against reports: String) throws {
    let problems = try JournalExaminer.problems(
      beancount: "\(folder)/\(night).beancount", hledger: "\(folder)/\(night).hledger", reports: reports)
    #expect(problems.isEmpty, "\(range.name): \(problems.joined(separator: "\n"))")
  }
}
