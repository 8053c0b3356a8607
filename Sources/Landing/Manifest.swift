import Cryptography
import Foundation

/// What is beside each landed file: where it comes from, what it holds, and whether it is all there was.
///
/// A file without a manifest does not count as landed: the manifest is written last.
package struct Manifest: Sendable, Hashable, Encodable {
  /// One page as the source gave it.
  package struct Page: Sendable, Hashable, Codable {
    /// Where the next page begins; nil on the last.
    package var cursor: String?
    /// What the source calls the request, for its support.
    package var requestID: String?
    /// How many records the page brought.
    package var objects: Int
    /// How many compressed bytes they take.
    package var bytes: Int64

    private enum CodingKeys: String, CodingKey {
      case cursor, objects, bytes
      case requestID = "request_id"
    }
  }

  /// The layout of manifest and file; this code reads 1.
  package var version = 1
  /// The file's name, in the manifest's own folder.
  package var file: String
  package var pull: StreamPull
  /// When the records were seen; orders the files, and `--as-of` goes by it.
  package var observedAt: Int64
  /// When the first of them were seen; earlier than `observedAt` if the pull was interrupted and went on.
  package var startedAt: Int64
  /// Whether the source gave everything that was asked for.
  package var complete: Bool
  /// Why not, in a sentence.
  package var reason: String?
  /// Up to where everything is known although the pull is not complete, or instead of `pull.watermark`: a folder's
  /// newest settlement date, the moment before a batch that is missing.
  package var knownUntil: Int64?
  /// How many records of accounts that are not configured were there too; nil: none.
  package var otherAccounts: Int?
  /// How many records the file holds, one on each line.
  package var objects: Int
  /// How many fields were left out of them on purpose.
  package var droppedFields: Int
  /// The stored bytes, and their SHA-256 in lowercase hexadecimal.
  package var bytes: Int64
  package var sha256: String
  package var pages: [Page]
  /// Its place in the landing chain, from 1, and the place before it; nil in a landing zone that has no chain yet.
  package var sequence: Int64?
  package var previous: ChainLink?
  /// The first number of the run that landed it: what one run lands is read in the order of the files' names.
  package var batch: Int64?
  /// Whether the run doubted its clock, so that the file claims nothing; false: somebody said that it was right, so
  /// that what landed by a later clock before it claims nothing.
  package var clockInDoubt: Bool?
  /// What became of the file since; no part of the manifest.
  package var amendment: Amendment?
  /// Of its own bytes; no part of them.
  package var manifestSHA256 = ""

  private enum CodingKeys: String, CodingKey {
    case version, file, pull, complete, reason, objects, bytes, sha256, pages, sequence, previous, batch
    case clockInDoubt = "clock_in_doubt"
    case observedAt = "observed_at"
    case startedAt = "started_at"
    case droppedFields = "dropped_fields"
    case knownUntil = "known_until"
    case otherAccounts = "other_accounts"
  }

  /// The configured name of the provider or order source.
  package var provider: String { pull.provider }
  /// The stream, as the reader knows it.
  package var stream: String { pull.stream }
  /// Whether it is no source's, but what the landing zone says of itself.
  package var isOfLandingZone: Bool { provider == Amendment.source }
  /// Its stream's folder, from the landing zone's own.
  package var folder: String { LandingNames.folder(of: pull) }
  /// The landed file, from the landing zone's own folder.
  package var path: String { LandingNames.folder(of: pull) + "/" + file }

  /// The manifest's own name, from the landing zone's own folder.
  package var manifestPath: String { LandingNames.manifest(of: path) }

  /// The order in which landed files are read: a later one has the newer version of a record. It is the order in which
  /// they landed, whatever the clock said.
  package static func isRead(_ one: Manifest, before other: Manifest) -> Bool {
    guard let place = one.batch ?? one.sequence, let otherPlace = other.batch ?? other.sequence else {
      return wasRead(one, before: other)
    }
    return place == otherPlace ? one.path < other.path : place < otherPlace
  }

  /// The order in a landing zone that has no chain yet.
  static func wasRead(_ one: Manifest, before other: Manifest) -> Bool {
    one.observedAt == other.observedAt ? one.path < other.path : one.observedAt < other.observedAt
  }

  /// Its bytes, whose hash it notes in itself.
  mutating func encodeAndHash() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    manifestSHA256 = SHA256.hash(bytes).hexadecimal
    return bytes
  }
}
