import Foundation
import Glibc

/// The content of a landing zone, and which parts are missing or not as they were landed.
package struct LandingSurvey: Sendable {
  /// The reliable manifests, in reading order.
  package private(set) var manifests: [Manifest] = []
  package private(set) var faults: [LandingFault] = []
  /// The chain's end; nil where there is no chain.
  package private(set) var newest: ChainLink?

  /// Walks the chain from its end to its beginning.
  ///
  /// - Parameters:
  ///   - remembered: links recorded elsewhere: in the store, in the log of publications.
  ///   - last: the last place of the chain whose records count; the zone's own records count to the end.
  /// - Throws: `LandingError` when a folder cannot be read.
  init(directory: String, remembered: [ChainLink] = [], through last: Int64? = nil) throws {
    let entries = try ManifestFiles(directory: directory).all()
    let head = LandingChain.read(directory)
    let hasChain = head != nil || !remembered.isEmpty || entries.contains { $0.manifest?.sequence != nil }
    let isChained = head?.isAdopting != true && hasChain
    if isChained {
      newest = head.flatMap { LandingChain.newest(of: $0, in: directory) }
      walk(entries, remembered)
    } else {
      manifests = entries.compactMap(\.manifest)
      for entry in entries { if let error = entry.failure { faults.append(entry.fault(error)) } }
    }
    manifests.sort(by: Manifest.isRead(_:before:))
    try amend(in: directory)
    if let last { manifests.removeAll { ($0.sequence ?? 0) > last && !$0.isOfLandingZone } }
    for manifest in manifests { if let fault = Self.examine(manifest, in: directory) { faults.append(fault) } }
  }

  /// Applies amendments to files, one after the other: each must start from the state that the one before left.
  /// Amendments that cannot be read leave their files damaged.
  private mutating func amend(in directory: String) throws {
    var amendments: [String: [Amendment]] = [:]
    for manifest in manifests where manifest.provider == Amendment.source {
      do {
        for amendment in try Landing.amendments([manifest], in: directory) {
          amendments[amendment.file, default: []].append(amendment)
        }
      } catch let error as LandingError {
        if Self.examine(manifest, in: directory) == nil { faults.append(manifest.fault(error, isOfFile: true)) }
      }
    }
    for (index, manifest) in manifests.enumerated() {
      for amendment in amendments[manifest.path] ?? [] {
        if amendment.was != manifests[index].content {
          let (found, expected) = (amendment.was.sha256, manifests[index].sha256)
          let error = LandingError.damaged(
            file: manifest.path, found: "an amendment of SHA-256 \(found.prefix(16))…",
            expected: "\(expected.prefix(16))…")
          faults.append(manifest.fault(error, isOfFile: true))
        }
        manifests[index] = manifests[index].amended(by: amendment)
      }
    }
  }

  private mutating func walk(_ entries: [ManifestFiles.Entry], _ remembered: [ChainLink]) {
    let all = entries.compactMap(\.manifest)
    let bySequence = Dictionary(grouping: all) { $0.sequence ?? 0 }
    var known = Dictionary(remembered.map { ($0.sequence, $0) }) { one, _ in one }
    if let newest { known[newest.sequence] = newest }
    let end = max(Self.end(after: newest, bySequence), known.keys.max() ?? 0)
    var missing: [(sequence: Int64, link: ChainLink?)] = []
    // What the successor records of the manifest before it, and whether the successor is as it was landed.
    var said: (link: ChainLink?, isTrusted: Bool) = (nil, false)
    var changed: Set<String> = []
    for sequence in stride(from: end, to: 0, by: -1) {
      let candidates = (bySequence[sequence] ?? []).filter { !changed.contains($0.path) }
      let links = [known[sequence], said.isTrusted ? said.link : nil].compactMap { $0 }
      let good = candidates.first { one in links.allSatisfy { $0.sha256 == one.manifestSHA256 } }
      if let good {
        manifests.append(good)
        said = (good.previous, true)
      } else {
        let link = links.first ?? said.link
        missing.append((sequence, link))
        if let link { changed.insert(link.file) }
        said = (all.first { $0.path == link?.file }?.previous, false)
      }
    }
    // This is nearly reading order, so that little is left to sort.
    manifests.reverse()
    name(missing, among: entries)
    newest = manifests.compactMap(\.link).max { $0.sequence < $1.sequence } ?? newest
  }

  /// The last number of the chain: `.chain.json` may be older than the manifests, if a backup was made in between.
  private static func end(after newest: ChainLink?, _ bySequence: [Int64: [Manifest]]) -> Int64 {
    guard var last = newest else { return bySequence.keys.max() ?? 0 }
    while let next = bySequence[last.sequence + 1]?.first(where: { $0.previous?.sha256 == last.sha256 })?.link {
      last = next
    }
    return last.sequence
  }

  /// Reports for each missing manifest what happened to it, and for each one left over that it is not part of the
  /// chain.
  private mutating func name(_ missing: [(sequence: Int64, link: ChainLink?)], among entries: [ManifestFiles.Entry]) {
    let good = Set(manifests.map(\.path))
    var others = Dictionary(entries.filter { !good.contains($0.file) }.map { ($0.file, $0) }) { one, _ in one }
    for (sequence, link) in missing {
      let other = link.flatMap { others.removeValue(forKey: $0.file) }
      let error: LandingError =
        other.map { $0.failure ?? .changedManifest(file: LandingNames.manifest(of: $0.file)) }
        ?? .missingManifest(file: link?.manifestPath, sequence: sequence)
      faults.append(LandingFault(file: link?.file, sequence: sequence, link: link, isOfFile: false, error: error))
    }
    for entry in others.values.sorted(by: { $0.file < $1.file }) {
      faults.append(entry.fault(entry.failure ?? .foreignManifest(file: LandingNames.manifest(of: entry.file))))
    }
  }

  /// Whether the landed file exists with the length in its manifest.
  private static func examine(_ manifest: Manifest, in directory: String) -> LandingFault? {
    if manifest.isLetGo { return nil }
    var status = stat()
    let found: String
    if stat("\(directory)/\(manifest.path)", &status) != 0 {
      found = "no file that can be read"
    } else if Int64(status.st_size) != manifest.bytes {
      found = "\(status.st_size) bytes"
    } else {
      return nil
    }
    return manifest.fault(
      .damaged(file: manifest.path, found: found, expected: "\(manifest.bytes) bytes"), isOfFile: true)
  }
}

