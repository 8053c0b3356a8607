import Landing

/// What became of the landed files and logs of a seal after it was made, as the landing chain says.
struct SealAmendments {
  /// In the order of the chain, those of landed files and logs alone.
  private(set) var amendments: [Amendment] = []
  /// The place in the chain of the newest of them; that of the seal where there are none.
  private(set) var end: Int64

  /// - Throws: `LandingError` where an amendment cannot be read.
  init(_ seal: Seal, _ landing: Landing, _ survey: LandingSurvey) throws {
    end = seal.sequence
    let ours = Set(seal.manifests.map(\.file) + seal.logs.map(\.file))
    for manifest in survey.manifests where manifest.isOfLandingZone {
      guard let sequence = manifest.sequence, sequence > seal.sequence else { continue }
      let found = try landing.amendments(manifest).filter { ours.contains($0.file) }
      if !found.isEmpty { end = max(end, sequence) }
      amendments += found
    }
  }

  var removals: [Amendment] { amendments.filter(\.isRemoval) }

  /// What replaced the texts that were erased.
  var standIns: Set<String> { Set(amendments.flatMap { $0.standIns ?? [] }) }

  func concern(_ file: String) -> Bool { amendments.contains { $0.file == file } }
}
