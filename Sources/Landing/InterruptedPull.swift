/// A pull that was interrupted, with what a provider must know to resume it.
package struct InterruptedPull: Sendable {
  /// What it asked for.
  package let pull: StreamPull
  /// When its first records were read.
  package let startedAt: Int64
  private let partial: Manifest
  private let directory: String

  init(_ interrupted: Interrupted, last: Journal.Point, in directory: String) {
    pull = interrupted.head.pull
    startedAt = interrupted.head.startedAt
    partial = Manifest(
      file: LandingNames.partialFile, pull: pull, observedAt: startedAt, startedAt: startedAt, complete: false,
      reason: nil,
      objects: last.objects, droppedFields: last.droppedFields, bytes: last.bytes, sha256: last.sha256,
      pages: interrupted.points.map(\.page))
    self.directory = directory
  }

  /// Passes on each line that it had landed, after `Landing.open` resumed it and before anything more is written.
  ///
  /// - Throws: `LandingError.damaged`, or what `line` throws.
  package func read(_ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    try LandedFile(partial, in: directory).read(line)
  }
}

extension Landing {
  /// The interrupted pull of a stream that `open` would resume for the same request; nil when there is none, or it is
  /// too old.
  ///
  /// - Throws: `LandingError.busy` when the stream is being written, or the error of the disk.
  package func interrupted(provider: String, stream: String, observedAt: Int64) throws -> InterruptedPull? {
    let asked = StreamPull(
      provider: provider, stream: stream, request: "", windowFrom: 0, windowTo: 0, coversFrom: 0, watermark: 0,
      rangeFrom: 0,
      rangeTo: 0)
    let folder = try StreamFolder(path: directory + "/" + LandingNames.folder(of: asked))
    defer { folder.release() }
    guard let found = try Interrupted.find(in: folder), let last = found.points.last else { return nil }
    guard abs(observedAt - found.head.startedAt) < Self.resumableFor else { return nil }
    return InterruptedPull(found, last: last, in: directory)
  }
}
