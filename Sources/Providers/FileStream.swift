import Files
import Foundation
import Landing
import Logging

/// The pull of a folder that receives settlement files, as one stream: the part shared by all providers that report
/// their money in CSV files.
///
/// A provider supplies two things: where the files are (a `FileSource`: a `LocalFiles` folder, SFTP, downloads by
/// name), and what they contain (`FileRules`: the columns that may land, and a `FileReading` that sees each row before
/// it lands). The rest is here:
/// - A file is identified by the SHA-256 of its content: what was landed without a refusal is not landed again,
///   whatever its name, so a night costs only what is new. A file with a refused row is read again every night, so that
///   the newest pull lists everything that is still refused.
/// - Each row lands as `{"file": name, "row": number, <column key>: text, …}`, rows numbered as spreadsheets do, empty
///   cells left out, one page per file. A refused row lands as a `RefusedRecord` at `file.csv:12`, a refused file as
///   one at `file.csv`; the reader throws it again.
/// - A file is read twice, each time row by row: first to check it to its last row, then to land it. So no row lands of
///   a file that turns out to be damaged or to belong to another tenant, and memory does not grow with the size of a
///   file.
/// - Coverage begins with the oldest instant that any file reports (or with the range, if that is earlier). The
///   watermark is what the rules return, by default the newest instant reported; while anything is refused, it stays at
///   the value it had when nothing was.
/// - A pull is complete when every listed file was read to its end; a file that cannot be fetched makes it incomplete,
///   with a reason.
package struct FileStream: Sendable {
  /// The configured name of the provider.
  package let provider: String
  /// The stream's name in the landing zone.
  package let stream: String
  package let source: any FileSource
  package let rules: any FileRules
  let logger: Logger

  package init(provider: String, stream: String, source: any FileSource, rules: any FileRules, logger: Logger) {
    self.provider = provider
    self.stream = stream
    self.source = source
    self.rules = rules
    self.logger = logger
  }

  /// Lands what is new; never throws: the outcome reports how it went.
  package func pull(_ order: PullOrder, into landing: Landing) async -> StreamOutcome {
    do {
      let history = FileHistory(try landing.manifests(provider: provider, stream: stream), edition: rules.edition)
      let scratch = ScratchFolder()
      defer { scratch.remove() }
      var round = FileRound(stream: self, history: history, scratch: scratch)
      try await round.check()
      return try round.land(order, into: landing)
    } catch {
      let reason = error is CancellationError ? "the pull was cancelled; run it again" : "\(error)"
      return StreamOutcome(stream: stream, objects: 0, isComplete: false, reason: "\(provider) \(stream): \(reason)")
    }
  }
}

/// What a provider's files contain, and which of it may land.
package protocol FileRules: Sendable {
  /// The kind of files and the edition of the rules by which they land, e.g. `settlement files, 1`: when this text
  /// changes, every file is read again.
  var edition: String { get }
  /// What a file is, by its name.
  func layout(of name: String) -> FileLayout
  /// What a file is, by its first row, where its name does not show it; nil: it is not one of the provider's.
  func layout(ofHeading heading: FileHeading, name: String) -> FileLayout?
  /// Whether the name alone shows that the file is meant to be a report, whatever it contains.
  func claims(_ name: String) -> Bool
  /// Whether a file that is not a report is listed in the quarantine.
  var namesStrays: Bool { get }
  /// The identity of a file, 64 hexadecimal digits: its SHA-256, unless its name carries information that its content
  /// does not.
  func identity(of file: DeliveredFile) -> String
  /// Begins a file; called twice for each, as each is read twice.
  func begin(_ file: DeliveredFile) throws -> any FileReading
  /// The instant up to which everything is known once these files have landed; nil when they report nothing. Unix
  /// seconds UTC.
  ///
  /// Called only when nothing is refused. The files are sorted by name; a file that is listed but could not be fetched
  /// is among them, with `isWithholding` set.
  func knownUntil(_ files: [ImportedFile]) -> Int64?
}

extension FileRules {
  package func identity(of file: DeliveredFile) -> String { file.sha256 }

  package func layout(ofHeading heading: FileHeading, name: String) -> FileLayout? { nil }

  package func claims(_ name: String) -> Bool { true }

  package var namesStrays: Bool { false }

  /// The newest instant reported; nil as long as a file cannot be fetched.
  package func knownUntil(_ files: [ImportedFile]) -> Int64? {
    files.contains(where: \.isWithholding) ? nil : files.compactMap { $0.reportedSpan?.upperBound }.max()
  }
}

/// What kind of file it is, as its name shows.
package enum FileLayout: Sendable {
  /// CSV with these columns; nothing else of it lands. `prelude` rows precede its header. With `mayBeEmpty`, a file of
  /// zero bytes counts as one without rows.
  case rows([Column], prelude: Int = 0, mayBeEmpty: Bool = false)
  /// A report of the provider that is not needed: skipped.
  case unread
  /// A file whose name does not identify it: its content may.
  case foreign
  /// A file of an account that is not configured here: counted and skipped.
  case otherAccount
  /// A file that must not be there: refused, with the reason.
  case refused(String)
}

/// Sees one file row by row.
package protocol FileReading: AnyObject {
  /// Inspects a row before it lands: may set or clear cells, leave the row out (a total line), throw a `RefusedRecord`
  /// (see `FileRow.refused`) for the row, or a `FileRefusal` for the file as a whole.
  func read(_ row: FileRow) throws
  /// Called after the last row; a `FileRefusal` refuses the file.
  func end() throws
  /// The oldest and newest instant that the file reports, once it has been read; Unix seconds UTC.
  var reportedSpan: ClosedRange<Int64>? { get }
}

extension FileReading {
  package func end() throws {}
}
