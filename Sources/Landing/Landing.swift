import Foundation

/// The landing zone: everything that was ever read from outside, unchanged, in files that are only appended to.
///
/// `<provider>/<stream>/<observed>-<n>.jsonl.zst`, one record a line, and a manifest beside it.
package struct Landing: Sendable {
  /// The age up to which an interrupted pull may be resumed, in seconds; older records may have changed since.
  static let resumableFor: Int64 = 86_400

  /// The landing zone's folder.
  package let directory: String
  /// The first sequence number of the run that lands here; nil: each file is read in its own place.
  var batch: Int64?
  /// Whether the run doubts its clock; false: an operator confirmed that it is right; nil: nothing is stated.
  var clockInDoubt: Bool?
  /// Landed files, relative to the landing zone's folder, that no claim relies on: a pull treats them as not read.
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

  /// Begins a pull, or resumes one of the same request and window that was interrupted less than a day before.
  ///
  /// What another interrupted pull of the stream left is first published as incomplete, so that its records are not
  /// lost; it claims nothing.
  ///
  /// - Parameter goesOn: whether the caller can resume an interrupted pull of the same request; otherwise it starts
  ///   afresh. A caller that reads files starts afresh: identical rows in a file each count, so none may land twice
  ///   there.
  /// - Throws: `LandingError.busy` when the stream is being written, or the error of the disk.
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
  /// - Throws: `LandingError.unreadableManifest` for the first that cannot be read; `listing` returns the others as
  ///   well.
  package func manifests(asOf: Int64? = nil) throws -> [Manifest] {
    let listing = try listing(asOf: asOf)
    if let error = listing.unreadable.first { throw error }
    return listing.manifests
  }

  /// The manifests of everything that had landed by `asOf`, in reading order, and what is wrong with the others.
  ///
  /// Files that no claim relies on are listed as incomplete and without content.
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

  /// Passes each line of a landed file to `line`, with its number from 1, in the order in which it was written.
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
