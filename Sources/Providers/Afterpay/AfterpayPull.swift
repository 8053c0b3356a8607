import HTTP
import Landing
import Logging
import Settings

/// An Afterpay merchant account as the night pulls it: payments and disputes from the API, fees and payouts from the
/// settlement exports.
///
/// The list of payments goes by the date of the order only, and captures and refunds come up to 120 days later: every
/// night reads a rolling window again (docs/providers/afterpay.md section 0).
package struct Afterpay: Provider {
  package let configuration: AfterpayConfiguration
  let api: AfterpayAPI
  let logger: Logger

  /// - Parameter waiting: how waits between attempts pass; tests do not wait.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(
    _ configuration: AfterpayConfiguration, waiting: Waiting = .real, logger: Logger = Logger(label: "afterpay")
  ) throws {
    self.configuration = configuration
    self.logger = logger
    api = try AfterpayAPI(configuration, waiting: waiting, logger: logger)
  }

  /// The account of a configured entry.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry, `HTTPError.insecureBaseURL`.
  package init(_ entry: ProviderEntry) throws {
    try self.init(AfterpayConfiguration(entry))
  }

  package var name: String { configuration.name }

  package var lag: Int64 { configuration.lag }

  package var streams: [StreamDescription] {
    var streams = [
      StreamDescription(
        AfterpayStream.payments.rawValue, ["ledger", "payments", "refunds"], holds: .payments, isIndependent: true),
      StreamDescription(AfterpayStream.disputes.rawValue, ["disputes"], isIndependent: true),
    ]
    if configuration.settlementDirectory != nil {
      streams.append(
        StreamDescription(
          AfterpayStream.settlements.rawValue, ["payouts"], holds: .settledPayments, isFolder: true, isIndependent: true
        ))
    }
    return streams
  }

  package func makeReader() -> any RecordReader { AfterpayReader(configuration) }

  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    let window = window(order, landing)
    var wanted = Set(
      (order.open[AfterpayStream.payments.rawValue] ?? []) + (order.open[AfterpayStream.settlements.rawValue] ?? []))
    var outcomes: [StreamOutcome] = []
    if let directory = configuration.settlementDirectory {
      let (outcome, named) = await pullSettlements(directory, order, since: window.coversFrom, landing)
      outcomes.append(outcome)
      wanted.formUnion(named)
    }
    let payments = await pullPayments(window, order, wanted, landing)
    let asked = [payments.outcome, await pullDisputes(window, order, payments, landing)]
    let refusal: PullOutcome.Refusal? =
      asked.contains { $0.fault?.kind == .credentials }
      ? .credentials : asked.allSatisfy { $0.fault?.kind == .unreachable } ? .unreachable : nil
    return PullOutcome(streams: outcomes + asked.map(\.outcome), refusal: refusal)
  }

  /// The window: from the range, or where the last complete pull ended if that is earlier, to now; the look-back before
  /// it claims nothing.
  private func window(_ order: PullOrder, _ landing: Landing) -> AfterpayWindow {
    let mine = ((try? landing.listing().manifests) ?? []).filter {
      $0.provider == name && $0.stream == AfterpayStream.payments.rawValue && $0.complete
    }
    let known = mine.map(\.pull.windowTo).max()
    let coversFrom = min(order.rangeFrom, known ?? order.rangeFrom)
    return AfterpayWindow(
      from: coversFrom - configuration.lookBack, to: order.now, coversFrom: coversFrom,
      watermark: min(order.rangeTo, order.now - configuration.lag))
  }
}

/// The window a pull asks for, Unix seconds, and what it may claim afterwards.
struct AfterpayWindow: Sendable, Equatable {
  var from: Int64
  /// Asked for inclusively.
  var to: Int64
  var coversFrom: Int64
  var watermark: Int64
}

/// How one stream's pull went.
struct AfterpayOutcome: Sendable {
  var stream: AfterpayStream
  var objects = 0
  /// The first thing that kept it from being complete.
  var fault: AfterpayFailure?

  /// As the night reports it.
  var outcome: StreamOutcome {
    StreamOutcome(stream: stream.rawValue, objects: objects, isComplete: fault == nil, reason: fault?.sentence)
  }
}

/// Writes one stream of a pull into the landing zone, each record once.
final class AfterpayLander {
  let stream: AfterpayStream
  private(set) var fault: AfterpayFailure?
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
  func fail(_ failure: AfterpayFailure) {
    if fault == nil { fault = failure }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      fail(AfterpayFailure(error, asking: stream.rawValue))
    }
  }

  /// Publishes the stream; a cancelled one is left as it is.
  func finish() -> AfterpayOutcome {
    if fault?.kind != .cancelled { attempt { _ = try writer?.finish(complete: fault == nil, reason: fault?.sentence) } }
    return AfterpayOutcome(stream: stream, objects: writer?.objects ?? 0, fault: fault)
  }
}
