/// One place of the landing chain: which landed file has it, and by what its manifest is known again.
///
/// Every manifest holds the link of the one before it, so that a manifest that is missing is named by its successor.
package struct ChainLink: Sendable, Hashable, Codable {
  /// From 1, without a gap, one numbering for the whole landing zone.
  package var sequence: Int64
  /// The landed file, from the landing zone's own folder.
  package var file: String
  /// Of the manifest's bytes, in lowercase hexadecimal.
  package var sha256: String
  /// Of its manifest, for what is said and claimed when the manifest is gone; Unix seconds.
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
  /// Its place in the chain; nil in a landing zone that has none yet.
  package var link: ChainLink? {
    sequence.map {
      ChainLink(
        sequence: $0, file: path, sha256: manifestSHA256, observedAt: observedAt, coversFrom: pull.coversFrom,
        windowTo: pull.windowTo)
    }
  }
}
