import Landing

/// How one stream's pull went.
struct AfterpayOutcome: Sendable {
  var stream: AfterpayStream
  var objects = 0
  /// The first thing that kept it from being complete.
  var fault: ProviderFailure?

  /// As the night reports it.
  var outcome: StreamOutcome {
    StreamOutcome(stream: stream.rawValue, objects: objects, isComplete: fault == nil, reason: fault?.sentence)
  }
}

/// Writes one stream of a pull into the landing zone, each record once.
final class AfterpayStreamWriter {
  let stream: AfterpayStream
  private(set) var fault: ProviderFailure?
  private var writer: LandingWriter?
  private let progress: @Sendable (String, Int) -> Void

  /// Opens the stream's file; a stream that cannot be opened (another run holds it, a full disk) is at fault from its
  /// beginning.
  init(_ stream: AfterpayStream, _ pull: StreamPull, _ order: PullOrder, in landing: Landing) {
    self.stream = stream
    progress = order.progress
    attempt { writer = try landing.open(pull, observedAt: order.now) }
  }

  var isOpen: Bool { writer != nil }

  func land(_ line: [UInt8], dropped: Int = 0) {
    attempt { try writer?.append(line: line, dropped: dropped) }
  }

  func endPage(requestID: String?) {
    attempt { try writer?.endPage(cursor: nil, requestID: requestID) }
    if let writer { progress(stream.rawValue, writer.objects) }
  }

  /// The stream cannot be complete any more; the first reason is kept.
  func fail(_ failure: ProviderFailure) {
    if fault == nil { fault = failure }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      fail(ProviderFailure(error, asking: stream.rawValue))
    }
  }

  /// Publishes the stream; a cancelled one is left as it is.
  func finish() -> AfterpayOutcome {
    if fault?.kind != .cancelled { attempt { _ = try writer?.finish(complete: fault == nil, reason: fault?.sentence) } }
    return AfterpayOutcome(stream: stream, objects: writer?.objects ?? 0, fault: fault)
  }
}
