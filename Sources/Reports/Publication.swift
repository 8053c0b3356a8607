import Cryptography
import Foundation
import Payments

/// One publication of a range: its files are written into a hidden folder, then shown as a whole by one rename.
///
/// `<output>/<range>` is a symbolic link into `<output>/.published`, so a reader sees either the former publication or
/// this one. `run.json` is written last: a folder without it is incomplete, and the next publication removes it. The
/// run lock ensures one publication at a time per output folder.
package final class Publication {
  /// How many publications of one range are kept, including this one: earlier ones are in the log of publications.
  static let kept = 1
  /// The file that makes a publication complete.
  package static let runFile = "run.json"

  package let range: PublishedRange
  /// The folder that the files are written into.
  package let directory: String
  /// `<range>-<n>`, counted from 1.
  package let name: String
  /// The publication that the link points to now; nil for the first one of a range.
  package let supersedes: String?
  private let output: OutputFolder
  private var isSealed = false

  /// Removes what an interrupted publication left, and makes the folder for this one.
  ///
  /// - Throws: `ReportError.cannotWrite` or `.diskFull`.
  package init(_ range: PublishedRange, in outputDirectory: String) throws(ReportError) {
    self.range = range
    output = OutputFolder(path: outputDirectory)
    try output.prepare()
    supersedes = try output.shown(range)
    try output.clearLeftovers()
    let number = (output.numbers(of: range).max() ?? 0) + 1
    name = range.publication(number)
    directory = "\(output.published)/\(name)"
    guard mkdir(directory, 0o750) == 0 else { throw ReportError(errno, directory) }
  }

  /// Removes the folder if it was not sealed.
  deinit { if !isSealed { try? FileManager.default.removeItem(atPath: directory) } }

  /// Where the reports are for people: the link, not what it points to.
  package var link: String { "\(output.path)/\(range)" }

  /// Writes a whole file.
  @discardableResult
  package func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) -> WrittenFile {
    let file = try DurableFile(path: "\(directory)/\(name)")
    var result: Result<Void, ReportError> = .success(())
    bytes.withUnsafeBytes { buffer in result = Result { () throws(ReportError) in try file.write(buffer) } }
    try result.get()
    try file.finish()
    return WrittenFile(name: name, sha256: SHA256.hash(bytes).hexadecimal, bytes: Int64(bytes.count), rows: 0)
  }

  /// Writes run.json, makes everything durable and replaces the link; then updates `latest` and removes old
  /// publications.
  ///
  /// A publication with an `--as-of` instant (`@T`) does not change `latest`.
  package func seal(runJSON: [UInt8], today: BusinessDay? = nil) throws(ReportError) {
    try add(Self.runFile, runJSON)
    try DurableFile.flush(directory)
    try DurableFile.flush(output.published)
    try output.point("\(range)", to: ".published/\(name)")
    isSealed = true
    if range.asOf == nil { try output.advanceLatest(to: range, today: today) }
    try DurableFile.flush(output.path)
    output.removeOld(range, keeping: Self.kept)
  }
}

extension Publication {
  /// The names of all publications in a folder, in a fixed order.
  package static func published(in outputDirectory: String) -> [String] {
    let output = OutputFolder(path: outputDirectory)
    return ((try? FileManager.default.contentsOfDirectory(atPath: output.published)) ?? []).filter {
      PublishedRange.number(ofPublication: $0) != nil
    }.sorted()
  }

  /// The range of a publication.
  package static func range(of publication: String) -> PublishedRange? {
    PublishedRange.number(ofPublication: publication).flatMap { PublishedRange(name: $0.range) }
  }
}
