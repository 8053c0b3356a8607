import Files
import Foundation
import Landing
import Payments
import Reports
import Storage

/// The result of an erasure.
package struct Erased: Sendable, Encodable {
  package var records = 0
  /// Landed files and logs, relative to the landing zone.
  package var files: [String] = []
  /// Publications that were made anew or removed.
  package var publications: [String] = []
  /// Longer words that contain one of the texts and were left unchanged.
  package var longerWords: [String] = []
  /// Publications that contain one of the texts, and cannot be made anew: landed files of their days were removed.
  package var prunedPublications: [String] = []
  /// Closed periods whose sealed files contain one of the texts.
  package var sealedPeriods: [String] = []

  private enum CodingKeys: String, CodingKey {
    case records, files, publications
    case longerWords = "longer_words"
    case prunedPublications = "pruned_publications"
    case sealedPeriods = "sealed_periods"
  }

  package var lines: [String] {
    var lines = ["erased from \(records) records in \(files.count) files, and from \(publications.count) publications"]
    if !longerWords.isEmpty {
      lines.append("longer words with it stand as before; erase them too where they lead to a person:")
      lines += longerWords.map { "  \($0)" }
    }
    if !prunedPublications.isEmpty {
      lines.append(
        "these reports hold it and cannot be made again, since landed files of their days were pruned: "
          + "\(prunedPublications.joined(separator: ", ")); remove them, or keep them from whoever may not see it"
      )
    }
    if !sealedPeriods.isEmpty {
      lines.append(
        "sealed files never change, and these closed periods hold it: \(sealedPeriods.joined(separator: ", ")); "
          + "keep them from whoever may not see it")
    }
    return lines
  }
}

extension ReconciliationRun {
  /// Replaces references to a customer wherever they occur: landed records, logs, store and publications.
  ///
  /// Landed records and logs are exchanged in one step. If the process is killed after that, the next run derives the
  /// store again, and repeating the command makes the publications anew.
  ///
  /// - Throws: `ErasureError`, `RunError.locked`, and what landing, storage and reports throw.
  package func erase(_ texts: [String], by signature: Amendment.Signature) async throws -> Erased {
    let erasures = try texts.map(TextErasure.init)
    let names = Set(providers.map(\.name) + orderSources.map(\.name))
    for text in texts where names.contains(text) { throw ErasureError.notAReference(text.utf8.count) }
    let found = try eraseLanded(erasures, by: signature)
    try StoreHealth.removeAside(url: settings.store.url.revealed)
    _ = try rebuild()
    var erased = Erased(records: found.records, files: found.files, longerWords: found.longerWords.sorted())
    (erased.publications, erased.prunedPublications) = try await publishAgain(erasures)
    erased.sealedPeriods = try sealedPeriods(holding: erasures)
    return erased
  }

  private func sealedPeriods(holding erasures: [TextErasure]) throws -> [String] {
    let periods = (try? FileManager.default.contentsOfDirectory(atPath: closedFolder)) ?? []
    return try periods.filter { !$0.hasPrefix(".") }.sorted().filter { period in
      try Self.files(in: "\(closedFolder)/\(period)").contains { file in erasures.contains { $0.isIn(file) } }
    }
  }

  private func eraseLanded(_ erasures: [TextErasure], by signature: Amendment.Signature) throws -> ErasedFiles {
    let directory = settings.landing.directory
    guard let lock = try RunLock.take(path: directory + "/.lock") else {
      throw RunError.locked("the landing zone \(directory)")
    }
    defer { withExtendedLifetime(lock) {} }
    try mendLogs()
    return try Landing(directory: directory).erase(
      erasures, logs: try ErasedLogs(directory, erasures).contents, by: signature)
  }

  /// Makes every publication that contains one of the texts anew from the records as they are now.
  ///
  /// - Returns: those, and the ones that cannot be made anew.
  private func publishAgain(_ erasures: [TextErasure]) async throws -> (made: [String], pruned: [String]) {
    var (again, pruned): ([String], [String]) = ([], [])
    for name in Publication.published(in: settings.reporting.output) {
      let folder = "\(settings.reporting.output)/.published/\(name)"
      guard try Self.files(in: folder).contains(where: { file in erasures.contains { $0.isIn(file) } }) else {
        continue
      }
      guard let published = Publication.range(of: name) else {
        again.append(name)
        continue
      }
      var night = self
      night.range = ReportRange(from: published.firstDay, to: published.lastDay, in: calendar)
      (night.pulls, night.asOf) = (false, try published.asOf.map { try Instant.parse($0) })
      night.writesStatements = FileManager.default.fileExists(atPath: "\(folder)/statements")
      do { _ = try await night.run() } catch RetentionError.letGo {
        pruned.append("\(published)")
        continue
      }
      again.append(name)
      try? FileManager.default.removeItem(atPath: folder)
    }
    return (again, pruned)
  }

  private static func files(in folder: String) throws -> [[UInt8]] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".xlsx") }.compactMap {
      FileManager.default.contents(atPath: "\(folder)/\($0)").map(Array.init)
    }
  }
}

/// The logs beside the landed records without the texts, and with new ids for discrepancies whose ids were derived from
/// them.
struct ErasedLogs {
  /// The new contents of the logs that change and of their checksum files, by file name.
  private(set) var contents: [String: [UInt8]] = [:]

  init(_ directory: String, _ erasures: [TextErasure]) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".jsonl") }
    let (published, _) = try AppendedLines<PublicationLine>(path: "\(directory)/\(PublicationLog.fileName)").read()
    var ids: [String: String] = [:]
    for row in published.flatMap(\.rows) {
      let subject = erasures.reduce(row.subject) { $1.erased(text: $0) }
      if subject != row.subject { ids[row.id] = Discrepancies.id(type: row.type, subject: subject) }
    }
    for name in names.sorted() {
      let lines = try LogFile(path: "\(directory)/\(name)").lines().lines
      var changed = lines.map { Self.renamed(erasures.reduce(Array($0)) { $1.erased($0) }, ids) }
      guard changed != lines else { continue }
      if name == PeriodLog.fileName { changed = try PeriodLog.linked(changed) }
      contents[name] = Array(changed.reduce(into: Data()) { $0 += $1 + [10] })
      contents[".\(name).sums"] = Array(LogFile.sums(of: changed))
    }
  }

  private static func renamed(_ line: [UInt8], _ ids: [String: String]) -> Data {
    guard !ids.isEmpty else { return Data(line) }
    var text = String(decoding: line, as: UTF8.self)
    for (id, other) in ids where text.utf8.count >= id.utf8.count { text = text.replacing(id, with: other) }
    return Data(text.utf8)
  }
}