extension ManifestFiles.Entry {
  fileprivate func fault(_ error: LandingError) -> LandingFault {
    LandingFault(file: file, sequence: nil, link: nil, isOfFile: false, error: error)
  }
}

extension Manifest {
  fileprivate func fault(_ error: LandingError, isOfFile: Bool = false) -> LandingFault {
    LandingFault(file: path, sequence: sequence, link: link, isOfFile: isOfFile, error: error)
  }
}

extension Landing {
  /// The content of the landing zone, and which parts are missing or not as they were landed; landed files are checked
  /// by length only.
  package func survey(remembered: [ChainLink] = []) throws -> LandingSurvey {
    try LandingSurvey(directory: directory, remembered: remembered, through: last)
  }

  /// Compares the stored bytes of a landed file with its manifest.
  ///
  /// - Returns: what is wrong with them; nil: nothing.
  package func fault(in manifest: Manifest) -> LandingFault? {
    do {
      if !manifest.isLetGo { try LandedFile(manifest, in: directory).verify() }
      return nil
    } catch let error as LandingError {
      return manifest.fault(error, isOfFile: true)
    } catch {
      return manifest.fault(
        .damaged(file: manifest.path, found: "no file that can be read", expected: "\(manifest.bytes) bytes"),
        isOfFile: true)
    }
  }
}
