import Foundation
import Payments

/// What happened to a file of the landing zone after it had landed: a line of the zone's own stream
/// `@landing/amendments`, which lands like any other stream and so is part of the chain.
///
/// The file's manifest stays unchanged, and with it the chain.
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

  /// Relative to the landing zone's folder.
  package let file: String
  /// The content of the file before.
  package let was: Content
  /// nil: it was removed.
  package let now: Content?
  package let why: Reason
  /// RFC 3339.
  package let at: String
  package let who: String
  package let note: String?
  /// What replaced the erased texts: a comparison of results from before and after the erasure uses them to find the
  /// expected differences.
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

  /// Who amended, when, and the reason given.
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
  /// Whether the file's bytes were removed: only the fact that they existed is known.
  package var isLetGo: Bool { amendment.map { $0.now == nil } ?? false }

  /// Whether the file is no longer what landed: removed, or a text of it erased.
  package var isAmended: Bool { amendment != nil }

  /// The bytes of its file.
  var content: Amendment.Content { Amendment.Content(bytes: bytes, sha256: sha256) }

  /// The manifest as it is after an amendment.
  func amended(by amendment: Amendment) -> Manifest {
    var manifest = self
    manifest.amendment = amendment
    (manifest.bytes, manifest.sha256) = (amendment.now?.bytes ?? 0, amendment.now?.sha256 ?? "")
    if amendment.now == nil { manifest.objects = 0 }
    return manifest
  }
}

extension Landing {
  /// The amendments in manifests that are in the order of the chain, in that order.
  ///
  /// - Throws: `LandingError` when one cannot be read.
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

  /// The amendments in a manifest of the landing zone's own stream.
  ///
  /// - Throws: `LandingError` when it cannot be read.
  package func amendments(_ manifest: Manifest) throws -> [Amendment] {
    try Self.amendments([manifest], in: directory)
  }

  /// Lands the planned changes of files, then carries them out: a program killed before they are part of the chain has
  /// changed nothing; after that, `settleAmendments` completes them.
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

  /// Removes what an interrupted pull left: it will be pulled again.
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
