import Cryptography
import Foundation
import Glibc

/// Writes the records of one pull of one stream, one per line; used by one task at a time.
///
/// Each `endPage` is a durable point: after any interruption, the next `Landing.open` for the same window resumes from
/// there; a power failure may cost the last `pagesPerSync` pages, which are then pulled again. Nothing counts as landed
/// before `finish`; a writer that is released without it leaves an interrupted pull behind.
package final class LandingWriter {
  /// Waiting for the disk takes milliseconds, and a pull has thousands of pages.
  static let pagesPerSync = 16

  package let pull: StreamPull
  /// Where an interrupted pull of the same window stopped: the last cursor of its pages; nil for a fresh start.
  ///
  /// Records of pages without a cursor are fetched again, which does no harm: the newest version of a record wins.
  package let resumeCursor: String?
  /// How many records have been written, including those of an interrupted pull.
  package private(set) var objects = 0
  /// How many records belong to an account that is not configured: they are counted and not written.
  package var otherAccounts = 0

  private let landing: Landing
  private let observedAt: Int64
  private let startedAt: Int64
  private let folder: StreamFolder
  private let file: AppendedFile
  private let journal: AppendedFile
  private let compressor = FrameCompressor()
  private var hash: SHA256
  private var bytes: Int64 = 0
  private var droppedFields = 0
  private var pages: [Manifest.Page] = []
  /// Where the page being written began.
  private var pageStart: (objects: Int, bytes: Int64) = (0, 0)
  /// The error that broke the writer; it then refuses to continue, and the file stays as it was at its last durable
  /// point.
  private var failure: (any Error)?
  private var isFinished = false

  /// A new writer, or one that resumes an interrupted pull.
  init(
    _ pull: StreamPull, observedAt: Int64, in folder: StreamFolder, of landing: Landing,
    goingOnWith interrupted: Interrupted? = nil
  ) throws {
    self.landing = landing
    self.pull = pull
    self.observedAt = observedAt
    self.folder = folder
    let last = interrupted?.points.last
    startedAt = interrupted?.head.startedAt ?? observedAt
    resumeCursor = interrupted?.points.last { $0.page.cursor != nil }?.page.cursor
    hash = interrupted?.hash ?? SHA256()
    file = try AppendedFile(path: folder[LandingNames.partialFile], cutTo: last?.bytes ?? 0)
    journal = try AppendedFile(path: folder[LandingNames.partialJournal], cutTo: interrupted?.journalEnd ?? 0)
    if let interrupted, let last {
      pages = interrupted.points.map(\.page)
      (objects, droppedFields, bytes) = (last.objects, last.droppedFields, last.bytes)
      pageStart = (objects, bytes)
    } else {
      try journal.append(Journal.line(Journal.Head(pull: pull, startedAt: startedAt)))
    }
  }

  /// Writes one record; `dropped` is the number of its fields that were left out.
  ///
  /// - Throws: `LandingError.lineBreak` (the writer continues), or the error of the disk (the writer is then unusable).
  package func append(line: [UInt8], dropped: Int = 0) throws {
    try line.withUnsafeBytes { try append(line: $0, dropped: dropped) }
  }

  /// Writes one record from memory that the caller owns.
  package func append(line: UnsafeRawBufferPointer, dropped: Int = 0) throws {
    guard let start = line.baseAddress, memchr(start, 10, line.count) == nil else {
      throw LandingError.lineBreak(provider: pull.provider, stream: pull.stream)
    }
    try unlessBroken {
      try compressor.compress(line, to: store)
      try withUnsafeBytes(of: UInt8(ascii: "\n")) { try compressor.compress($0, to: store) }
    }
    objects += 1
    droppedFields += dropped
  }

  /// Ends a page; an interrupted pull can resume from here.
  ///
  /// - Parameters:
  ///   - cursor: Where the next page begins, nil when there is none or the source has no cursors.
  ///   - requestID: The source's id of the request.
  package func endPage(cursor: String?, requestID: String?) throws {
    try unlessBroken {
      try compressor.endFrame(to: store)
      let page = Manifest.Page(
        cursor: cursor, requestID: requestID, objects: objects - pageStart.objects, bytes: bytes - pageStart.bytes)
      let point = Journal.Point(
        page: page, objects: objects, droppedFields: droppedFields, bytes: bytes, sha256: hash.finalize().hexadecimal)
      try journal.append(Journal.line(point))
      pages.append(page)
      pageStart = (objects, bytes)
      if pages.count.isMultiple(of: Self.pagesPerSync) {
        try file.synchronise()
        try journal.synchronise()
      }
    }
  }

  /// Publishes the file, then its manifest, and returns it; records after the last page count as a page of their own.
  ///
  /// - Parameters:
  ///   - complete: Whether the source was read in full.
  ///   - reason: Why it was not, in a sentence for people, without secrets.
  ///   - knownUntil: The instant up to which everything is known, where only the records determine it: it replaces the
  ///     pull's watermark, also for an incomplete pull.
  package func finish(complete: Bool, reason: String? = nil, knownUntil: Int64? = nil) throws -> Manifest {
    if objects > pageStart.objects || pages.isEmpty { try endPage(cursor: nil, requestID: nil) }
    var manifest: Manifest?
    try unlessBroken { manifest = try publish(complete: complete, reason: reason, knownUntil: knownUntil) }
    isFinished = true
    release()
    guard let manifest else { preconditionFailure("published without a manifest") }
    return manifest
  }

  private func publish(complete: Bool, reason: String?, knownUntil: Int64?) throws -> Manifest {
    try file.synchronise()
    let stem = freeStem()
    var manifest = Manifest(
      file: stem + LandingNames.fileSuffix, pull: pull, observedAt: observedAt, startedAt: startedAt,
      complete: complete,
      reason: reason, knownUntil: knownUntil, otherAccounts: otherAccounts == 0 ? nil : otherAccounts,
      objects: objects, droppedFields: droppedFields, bytes: bytes, sha256: hash.finalize().hexadecimal, pages: pages)
    (manifest.batch, manifest.clockInDoubt) = (landing.batch, landing.clockInDoubt)
    let chain = try LandingChain(directory: landing.directory)
    defer { chain.release() }
    chain.place(&manifest)
    let content = try manifest.encodeAndHash()
    try folder.remove(LandingNames.partialManifest)
    let manifestFile = try AppendedFile(path: folder[LandingNames.partialManifest], cutTo: 0)
    try manifestFile.append(content)
    try manifestFile.synchronise()
    try journal.append(Journal.line(Journal.Publication(publishing: stem)))
    try journal.synchronise()
    guard let link = manifest.link else { preconditionFailure("a manifest has no place in the chain") }
    try chain.announce(link)
    try folder.rename(LandingNames.partialFile, to: manifest.file)
    try folder.rename(LandingNames.partialManifest, to: stem + LandingNames.manifestSuffix)
    try chain.confirm(link)
    try folder.remove(LandingNames.partialJournal)
    return manifest
  }

  private func freeStem() -> String {
    var number = 1
    while true {
      let stem = LandingNames.stem(observedAt: observedAt, number: number)
      if !folder.has(stem + LandingNames.fileSuffix) && !folder.has(stem + LandingNames.manifestSuffix) { return stem }
      number += 1
    }
  }

  private func store(_ piece: UnsafeRawBufferPointer) throws {
    try file.append(piece)
    hash.update(piece)
    bytes += Int64(piece.count)
  }

  private func unlessBroken(_ body: () throws -> Void) throws {
    precondition(!isFinished, "a landing writer is used after finish")
    if let failure { throw failure }
    do {
      try body()
    } catch {
      failure = error
      release()
      throw error
    }
  }

  /// Lets the next writer of the stream in.
  private func release() {
    file.close()
    journal.close()
    folder.release()
  }
}
