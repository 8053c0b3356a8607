import Cryptography
import Disk
import Foundation
import Glibc
import JSON

/// The end of the chain that all manifests of a landing zone form, locked by one writer at a time.
///
/// `.chain.json` is written before a manifest gets its final name (`next`) and after it (`newest`): a program killed in
/// between leaves no gap, and a manifest that disappears later is noticed even if it was the last.
final class LandingChain {
  /// The content of `.chain.json`.
  struct Head: Codable {
    var version = 1
    /// The last manifest of the chain; nil in an empty landing zone.
    var newest: ChainLink?
    /// A manifest that is about to get its final name: it counts once it has it.
    var next: ChainLink?
    /// Whether the manifests of a landing zone without a chain are being given their places.
    var isAdopting: Bool?

    private enum CodingKeys: String, CodingKey {
      case version, newest, next
      case isAdopting = "adopting"
    }
  }

  static let fileName = ".chain.json"
  private static let partialName = ".partial.chain.json"

  private let directory: String
  private var descriptor: Int32
  private(set) var head: Head

  /// Locks the end of the chain, waiting for another writer; a landing zone without a chain gets one.
  ///
  /// - Throws: `LandingError`.
  init(directory: String) throws {
    self.directory = directory
    head = Head()
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LandingError.system("open", directory) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw LandingError.system("lock", directory) }
    }
    do { try settle() } catch {
      release()
      throw error
    }
  }

  deinit { release() }

  func release() {
    guard descriptor >= 0 else { return }
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  /// The content of `.chain.json`; nil where there is none that can be read.
  static func read(_ directory: String) -> Head? {
    guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(fileName)") else { return nil }
    guard let head = try? JSONDecoder().decode(Head.self, from: bytes), head.version == 1 else { return nil }
    return head
  }

  /// The last link, whether or not the program that wrote it got to record it as such.
  static func newest(of head: Head, in directory: String) -> ChainLink? {
    if let next = head.next, hash("\(directory)/\(next.manifestPath)") == next.sha256 { return next }
    guard let newest = head.newest, access("\(directory)/\(newest.manifestPath)", F_OK) != 0 else { return head.newest }
    // A manifest that does not have its final name yet has not landed.
    let partial = "\(directory)/\((newest.file as NSString).deletingLastPathComponent)/\(LandingNames.partialManifest)"
    guard hash(partial) == newest.sha256, let bytes = FileManager.default.contents(atPath: partial) else {
      return newest
    }
    return (try? Manifest(Array(bytes), JSONParser()))?.previous
  }

  private static func hash(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { SHA256.hash($0).hexadecimal }
  }

  /// Gives a manifest the next place.
  func place(_ manifest: inout Manifest) {
    manifest.sequence = (head.newest?.sequence ?? 0) + 1
    manifest.previous = head.newest
  }

  /// Records that a manifest is about to get its final name.
  func announce(_ link: ChainLink) throws {
    head.next = link
    try write()
  }

  /// Says that it has it.
  func confirm(_ link: ChainLink) throws {
    head = Head(newest: link)
    try write()
  }

  /// Brings the end up to date: after a crash, after a loss of `.chain.json`, and in a landing zone without a chain.
  private func settle() throws {
    let found = Self.read(directory)
    if let found, found.isAdopting != true {
      head = Head(newest: Self.newest(of: found, in: directory))
      return
    }
    let entries = try ManifestFiles(directory: directory).all().compactMap(\.manifest)
    let last = entries.max { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    if found == nil, let last, last.sequence != nil {
      head = Head(newest: last.link)
      return try write()
    }
    guard !entries.isEmpty else { return }
    try adopt(entries)
  }

  /// Gives every manifest its place, in the reading order that applied before there was a chain.
  private func adopt(_ manifests: [Manifest]) throws {
    head = Head(isAdopting: true)
    try write()
    var newest: ChainLink?
    for var manifest in manifests.sorted(by: Manifest.wasRead(_:before:)) {
      manifest.sequence = (newest?.sequence ?? 0) + 1
      manifest.previous = newest
      let path = "\(directory)/\(LandingNames.manifest(of: manifest.path))"
      let partial = (path as NSString).deletingLastPathComponent + "/" + LandingNames.partialManifest
      try replace(path, through: partial, with: try manifest.encodeAndHash())
      newest = manifest.link
    }
    head = Head(newest: newest)
    try write()
  }

  fileprivate static func encode(_ head: Head) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(head)) + [UInt8(ascii: "\n")]
  }

  private func write() throws {
    try replace(
      "\(directory)/\(Self.fileName)", through: "\(directory)/\(Self.partialName)", with: Self.encode(head))
    guard Disk.synchronise(descriptor) == 0 else { throw LandingError.system("write", directory) }
  }

  private func replace(_ path: String, through partial: String, with bytes: [UInt8]) throws {
    let file = try AppendedFile(path: partial, cutTo: 0)
    try file.append(bytes)
    try file.synchronise()
    file.close()
    guard Disk.rename(partial, to: path) == 0 else { throw LandingError.system("rename", partial) }
  }
}

extension Landing {
  /// The file with the end of the chain, relative to the landing zone's folder.
  package static var chainFile: String { LandingChain.fileName }

  /// The landed file beside a manifest, in the same folder.
  package static func landedFile(ofManifest manifest: String) -> String {
    manifest.dropLast(LandingNames.manifestSuffix.count) + LandingNames.fileSuffix
  }

  /// The content of that file for a landing zone that ends with the given link.
  package static func chainEnd(_ newest: ChainLink) throws -> [UInt8] {
    try LandingChain.encode(LandingChain.Head(newest: newest))
  }

  /// Gives a landing zone without a chain its chain, and completes amendments that have landed; changes nothing if both
  /// are done.
  ///
  /// - Throws: `LandingError`; places that were given are kept, and the next call continues.
  package func adopt() throws {
    guard FileManager.default.fileExists(atPath: directory) else { return }
    try LandingChain(directory: directory).release()
    try settleAmendments()
  }

  /// The same landing zone for one run: what it lands is read as one unit, in the order of the files' names, whichever
  /// stream ended first.
  ///
  /// - Parameter clockInDoubt: whether the run doubts its clock; false: an operator confirmed that it is right.
  package func forRun(clockInDoubt: Bool?) throws -> Landing {
    var landing = self
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let chain = try LandingChain(directory: directory)
    landing.batch = (chain.head.newest?.sequence ?? 0) + 1
    landing.clockInDoubt = clockInDoubt
    chain.release()
    return landing
  }
}
