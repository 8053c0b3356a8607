import Cryptography
import Foundation

/// The file beside each landed file: its origin, its content, and whether it is complete.
///
/// A file without a manifest does not count as landed: the manifest is written last.
package struct Manifest: Sendable, Hashable, Encodable {
  /// One page as the source gave it.
  package struct Page: Sendable, Hashable, Codable {
    /// Where the next page begins; nil on the last.
    package var cursor: String?
    /// The source's id of the request, for its support.
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

  /// The version of the layout of manifest and file; this code reads 1.
  package var version = 1
  /// The file's name, in the manifest's own folder.
  package var file: String
  package var pull: StreamPull
  /// When the records were read; orders the files, and `--as-of` refers to it.
  package var observedAt: Int64
  /// When the first of them were read; earlier than `observedAt` if the pull was interrupted and resumed.
  package var startedAt: Int64
  /// Whether the source returned everything that was requested.
  package var complete: Bool
  /// Why not, in a sentence.
  package var reason: String?
  /// The instant up to which everything is known although the pull is incomplete, or instead of `pull.watermark`: a
  /// folder's newest settlement date, the instant before a missing batch.
  package var knownUntil: Int64?
  /// How many records of accounts that are not configured there were; nil: none.
  package var otherAccounts: Int?
  /// How many records the file contains, one per line.
  package var objects: Int
  /// How many of their fields were deliberately left out.
  package var droppedFields: Int
  /// The stored bytes, and their SHA-256 in lowercase hexadecimal.
  package var bytes: Int64
  package var sha256: String
  package var pages: [Page]
  /// Its place in the landing chain, from 1, and the place before it; nil in a landing zone without a chain.
  package var sequence: Int64?
  package var previous: ChainLink?
  /// The first sequence number of the run that landed it: what one run lands is read in the order of the files' names.
  package var batch: Int64?
  /// Whether the run doubted its clock, so that the file claims nothing; false: an operator confirmed the clock, so
  /// that earlier files with a later clock claim nothing.
  package var clockInDoubt: Bool?
  /// The amendment of the file since; not part of the manifest.
  package var amendment: Amendment?
  /// Of its own bytes; not part of them.
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
  /// Whether it belongs to the landing zone itself, not to a source.
  package var isOfLandingZone: Bool { provider == Amendment.source }
  /// Its stream's folder, relative to the landing zone's.
  package var folder: String { LandingNames.folder(of: pull) }
  /// The landed file, relative to the landing zone's folder.
  package var path: String { LandingNames.folder(of: pull) + "/" + file }

  /// The manifest's own name, relative to the landing zone's folder.
  package var manifestPath: String { LandingNames.manifest(of: path) }

  /// The order in which landed files are read: a later file has the newer version of a record. It is the order in which
  /// they landed, whatever the clock showed.
  package static func isRead(_ one: Manifest, before other: Manifest) -> Bool {
    guard let place = one.batch ?? one.sequence, let otherPlace = other.batch ?? other.sequence else {
      return wasRead(one, before: other)
    }
    return place == otherPlace ? one.path < other.path : place < otherPlace
  }

  /// The reading order in a landing zone without a chain.
  static func wasRead(_ one: Manifest, before other: Manifest) -> Bool {
    one.observedAt == other.observedAt ? one.path < other.path : one.observedAt < other.observedAt
  }

  /// Its bytes, whose hash it stores in itself.
  mutating func encodeAndHash() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    manifestSHA256 = SHA256.hash(bytes).hexadecimal
    return bytes
  }
}
