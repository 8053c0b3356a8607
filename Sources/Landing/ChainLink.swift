/// One place of the landing chain: the landed file at that place, and the hash that identifies its manifest.
///
/// Every manifest contains the link of the one before it, so that a missing manifest is identified by its successor.
package struct ChainLink: Sendable, Hashable, Codable {
  /// From 1, without gaps, one numbering for the whole landing zone.
  package var sequence: Int64
  /// The landed file, relative to the landing zone's folder.
  package var file: String
  /// Of the manifest's bytes, in lowercase hexadecimal.
  package var sha256: String
  /// From its manifest, for reports and claims when the manifest is missing; Unix seconds.
  package var observedAt: Int64
  package var coversFrom: Int64
  package var windowTo: Int64

  package init(sequence: Int64, file: String, sha256: String, observedAt: Int64, coversFrom: Int64, windowTo: Int64) {
    (self.sequence, self.file, self.sha256) = (sequence, file, sha256)
    (self.observedAt, self.coversFrom, self.windowTo) = (observedAt, coversFrom, windowTo)
  }

  private enum CodingKeys: String, CodingKey {
    case sequence, file, sha256
    case observedAt = "observed_at"
    case coversFrom = "covers_from"
    case windowTo = "window_to"
  }

  /// The manifest beside the landed file.
  package var manifestPath: String { LandingNames.manifest(of: file) }
}

extension Manifest {
  /// Its place in the chain; nil in a landing zone without a chain.
  package var link: ChainLink? {
    sequence.map {
      ChainLink(
        sequence: $0, file: path, sha256: manifestSHA256, observedAt: observedAt, coversFrom: pull.coversFrom,
        windowTo: pull.windowTo)
    }
  }
}
