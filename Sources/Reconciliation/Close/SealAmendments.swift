import Landing

/// Changes to the landed files and logs of a seal after it was made, according to the landing chain.
struct SealAmendments {
  /// In the order of the chain, limited to landed files and logs of the seal.
  private(set) var amendments: [Amendment] = []
  /// The position of the newest of them in the chain; that of the seal where there are none.
  private(set) var end: Int64
  /// Files with further amendments that cannot be read; the survey reports a fault for each.
  private(set) var unreadable: [String] = []

  init(_ seal: Seal, _ landing: Landing, _ survey: LandingSurvey) {
    end = seal.sequence
    let ours = Set(seal.manifests.map(\.file) + seal.logs.map(\.file))
    for manifest in survey.manifests where manifest.isOfLandingZone {
      guard let sequence = manifest.sequence, sequence > seal.sequence else { continue }
      guard let found = try? landing.amendments(manifest).filter({ ours.contains($0.file) }) else {
        unreadable.append(manifest.path)
        continue
      }
      if !found.isEmpty { end = max(end, sequence) }
      amendments += found
    }
  }

  var removals: [Amendment] { amendments.filter(\.isRemoval) }

  /// The stand-ins that replaced erased texts.
  var standIns: Set<String> { Set(amendments.flatMap { $0.standIns ?? [] }) }

  /// The SHA-256 that a file had in the seal, by its present one.
  var hashes: [String: String] {
    var hashes: [String: String] = [:]
    for file in Set(amendments.map(\.file)) {
      let ours = amendments.filter { $0.file == file }
      if let first = ours.first, let now = ours.last?.now { hashes[now.sha256] = first.was.sha256 }
    }
    return hashes
  }

  func concern(_ file: String) -> Bool { amendments.contains { $0.file == file } }
}
