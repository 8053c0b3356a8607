import Landing
import Synchronization

/// A record of a provider, ready to be landed.
protocol PulledRecord: Sendable {
  /// Identical for every delivery of the same record; empty when it cannot be determined.
  var key: String { get }
  /// How many members of the record are not landed.
  var dropped: Int { get }
  /// One line of JSON, the allow-list applied.
  func landedLine() -> [UInt8]
}

/// A record of a list that returns each record once.
struct PulledLine: PulledRecord {
  var line: [UInt8]
  var dropped = 0

  var key: String { "" }
  func landedLine() -> [UInt8] { line }
}

/// Writes one stream of an API's pull into the landing zone, each record once, and keeps its outcome.
///
/// Several tasks may use it: the lists of one stream can be read concurrently.
final class StreamWriter: Sendable {
  /// The name of the stream's folder in the landing zone.
  let stream: String
  /// Whether a record that comes again with other content is written again.
  private let landsChanges: Bool
  private let progress: @Sendable (String, Int) -> Void
  private let state: Mutex<State>

  /// - Parameter what: what is written, for messages: `stripe_eu charges`.
  init(_ stream: String, _ what: String, landsChanges: Bool = false, _ order: PullOrder) {
    self.stream = stream
    self.landsChanges = landsChanges
    progress = order.progress
    state = Mutex(State(what: what))
  }

  /// Opens the stream's file.
  ///
  /// A stream that cannot be opened (another run holds it, the disk is full) is at fault from the beginning.
  func open(_ pull: StreamPull, in landing: Landing, observedAt: Int64) {
    state.withLock { state in
      do {
        state.writer = try landing.open(pull, observedAt: observedAt)
      } catch {
        state.fail(ProviderFailure(error, asking: state.what))
      }
    }
  }

  /// Where an interrupted pull of the same window stopped; nil for a fresh start.
  var resumeCursor: String? { state.withLock { $0.writer?.resumeCursor } }

  /// How many records are in the file, including those of an interrupted pull.
  var objects: Int { state.withLock { $0.writer?.objects ?? 0 } }

  /// The first fault that made the stream incomplete.
  var fault: ProviderFailure? { state.withLock { $0.fault } }

  /// Records what an interrupted pull had already landed.
  func remember(_ keys: [String]) {
    state.withLock { state in for key in keys { state.written[key] = 0 } }
  }

  /// Allows a record to be written once more, because it has changed since.
  func forget(_ key: String) { state.withLock { $0.written[key] = nil } }

  /// Whether this pull has written the record.
  func has(_ key: String) -> Bool { state.withLock { $0.written[key] != nil } }

  /// Writes the records that this pull has not written yet and returns them.
  ///
  /// - Throws: `ProviderFailure` when the landing zone refuses them.
  @discardableResult
  func land<Record: PulledRecord>(_ records: [Record]) throws(ProviderFailure) -> [Record] {
    let landsChanges = landsChanges
    let fresh = try state.withLock { state throws(ProviderFailure) in
      var fresh: [Record] = []
      for record in records where try state.land(record, again: landsChanges) { fresh.append(record) }
      return fresh
    }
    progress(stream, objects)
    return fresh
  }

  /// Makes what was written durable: an interrupted pull resumes from here.
  func endPage(cursor: String? = nil, requestID: String?) throws(ProviderFailure) {
    try state.withLock { state throws(ProviderFailure) in
      try state.write { try $0.endPage(cursor: cursor, requestID: requestID) }
    }
  }

  /// Marks the stream as incomplete; the first reason is kept, except that refused credentials replace any other.
  func fail(_ failure: ProviderFailure) { state.withLock { $0.fail(failure) } }

  /// Publishes the stream; a cancelled one is left as it is, so that the next pull resumes it.
  ///
  /// - Parameter knownUntil: the instant up to which everything is known; nil: what the pull requested.
  func finish(knownUntil: Int64? = nil) -> StreamOutcome {
    state.withLock { state in
      if state.fault?.kind != .cancelled, let writer = state.writer {
        do {
          let reason = state.fault?.sentence
          _ = try writer.finish(complete: state.fault == nil, reason: reason, knownUntil: knownUntil)
        } catch {
          state.fail(ProviderFailure(error, asking: state.what))
        }
      }
      return StreamOutcome(
        stream: stream, objects: state.writer?.objects ?? 0, isComplete: state.fault == nil,
        reason: state.fault?.sentence)
    }
  }

  private struct State {
    let what: String
    var writer: LandingWriter?
    var fault: ProviderFailure?
    /// By key, the hash of the line written last; 0 where only the key matters.
    var written: [String: Int] = [:]

    init(what: String) { self.what = what }

    /// False for a record that was written before.
    mutating func land(_ record: some PulledRecord, again landsChanges: Bool) throws(ProviderFailure) -> Bool {
      let key = record.key
      if !landsChanges, !key.isEmpty, written[key] != nil { return false }
      let line = record.landedLine()
      if !key.isEmpty {
        let hash = landsChanges ? line.hashValue : 0
        guard written.updateValue(hash, forKey: key) != hash else { return false }
      }
      try write { try $0.append(line: line, dropped: record.dropped) }
      return true
    }

    mutating func write(_ body: (LandingWriter) throws -> Void) throws(ProviderFailure) {
      guard let writer else { throw fault ?? ProviderFailure(kind: .other, sentence: "\(what): nothing is open") }
      do {
        try body(writer)
      } catch {
        let failure = ProviderFailure(error, asking: what)
        fail(failure)
        throw failure
      }
    }

    mutating func fail(_ failure: ProviderFailure) {
      if fault == nil || failure.kind == .credentials { fault = failure }
    }
  }
}

extension PullOutcome {
  /// The outcome of an API's pull.
  ///
  /// - Parameter faults: those of the streams that decide whether the provider could be reached at all.
  init(_ streams: [StreamOutcome], faults: [ProviderFailure?]) {
    let isRefused = faults.contains { $0?.kind == .credentials }
    let isUnreachable = faults.allSatisfy { $0?.kind == .unreachable }
    self.init(streams: streams, refusal: isRefused ? .credentials : isUnreachable ? .unreachable : nil)
  }
}
