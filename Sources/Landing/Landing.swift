import Foundation

/// The landing zone: everything that was ever read from outside, as it came, in files that are only added to.
///
/// `<provider>/<stream>/<observed>-<n>.jsonl.zst`, one record a line, and a manifest beside it.
package struct Landing: Sendable {
  /// How old an interrupted pull may be and still be gone on with, in seconds; older records may have changed since.
  static let resumableFor: Int64 = 86_400

  /// The landing zone's folder.
  package let directory: String
  /// The first number of the run that lands here; nil: each file is read in its own place.
  var batch: Int64?
  /// Whether the run doubts its clock; false: somebody says that it is right; nil: nothing is said.
  var clockInDoubt: Bool?
  /// Landed files, from the landing zone's own folder, that no claim rests on: a pull takes them as not read.
  package var disregarded: Set<String> = []
  /// The last place of the chain whose records are read; nil: all.
  package var last: Int64?

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
  /// What another interrupted pull of the stream left is published first as incomplete, so that its records are not
  /// lost; it claims nothing.
  ///
  /// - Parameter goesOn: whether the caller can go on with an interrupted pull of the same question; else it begins
  ///   anew.
  ///   Who reads files begins anew: rows that repeat one another in a file each count, so none may land twice there.
  /// - Throws: `LandingError.busy` when the stream is being written, or what the disk says.
  package func open(_ pull: StreamPull, observedAt: Int64, goesOn: Bool = true) throws -> LandingWriter {
    let folder = try StreamFolder(path: directory + "/" + LandingNames.folder(of: pull))
    if let interrupted = try Interrupted.find(in: folder) {
      let isFresh = abs(observedAt - interrupted.head.startedAt) < Self.resumableFor
      if isFresh && pull.asksTheSame(as: interrupted.head.pull) {
        if !goesOn {
          for name in [LandingNames.partialFile, LandingNames.partialJournal] { try folder.remove(name) }
          return try LandingWriter(pull, observedAt: observedAt, in: folder, of: self)
        }
        return try LandingWriter(pull, observedAt: observedAt, in: folder, of: self, goingOnWith: interrupted)
      }
      let writer = try LandingWriter(
        interrupted.head.pull, observedAt: observedAt, in: folder, of: self, goingOnWith: interrupted)
      _ = try writer.finish(
        complete: false, reason: "the pull was interrupted, and the next one asked for something else")
      return try open(pull, observedAt: observedAt, goesOn: goesOn)
    }
    return try LandingWriter(pull, observedAt: observedAt, in: folder, of: self)
  }

  /// The manifests of everything that had landed by `asOf`, in the order in which the files are to be read.
  ///
  /// - Throws: `LandingError.unreadableManifest` for the first that cannot be read; `listing` gives the others beside
  ///   it.
  package func manifests(asOf: Int64? = nil) throws -> [Manifest] {
    let listing = try listing(asOf: asOf)
    if let error = listing.unreadable.first { throw error }
    return listing.manifests
  }

  /// The manifests of everything that had landed by `asOf`, in reading order, and what is wrong with the others.
  ///
  /// What no claim rests on is listed as incomplete, and contains nothing.
  package func listing(asOf: Int64? = nil) throws -> (manifests: [Manifest], unreadable: [LandingError]) {
    let survey = try survey()
    let listed = survey.manifests.filter { manifest in asOf.map { manifest.observedAt <= $0 } ?? true }.map(regarded)
    return (listed, survey.faults.filter { !$0.isOfFile }.map(\.error))
  }

  /// The manifests of one stream that can be read, in reading order.
  package func manifests(provider: String, stream: String) throws -> [Manifest] {
    let folder = LandingNames.folderName(provider) + "/" + LandingNames.folderName(stream)
    let manifests = try ManifestFiles(directory: directory).folder(folder).compactMap(\.manifest)
    return manifests.sorted(by: Manifest.isRead(_:before:)).map(regarded)
  }

  private func regarded(_ manifest: Manifest) -> Manifest {
    guard disregarded.contains(manifest.path) else { return manifest }
    var manifest = manifest
    (manifest.complete, manifest.knownUntil, manifest.pages) = (false, nil, [])
    return manifest
  }

  /// Gives each line of a landed file to `line`, with its number from 1, in the order in which it was written.
  ///
  /// The stored bytes are compared with the manifest's SHA-256 before the first line is given. Memory is bounded by the
  /// longest line. Each line is followed by at least 64 readable bytes (`JSONParser.padding`) and is valid only during
  /// the call.
  ///
  /// - Throws: `LandingError.damaged`, or what `line` throws.
  package func read(_ manifest: Manifest, _ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    if !manifest.isLetGo { try LandedFile(manifest, in: directory).read(line) }
  }
}
