import Cryptography
import Foundation
import Payments

/// One publication of a range: its files are written aside, then shown as a whole by one rename.
///
/// `<output>/<range>` is a symbolic link into `<output>/.published`; whoever reads through it sees the former
/// publication or this one. `run.json` is written last, so a folder without it is an interrupted one: the next
/// publication removes it. One publication at a time per output folder: the run lock is before it.
package final class Publication {
  /// Publications of one range that are kept, this one included: what was published before is in the log of
  /// publications.
  static let kept = 1
  /// The file that makes a publication whole.
  package static let runFile = "run.json"

  package let range: PublishedRange
  /// The folder that the files are written into.
  package let directory: String
  /// `<range>-<n>`, counted from 1.
  package let name: String
  /// The publication that the link shows now; nil for the first one of a range.
  package let supersedes: String?
  private let output: OutputFolder
  private var isSealed = false

  /// Clears what an interrupted publication has left, and makes the folder for this one.
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

  /// Leaves nothing behind when it was not sealed.
  deinit { if !isSealed { try? FileManager.default.removeItem(atPath: directory) } }

  /// Where the reports are for people: the link, not what it points to.
  package var link: String { "\(output.path)/\(range)" }

  /// Writes a file whole.
  @discardableResult
  package func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) -> WrittenFile {
    let file = try DurableFile(path: "\(directory)/\(name)")
    var result: Result<Void, ReportError> = .success(())
    bytes.withUnsafeBytes { buffer in result = Result { () throws(ReportError) in try file.write(buffer) } }
    try result.get()
    try file.finish()
    return WrittenFile(name: name, sha256: SHA256.hash(bytes).hexadecimal, bytes: Int64(bytes.count), rows: 0)
  }

  /// Writes run.json, makes everything durable and swaps the link; then `latest` follows and what is too old goes.
  ///
  /// A publication with a moment of knowledge (`@T`) leaves `latest` alone.
  package func seal(runJSON: [UInt8]) throws(ReportError) {
    try add(Self.runFile, runJSON)
    try DurableFile.flush(directory)
    try DurableFile.flush(output.published)
    try output.point("\(range)", to: ".published/\(name)")
    isSealed = true
    if range.asOf == nil { try output.advanceLatest(to: range) }
    try DurableFile.flush(output.path)
    output.removeOld(range, keeping: Self.kept)
  }
}

extension Publication {
  /// The names of all that is published in a folder, in a fixed order.
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
