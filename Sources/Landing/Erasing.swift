import Cryptography
import Foundation
import Glibc

/// What an erasure found and changed.
package struct ErasedFiles: Sendable {
  /// Landed files and logs that were changed, relative to the landing zone's folder.
  package fileprivate(set) var files: [String] = []
  package fileprivate(set) var records = 0
  /// Longer words that contain a text: they were left unchanged.
  package fileprivate(set) var longerWords: Set<String> = []
}

extension Landing {
  /// Replaces texts in all landed records, and in the given logs beside them.
  ///
  /// If the program is killed, the zone is unchanged, or `settleAmendments` completes the erasure.
  ///
  /// - Parameter logs: new contents of files beside the landed records, by name.
  /// - Throws: `ErasureError`, `LandingError`.
  package func erase(_ erasures: [TextErasure], logs: [String: [UInt8]], by signature: Amendment.Signature) throws
    -> ErasedFiles
  {
    try settleAmendments()
    try discardPrepared()
    let survey = try survey()
    guard survey.faults.isEmpty else { throw ErasureError.damaged(survey.faults.count) }
    for folder in try ManifestFiles(directory: directory).streamFolders() { try discardInterrupted(folder) }
    var (found, amendments) = (ErasedFiles(), [Amendment]())
    let standIns = erasures.map(\.standIn)
    for manifest in survey.manifests where manifest.provider != Amendment.source && !manifest.isLetGo {
      let stored = FileManager.default.contents(atPath: "\(directory)/\(manifest.manifestPath)") ?? Data()
      if erasures.contains(where: { $0.isIn(Array(stored)) }) {
        throw ErasureError.namedByManifest(manifest.manifestPath)
      }
      let count = try count(erasures, in: manifest, &found.longerWords)
      guard count > 0 else { continue }
      let now = try prepare(manifest, erasures)
      amendments.append(
        Amendment(manifest.path, was: manifest.content, now: now, .erasure, signature, standIns: standIns))
      found.records += count
    }
    for (name, bytes) in logs.sorted(by: { $0.key < $1.key }) {
      let before = Array(FileManager.default.contents(atPath: "\(directory)/\(name)") ?? Data())
      try prepare(name, bytes)
      amendments.append(
        Amendment(name, was: .init(before), now: .init(bytes), .erasure, signature, standIns: standIns))
    }
    try amend(amendments, at: signature.at)
    found.files = amendments.map(\.file)
    return found
  }

  /// How many records of a landed file an erasure changes.
  private func count(_ erasures: [TextErasure], in manifest: Manifest, _ longer: inout Set<String>) throws -> Int {
    var (count, words) = (0, Set<String>())
    try read(manifest) { bytes, _ in
      guard erasures.contains(where: { $0.isIn(bytes) }) else { return }
      let line = Array(bytes)
      let changed = erasures.reduce(line) { $1.erased($0) }
      if changed != line { count += 1 }
      for erasure in erasures where erasure.isIn(changed) { words.formUnion(Self.words(of: changed, with: erasure)) }
    }
    longer.formUnion(words)
    return count
  }

  private static func words(of line: [UInt8], with erasure: TextErasure) -> [String] {
    line.split { $0 == 34 || $0 == 32 }.filter { erasure.isIn(Array($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes the changed file under a temporary name.
  private func prepare(_ manifest: Manifest, _ erasures: [TextErasure]) throws -> Amendment.Content {
    let file = try AppendedFile(path: "\(directory)/\(Self.prepared(manifest.path))", cutTo: 0)
    let compressor = FrameCompressor()
    var (hash, bytes) = (SHA256(), Int64(0))
    let store = { (piece: UnsafeRawBufferPointer) throws in
      try file.append(piece)
      hash.update(piece)
      bytes += Int64(piece.count)
    }
    try read(manifest) { line, number in
      let changed = erasures.reduce(Array(line)) { $1.erased($0) } + [10]
      try changed.withUnsafeBytes { try compressor.compress($0, to: store) }
      // Frames end as the pages of a pull do: a reader holds no more than one frame.
      if number.isMultiple(of: 1000) { try compressor.endFrame(to: store) }
    }
    try compressor.endFrame(to: store)
    try file.synchronise()
    file.close()
    return Amendment.Content(bytes: bytes, sha256: hash.finalize().hexadecimal)
  }

  private func prepare(_ name: String, _ bytes: [UInt8]) throws {
    let file = try AppendedFile(path: "\(directory)/\(Self.prepared(name))", cutTo: 0)
    try file.append(bytes)
    try file.synchronise()
    file.close()
  }
}

extension Amendment.Content {
  init(_ bytes: [UInt8]) { self.init(bytes: Int64(bytes.count), sha256: SHA256.hash(bytes).hexadecimal) }
}
