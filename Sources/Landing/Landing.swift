import Foundation

/// The landing zone: everything that was ever read from outside, as it came, in files that are only added to.
///
/// `<provider>/<stream>/<observed>-<n>.jsonl.zst`, one record a line, and a manifest beside it.
package struct Landing: Sendable {
  /// How old an interrupted pull may be and still be gone on with, in seconds; older records may have changed since.
  static let resumableFor: Int64 = 86_400

  /// The landing zone's folder.
  package let directory: String

  /// The landing zone in that folder; the first writer creates it.
  package init(directory: String) {
    self.directory = directory
  }

  /// The landing zone in that folder; the first writer creates it.
  package init(directory: URL) {
    self.directory = directory.path
  }

  /// Begins a pull, or goes on with one of the same question and window that was interrupted less than a day before.
  ///
  /// What another interrupted pull of the stream left is published first as incomplete, so that its records are not lost; it claims nothing.
  ///
  /// - Throws: `LandingError.busy` when the stream is being written, or what the disk says.
  package func open(_ pull: StreamPull, observedAt: Int64) throws -> LandingWriter {
    let folder = try StreamFolder(path: directory + "/" + LandingNames.folder(of: pull))
    if let interrupted = try Interrupted.find(in: folder) {
      let isFresh = abs(observedAt - interrupted.head.startedAt) < Self.resumableFor
      if isFresh && pull.asksTheSame(as: interrupted.head.pull) {
        return try LandingWriter(pull, observedAt: observedAt, in: folder, goingOnWith: interrupted)
      }
      let writer = try LandingWriter(interrupted.head.pull, observedAt: observedAt, in: folder, goingOnWith: interrupted)
      _ = try writer.finish(complete: false, reason: "the pull was interrupted, and the next one asked for something else")
      return try open(pull, observedAt: observedAt)
    }
    return try LandingWriter(pull, observedAt: observedAt, in: folder)
  }

  /// The manifests of everything that had landed by `asOf`, in the order in which the files are to be read.
  ///
  /// - Throws: `LandingError.unreadableManifest` for the first that cannot be read; `listing` gives the others beside it.
  package func manifests(asOf: Int64? = nil) throws -> [Manifest] {
    let listing = try listing(asOf: asOf)
    if let error = listing.unreadable.first { throw error }
    return listing.manifests
  }

  /// The manifests of everything that had landed by `asOf`, in reading order, and those that cannot be read.
  package func listing(asOf: Int64? = nil) throws -> (manifests: [Manifest], unreadable: [LandingError]) {
    var manifests: [Manifest] = []
    var unreadable: [LandingError] = []
    for provider in try names(in: directory) {
      for stream in try names(in: directory + "/" + provider) {
        let listed = try listing(folder: provider + "/" + stream)
        manifests += listed.manifests
        unreadable += listed.unreadable
      }
    }
    manifests.removeAll { manifest in asOf.map { manifest.observedAt > $0 } ?? false }
    return (manifests.sorted(by: Manifest.isRead(_:before:)), unreadable)
  }

  /// The manifests of one stream that can be read, in reading order.
  package func manifests(provider: String, stream: String) throws -> [Manifest] {
    let folder = LandingNames.folderName(provider) + "/" + LandingNames.folderName(stream)
    return try listing(folder: folder).manifests.sorted(by: Manifest.isRead(_:before:))
  }

  private func listing(folder: String) throws -> (manifests: [Manifest], unreadable: [LandingError]) {
    var listed: (manifests: [Manifest], unreadable: [LandingError]) = ([], [])
    for name in try names(in: directory + "/" + folder) where name.hasSuffix(LandingNames.manifestSuffix) {
      do {
        listed.manifests.append(try manifest(folder + "/" + name))
      } catch let error as LandingError {
        listed.unreadable.append(error)
      }
    }
    return listed
  }

  /// Gives each line of a landed file to `line`, with its number from 1, in the order in which it was written.
  ///
  /// The stored bytes are compared with the manifest's SHA-256 before the first line is given. Memory is bounded by the longest line. Each
  /// line is followed by at least 64 readable bytes (`JSONParser.padding`) and is valid only during the call.
  ///
  /// - Throws: `LandingError.damaged`, or what `line` throws.
  package func read(_ manifest: Manifest, _ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    try LandedFile(manifest, in: directory).read(line)
  }

  private func manifest(_ path: String) throws -> Manifest {
    guard let bytes = FileManager.default.contents(atPath: directory + "/" + path) else {
      throw LandingError.system("read", directory + "/" + path)
    }
    let manifest: Manifest
    do {
      manifest = try JSONDecoder().decode(Manifest.self, from: bytes)
    } catch {
      throw LandingError.unreadableManifest(file: path, reason: "\(bytes.count) bytes that are no manifest")
    }
    guard manifest.version == 1 else { throw LandingError.unreadableManifest(file: path, reason: "version \(manifest.version)") }
    guard manifest.path.dropLast(LandingNames.fileSuffix.count) == path.dropLast(LandingNames.manifestSuffix.count) else {
      throw LandingError.unreadableManifest(file: path, reason: "the manifest of \(manifest.path)")
    }
    return manifest
  }

  /// What a folder holds, hidden names aside, in a fixed order; nothing when it is missing or no folder.
  private func names(in folder: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw LandingError.system("list", folder)
    }
  }
}
