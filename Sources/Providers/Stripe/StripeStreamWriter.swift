import JSON
import Landing
import Logging

/// Writes one stream of a pull into the landing zone, each record once, and remembers how it went.
actor StripeStreamWriter {
  let stream: StripeStream
  /// Where an interrupted pull of the same window stopped.
  private(set) var resumeCursor: String?
  /// Whether records of an interrupted pull are in the file already.
  private(set) var isResumed = false
  /// The first thing that kept the stream from being complete.
  private(set) var fault: ProviderFailure?
  private var writer: LandingWriter?
  private var seen: Set<String> = []
  private let progress: @Sendable (String, Int) -> Void

  init(_ stream: StripeStream, progress: @escaping @Sendable (String, Int) -> Void) {
    self.stream = stream
    self.progress = progress
  }

  /// Opens the stream's file.
  ///
  /// A stream that cannot be opened (another run holds it, a full disk) is at fault from its beginning.
  func open(_ pull: StreamPull, in landing: Landing, observedAt: Int64) {
    do {
      let writer = try landing.open(pull, observedAt: observedAt)
      resumeCursor = writer.resumeCursor
      isResumed = writer.objects > 0
      self.writer = writer
    } catch {
      fail(ProviderFailure(error, asking: "\(pull.provider) \(stream.rawValue)"))
    }
  }

  /// Takes note of what an interrupted pull had landed already.
  func remember(_ ids: some Sequence<String>) { seen.formUnion(ids) }

  /// Lets a record be written once more: it has changed since.
  func forget(_ id: String) { seen.remove(id) }

  /// Writes the records that this pull has not written yet and returns those.
  ///
  /// - Throws: `ProviderFailure` when the landing zone refuses them.
  func land(_ records: [StripeRecord]) throws(ProviderFailure) -> [StripeRecord] {
    var fresh: [StripeRecord] = []
    for record in records where record.id.isEmpty || seen.insert(record.id).inserted {
      try write { try $0.append(line: record.landedLine(), dropped: record.dropped) }
      fresh.append(record)
    }
    if let writer { progress(stream.rawValue, writer.objects) }
    return fresh
  }

  /// Makes what was written durable: an interrupted pull goes on from here.
  func endPage(cursor: String?, requestID: String?) throws(ProviderFailure) {
    try write { try $0.endPage(cursor: cursor, requestID: requestID) }
  }

  private func write(_ body: (LandingWriter) throws -> Void) throws(ProviderFailure) {
    guard let writer else {
      throw fault ?? ProviderFailure(kind: .other, sentence: "\(stream.rawValue): nothing is open")
    }
    do {
      try body(writer)
    } catch {
      let failure = ProviderFailure(error, asking: "\(writer.pull.provider) \(stream.rawValue)")
      fail(failure)
      throw failure
    }
  }

  /// Whether this pull has written the record.
  func has(_ id: String) -> Bool { seen.contains(id) }

  /// Those of the ids that this pull has not written.
  func missing(_ names: [StripeName]) -> [StripeName] { names.filter { !seen.contains($0.id) } }

  /// The stream cannot be complete any more; the first reason is kept, but refused credentials say more than anything
  /// else.
  func fail(_ failure: ProviderFailure) {
    if fault == nil || failure.kind == .credentials { fault = failure }
  }

  /// Publishes the stream; a cancelled one is left as it is, so that the next pull goes on with it.
  func finish() -> StreamOutcome {
    if fault?.kind != .cancelled, let writer {
      do {
        _ = try writer.finish(complete: fault == nil, reason: fault?.sentence)
      } catch {
        fail(ProviderFailure(error, asking: "\(writer.pull.provider) \(stream.rawValue)"))
      }
    }
    return StreamOutcome(
      stream: stream.rawValue, objects: writer?.objects ?? 0, isComplete: fault == nil, reason: fault?.sentence)
  }
}
