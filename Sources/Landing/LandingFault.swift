/// A part of the landing zone that is not as it was landed: the file concerned and the reason.
package struct LandingFault: Sendable, Hashable {
  /// The landed file, relative to the landing zone's folder; nil: only its number is known.
  package let file: String?
  /// Its number in the chain; nil: it has none.
  package let sequence: Int64?
  /// What the chain still records of it.
  package let link: ChainLink?
  /// Whether its manifest is intact and only the file is not.
  package let isOfFile: Bool
  package let error: LandingError

  package init(file: String?, sequence: Int64?, link: ChainLink?, isOfFile: Bool, error: LandingError) {
    (self.file, self.sequence, self.link, self.isOfFile, self.error) = (file, sequence, link, isOfFile, error)
  }

  /// The source whose folder contains it; nil where the file is not known.
  package var source: String? { folders?.0 }
  /// The stream whose folder contains it.
  package var stream: String? { folders?.1 }

  /// Whether it concerns the landing zone's own records.
  package var isOfLandingZone: Bool { source == Amendment.source }

  private var folders: (String, String)? {
    guard let parts = file?.split(separator: "/"), parts.count == 3 else { return nil }
    return (LandingNames.name(ofFolder: String(parts[0])), LandingNames.name(ofFolder: String(parts[1])))
  }

  /// Where it is, for people: the file, or its number.
  package var place: String { file ?? "landing chain, number \(sequence ?? 0)" }
}
