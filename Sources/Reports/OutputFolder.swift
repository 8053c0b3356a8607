import Foundation
import Payments

/// The folder of the reports: links for people, and `.published` with the folders that they point to.
struct OutputFolder {
  let path: String

  static let latest = "latest"

  var published: String { "\(path)/.published" }

  func prepare() throws(ReportError) {
    do { try FileManager.default.createDirectory(atPath: published, withIntermediateDirectories: true) } catch {
      throw .cannotWrite(path: published, reason: (error as NSError).localizedDescription)
    }
  }

  /// The publication that a range's link points to.
  ///
  /// - Throws: `ReportError.cannotWrite` if something other than a link is in its place.
  func shown(_ range: PublishedRange) throws(ReportError) -> String? {
    var status = stat()
    guard lstat("\(path)/\(range)", &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFLNK else {
      throw .cannotWrite(path: "\(path)/\(range)", reason: "it is no symbolic link, so it is not ours; move it away")
    }
    return target("\(range)").map { ($0 as NSString).lastPathComponent }
  }

  /// The numbers of a range's publications, complete or not.
  func numbers(of range: PublishedRange) -> [Int] {
    names(in: published).compactMap { PublishedRange.number(ofPublication: $0) }.filter { $0.range == "\(range)" }.map(
      \.number
    )
    .sorted()
  }

  /// Removes what interrupted publications left: folders without run.json, folders newer than the one their link points
  /// to, and links that were not moved into place.
  func clearLeftovers() throws(ReportError) {
    for name in names(in: published) {
      let isLeftover: Bool
      if let publication = PublishedRange.number(ofPublication: name) {
        let shown = target(publication.range).flatMap {
          PublishedRange.number(ofPublication: ($0 as NSString).lastPathComponent)?.number
        }
        let isWhole = FileManager.default.fileExists(atPath: "\(published)/\(name)/\(Publication.runFile)")
        isLeftover = !isWhole || publication.number > shown ?? .max
      } else {
        isLeftover = name.hasPrefix(".next-")
      }
      if isLeftover { try remove("\(published)/\(name)") }
    }
  }

  /// Creates or replaces a relative link by one rename.
  func point(_ name: String, to target: String) throws(ReportError) {
    let next = "\(published)/.next-\(name)"
    unlink(next)
    guard symlink(target, next) == 0 else { throw ReportError(errno, next) }
    guard rename(next, "\(path)/\(name)") == 0 else { throw ReportError(errno, "\(path)/\(name)") }
  }

  /// `latest` points to the range that ends last; of two that end on the same day, to the one just published. A range
  /// that begins after today was published by a clock that was ahead.
  func advanceLatest(to range: PublishedRange, today: BusinessDay?) throws(ReportError) {
    if let target = target(Self.latest), let current = PublishedRange(name: target), current.lastDay > range.lastDay,
      today.map({ current.firstDay <= $0 }) ?? true,
      FileManager.default.fileExists(atPath: "\(path)/\(Self.latest)")
    {
      return
    }
    try point(Self.latest, to: "\(range)")
  }

  /// Removes all but the newest publications of a range; one that cannot be removed is left for the next time.
  func removeOld(_ range: PublishedRange, keeping kept: Int) {
    for number in numbers(of: range).dropLast(kept) { try? remove("\(published)/\(range.publication(number))") }
  }

  private func target(_ name: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)")
  }

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func remove(_ path: String) throws(ReportError) {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw .cannotWrite(path: path, reason: "a leftover cannot be removed: \((error as NSError).localizedDescription)")
    }
  }
}
