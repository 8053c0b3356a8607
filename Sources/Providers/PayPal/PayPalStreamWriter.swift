import Landing

/// Writes one stream of a pull into the landing zone, each version of a record once, and remembers how it went; one
/// task at a time uses it.
final class PayPalStreamWriter {
  let stream: PayPalStream
  /// The first thing that kept the stream from being complete.
  private(set) var fault: ProviderFailure?
  /// Up to where it was read without a gap, once that is known.
  var readUntil: Int64?
  /// Up to when PayPal's report was made, by the oldest of its pages.
  var refreshedAt: Int64?
  /// Up to where everything is known after the pull; nil: what the pull asked for.
  var knownUntil: Int64?
  private var writer: LandingWriter?
  /// By key, the hash of the line that was written last.
  private var written: [String: Int] = [:]
  private let progress: @Sendable (String, Int) -> Void

  init(_ stream: PayPalStream, progress: @escaping @Sendable (String, Int) -> Void) {
    self.stream = stream
    self.progress = progress
  }

  /// Opens the stream's file; one that cannot be opened (another run holds it, a full disk) is at fault from its
  /// beginning.
  func open(_ pull: StreamPull, in landing: Landing, observedAt: Int64) {
    do {
      writer = try landing.open(pull, observedAt: observedAt)
    } catch {
      fail(ProviderFailure(error, asking: "\(pull.provider) \(stream.rawValue)"))
    }
  }

  /// Where an interrupted pull of the same window stopped; nil for a fresh start.
  var resumesFrom: Int64? { writer?.resumeCursor.flatMap { Int64($0) } }

  /// Whether records of an interrupted pull are in the file already.
  var isResumed: Bool { (writer?.objects ?? 0) > 0 }

  /// Writes the records that this pull has not written in the same words.
  ///
  /// - Throws: `ProviderFailure` when the landing zone refuses them.
  func land(_ records: [PayPalRecord]) throws(ProviderFailure) {
    for record in records {
      let hash = record.line.hashValue
      guard record.key.isEmpty || written[record.key] != hash else { continue }
      if !record.key.isEmpty { written[record.key] = hash }
      try write { try $0.append(line: record.line, dropped: record.dropped) }
    }
    if let writer { progress(stream.rawValue, writer.objects) }
  }

  /// Makes what was written durable: an interrupted pull goes on from here.
  func endPage(cursor: Int64?, requestID: String?) throws(ProviderFailure) {
    try write { try $0.endPage(cursor: cursor.map(String.init), requestID: requestID) }
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

  /// The stream cannot be complete any more; the first reason is kept, but refused credentials say more than anything
  /// else.
  func fail(_ failure: ProviderFailure) {
    if fault == nil || failure.kind == .credentials { fault = failure }
  }

  /// Publishes the stream; a cancelled one is left as it is, so that the next pull goes on with it.
  func finish() -> StreamOutcome {
    if fault?.kind != .cancelled, let writer {
      do {
        _ = try writer.finish(complete: fault == nil, reason: fault?.sentence, knownUntil: knownUntil)
      } catch {
        fail(ProviderFailure(error, asking: "\(writer.pull.provider) \(stream.rawValue)"))
      }
    }
    return StreamOutcome(
      stream: stream.rawValue, objects: writer?.objects ?? 0, isComplete: fault == nil, reason: fault?.sentence)
  }
}
