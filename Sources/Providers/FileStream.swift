import Files
import Foundation
import Landing
import Logging

/// The pull of a folder that receives settlement files, as one stream: what the providers share whose money is reported
/// in CSV files.
///
/// What a provider brings are two things: where the files are (a `FileSource`: a `LocalFiles` folder, SFTP, downloads
/// by name), and what is in them (`FileRules`: the columns that may land, and a `FileReading` that sees each row before
/// it lands). The rest is here:
/// - A file is known by the SHA-256 of its content: what was landed without a refusal is not landed again, whatever its
///   name. So nights
///   cost by what is new. A file with a refused row is read again every night, so that the newest pull names all that
/// stands refused.
/// - Each row lands as `{"file": name, "row": number, <column key>: text, …}`, numbers as spreadsheets show them, empty
///   cells left out, one page
///   a file. A refused row lands as a `RefusedRecord` at `file.csv:12`, a refused file as one at `file.csv`; the reader
/// throws it again.
/// - A file is read twice, each time row by row: first to see that it is good to its last row, then to land it. So of a
///   file that turns out
///   damaged, or as another tenant's, not one row has landed, and no memory grows with a file.
/// - Coverage begins with the oldest moment that any file reports (or the range, if earlier). The watermark is what
///   the rules say,
///   by default the newest moment reported; while something stands refused, it stays where it was when nothing did.
/// - A pull is complete when every file there is was seen to its end; a file that cannot be had makes it incomplete,
///   with a sentence.
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

  /// Lands what is new; never throws: the outcome says how it went.
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

/// What a provider's files hold, and which of it may land.
package protocol FileRules: Sendable {
  /// What the files are and by which edition of the rules they land, e.g. `settlement files, 1`: with other words every
  /// file is read again.
  var edition: String { get }
  /// What a file of that name is.
  func layout(of name: String) -> FileLayout
  /// What a file is whose name does not say it, by its first row; nil: it is none of the provider's.
  func layout(ofHeading heading: FileHeading, name: String) -> FileLayout?
  /// Whether a name says that the file should be a report, whatever is in it.
  func claims(_ name: String) -> Bool
  /// Whether a file that is no report is named in the quarantine.
  var namesStrays: Bool { get }
  /// By what a file is known, 64 hexadecimal digits: its SHA-256, unless its name says something that its content does
  /// not.
  func identity(of file: DeliveredFile) -> String
  /// Begins a file; asked for twice for each, as each is read twice.
  func begin(_ file: DeliveredFile) throws -> any FileReading
  /// Up to when everything is known once these files are; nil when they report nothing. Unix seconds UTC.
  ///
  /// Asked only when nothing stands refused. Files come by name; a file that is there and could not be had is among
  /// them, `isWithholding`.
  func knownUntil(_ files: [ImportedFile]) -> Int64?
}

extension FileRules {
  package func identity(of file: DeliveredFile) -> String { file.sha256 }

  package func layout(ofHeading heading: FileHeading, name: String) -> FileLayout? { nil }

  package func claims(_ name: String) -> Bool { true }

  package var namesStrays: Bool { false }

  /// The newest moment reported, and nothing as long as a file cannot be had.
  package func knownUntil(_ files: [ImportedFile]) -> Int64? {
    files.contains(where: \.isWithholding) ? nil : files.compactMap { $0.reportedSpan?.upperBound }.max()
  }
}

/// What a file is, as its name shows.
package enum FileLayout: Sendable {
  /// CSV with these columns, of which nothing else lands; `prelude` rows are before its header. One that may be empty
  /// (no byte at all) is then as good as one without rows.
  case rows([Column], prelude: Int = 0, mayBeEmpty: Bool = false)
  /// A report of the provider's that is not needed: passed over.
  case unread
  /// A file of another kind by its name: its content may say more.
  case foreign
  /// A file of an account that is not configured here: counted and passed over.
  case otherAccount
  /// A file that must not be there: refused, with the reason.
  case refused(String)
}

/// Sees one file row by row.
package protocol FileReading: AnyObject {
  /// Looks at a row before it lands: may set or clear cells, leave the row out (a total line), throw a `RefusedRecord`
  /// (see
  /// `FileRow.refused`) for the row, or a `FileRefusal` for the file as a whole.
  func read(_ row: FileRow) throws
  /// After the last row; a `FileRefusal` refuses the file.
  func end() throws
  /// The oldest and newest moment that the file reports, once it was read; Unix seconds UTC.
  var reportedSpan: ClosedRange<Int64>? { get }
}

extension FileReading {
  package func end() throws {}
}
