import Foundation
import Journal
import Reconciliation
import Reports
import TestSupport
import Testing

/// The journals of a story's night, written from the store that the night left behind.
struct StoryJournals {
  let folder: String
  /// The first is 1.
  let night: Int
  var range: ReportRange { run.range }
  /// The run of the night's range.
  let run: ReconciliationRun

  /// Writes each format below the folder; returns the files by name.
  func export() throws -> [String: Data] {
    let texts = try write(JournalFormat.allCases)
    return Dictionary(uniqueKeysWithValues: texts.map { ("\(night).\($0.rawValue)", Data($1.utf8)) })
  }

  @discardableResult
  private func write(_ formats: [JournalFormat]) throws -> [JournalFormat: String] {
    var texts: [JournalFormat: String] = [:]
    try run.exportJournals(formats) { texts[$0, default: ""] += $1 }
    for (format, text) in texts { try Data(text.utf8).write(to: URL(fileURLWithPath: path(format))) }
    return texts
  }

  private func path(_ format: JournalFormat) -> String { "\(folder)/\(night).\(format.rawValue)" }

  /// beancount and hledger accept what was written, and their balances are those of the published reports.
  ///
  /// - Parameter before: the night before; where its range ends with this one's beginning, its journal, as it would be
  ///   now, closes with what this one
  ///   opens with.
  func examine(against reports: String, after before: StoryJournals?) throws {
    let isNext = before?.range.endsAt == range.startsAt
    if isNext { _ = try before?.write([.beancount]) }
    let problems = try JournalExaminer.problems(
      beancount: path(.beancount), hledger: path(.hledger), csv: path(.csv), reports: reports,
      before: isNext ? before?.path(.beancount) : nil)
    #expect(problems.isEmpty, "\(range.name): \(problems.joined(separator: "\n"))")
  }
}
