import Foundation
import Journal
import Reconciliation

/// Journals for other programs.
extension Wiring {
  /// Writes the journal to a file, completely or not at all, or to standard output.
  static func exportJournal(
    _ days: DayRange, _ format: JournalFormat, asOf: Int64?, to path: String?, at workplace: CommandContext
  ) throws -> ExitStatus {
    var night = try makeNight(days, now: .now, workplace)
    night.asOf = asOf
    if asOf == nil { try warnIfInNoReport(night, isNewest: false) }
    guard let path else {
      try night.exportJournals([format]) { try FileHandle.standardOutput.write(contentsOf: Data($1.utf8)) }
      return .clean
    }
    let partial = path + ".part"
    guard FileManager.default.createFile(atPath: partial, contents: nil),
      let file = FileHandle(forWritingAtPath: partial)
    else {
      throw Failure(.inputOutput, "cannot write \(partial)")
    }
    do {
      try night.exportJournals([format]) { try file.write(contentsOf: Data($1.utf8)) }
      try file.synchronize()
      try file.close()
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw error
    }
    guard rename(partial, path) == 0 else { throw Failure(.inputOutput, "cannot write \(path)") }
    return .clean
  }
}
