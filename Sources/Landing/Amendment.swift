import Foundation
import Payments

/// What became of a file of the landing zone after it had landed: a line of the zone's own stream
/// `@landing/amendments`, which lands like every other, and so is a part of the chain.
///
/// The file's manifest stays as it is, and with it the chain.
package struct Amendment: Sendable, Hashable, Codable {
  package enum Reason: String, Sendable, Hashable, Codable {
    /// The bytes were removed.
    case retention
    /// A text was replaced by a stand-in.
    case erasure
  }

  /// The bytes of a file.
  package struct Content: Sendable, Hashable, Codable {
    var bytes: Int64
    package var sha256: String
  }

  /// From the landing zone's own folder.
  package let file: String
  /// What the file was before.
  package let was: Content
  /// nil: it was removed.
  package let now: Content?
  package let why: Reason
  /// RFC 3339.
  package let at: String
  package let who: String
  package let note: String?
  /// What replaced the erased texts: whoever compares what is derived now with what was derived before knows by them
  /// where the two have to differ.
  package let standIns: [String]?

  /// Whether the file's bytes were removed.
  package var isRemoval: Bool { now == nil }

  init(
    _ file: String, was: Content, now: Content?, _ why: Reason, _ by: Signature, standIns: [String]? = nil
  ) {
    (self.file, self.was, self.now, self.why) = (file, was, now, why)
    (at, who, note) = (Instant.text(by.at), by.who, by.note)
    self.standIns = standIns
  }

  private enum CodingKeys: String, CodingKey {
    case file, was, now, why, at, who, note
    case standIns = "stand_ins"
  }

  /// Who amended, when, and what there is to say.
  package struct Signature: Sendable {
    package let at: Int64
    package let who: String
    package let note: String?

    package init(at: Int64, who: String, note: String? = nil) { (self.at, self.who, self.note) = (at, who, note) }
  }

  /// The zone itself, as the source of what it lands; no provider can have this name.
  static let source = "@landing"
  static let stream = "amendments"
  static let folder = LandingNames.folderName(source) + "/" + stream
}

extension Manifest {
  /// Whether the file's bytes were removed: nothing is known of them any more but that they were there.
  package var isLetGo: Bool { amendment.map { $0.now == nil } ?? false }

  /// Whether the file is not any more what landed: removed, or a text of it erased.
  package var isAmended: Bool { amendment != nil }

  /// The bytes of its file.
  var content: Amendment.Content { Amendment.Content(bytes: bytes, sha256: sha256) }

  /// As the file is after an amendment.
  func amended(by amendment: Amendment) -> Manifest {
    var manifest = self
    manifest.amendment = amendment
    (manifest.bytes, manifest.sha256) = (amendment.now?.bytes ?? 0, amendment.now?.sha256 ?? "")
    if amendment.now == nil { manifest.objects = 0 }
    return manifest
  }
}

extension Landing {
  /// What manifests in the order of the chain amend, in that order.
  ///
  /// - Throws: `LandingError` where one cannot be read.
  static func amendments(_ manifests: [Manifest], in directory: String) throws -> [Amendment] {
    var amendments: [Amendment] = []
    for manifest in manifests
    where manifest.provider == Amendment.source && manifest.stream == Amendment.stream && manifest.complete {
      try LandedFile(manifest, in: directory).read { line, _ in
        do { amendments.append(try JSONDecoder().decode(Amendment.self, from: Data(line))) } catch {
          throw LandingError.damaged(file: manifest.path, found: "a line that is no amendment", expected: "one")
        }
      }
    }
    return amendments
  }

  /// What a manifest of the landing zone's own stream amends.
  ///
  /// - Throws: `LandingError` where it cannot be read.
  package func amendments(_ manifest: Manifest) throws -> [Amendment] {
    try Self.amendments([manifest], in: directory)
  }

  /// Lands what is about to become of files, then lets it become of them: killed before it is a part of the chain,
  /// nothing has happened; after that, `settleAmendments` goes on.
  func amend(_ amendments: [Amendment], at now: Int64) throws {
    guard !amendments.isEmpty else { return }
    try discardInterrupted(Amendment.folder)
    let pull = StreamPull(
      provider: Amendment.source, stream: Amendment.stream, request: "", windowFrom: now, windowTo: now,
      coversFrom: now, watermark: now, rangeFrom: now, rangeTo: now)
    let writer = try forRun(clockInDoubt: nil).open(pull, observedAt: now)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for amendment in amendments { try writer.append(line: Array(encoder.encode(amendment))) }
    _ = try writer.finish(complete: true)
    try settleAmendments()
  }

  /// Removes what an interrupted pull left: it is pulled again.
  func discardInterrupted(_ stream: String) throws {
    guard FileManager.default.fileExists(atPath: "\(directory)/\(stream)") else { return }
    let folder = try StreamFolder(path: "\(directory)/\(stream)")
    defer { folder.release() }
    _ = try Interrupted.find(in: folder)
    for name in [LandingNames.partialManifest, LandingNames.partialFile, LandingNames.partialJournal] {
      try folder.remove(name)
    }
  }
}
