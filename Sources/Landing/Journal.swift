import Foundation
import Glibc

/// The journal of a file that is being written: its purpose, and each point up to which it is valid.
///
/// One JSON object per line. A line that is torn, or that counts bytes which never reached the disk, is recognised and
/// ignored.
enum Journal {
  /// The first line.
  struct Head: Codable {
    var version = 1
    var pull: StreamPull
    var startedAt: Int64
  }

  /// A durable point: the file's first `bytes` bytes contain these pages and have this SHA-256.
  struct Point: Codable {
    var page: Manifest.Page
    var objects: Int
    var droppedFields: Int
    var bytes: Int64
    var sha256: String
  }

  /// Written before the file gets its final name.
  struct Publication: Codable {
    var publishing: String
  }

  /// The content of a journal, as far as it can be read.
  struct Content {
    var head: Head
    /// Each point, and where its line ends in the journal.
    var points: [(point: Point, end: Int64)] = []
    var publication: Publication?
    var headEnd: Int64
  }

  static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// Reads the journal at `path`; nil when there is none or not even its first line is complete.
  static func read(_ path: String) -> Content? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    var content: Content?
    var start = bytes.startIndex
    let decoder = JSONDecoder()
    while let lineBreak = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[start..<lineBreak]
      start = lineBreak + 1
      if content == nil {
        guard let head = try? decoder.decode(Head.self, from: line), head.version == 1 else { return nil }
        content = Content(head: head, headEnd: Int64(start))
      } else if let point = try? decoder.decode(Point.self, from: line) {
        content?.points.append((point, Int64(start)))
      } else if let publication = try? decoder.decode(Publication.self, from: line) {
        content?.publication = publication
      } else {
        break
      }
    }
    return content
  }
}
