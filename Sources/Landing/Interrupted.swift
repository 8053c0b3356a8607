import Cryptography
import Foundation

/// What an interrupted pull left behind, cut to its last durable point.
struct Interrupted {
  var head: Journal.Head
  var points: [Journal.Point]
  /// Where the journal's line of the last point ends.
  var journalEnd: Int64
  /// The hash of the file up to the last point, ready to be continued.
  var hash: SHA256

  /// Looks for an interrupted pull in the folder, and removes what cannot be used.
  ///
  /// A point counts only if the file's bytes up to it have the SHA-256 in the journal; so neither the order in which a
  /// disk wrote blocks nor a torn line can pass for a page.
  static func find(in folder: StreamFolder) throws -> Interrupted? {
    let content = Journal.read(folder[LandingNames.partialJournal])
    if let publication = content?.publication { try finishRename(publication.publishing, in: folder) }
    guard let content, let found = try goodPart(of: content, in: folder) else {
      try folder.remove(LandingNames.partialFile)
      try folder.remove(LandingNames.partialJournal)
      return nil
    }
    return found
  }

  /// An interruption between the two renames of a publication: the file has its final name, its manifest does not.
  private static func finishRename(_ stem: String, in folder: StreamFolder) throws {
    let isPublished = folder.has(stem + LandingNames.manifestSuffix)
    if !isPublished && folder.has(stem + LandingNames.fileSuffix) && !folder.has(LandingNames.partialFile) {
      try folder.rename(stem + LandingNames.fileSuffix, to: LandingNames.partialFile)
    }
  }

  private static func goodPart(of content: Journal.Content, in folder: StreamFolder) throws -> Interrupted? {
    guard folder.has(LandingNames.partialFile) else { return nil }
    let file = try StoredFile(path: folder[LandingNames.partialFile])
    var hash = SHA256()
    var good: (count: Int, hash: SHA256) = (0, hash)
    for (point, _) in content.points {
      let wanted = point.bytes - file.offset
      guard wanted >= 0, try file.read(wanted, { hash.update($0) }) == wanted else { break }
      guard hash.finalize().hexadecimal == point.sha256 else { break }
      good = (good.count + 1, hash)
    }
    let points = content.points.prefix(good.count)
    guard let last = points.last, last.point.objects > 0 else { return nil }
    return Interrupted(head: content.head, points: points.map(\.point), journalEnd: last.end, hash: good.hash)
  }
}
