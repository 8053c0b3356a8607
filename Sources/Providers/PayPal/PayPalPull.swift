import HTTP
import JSON
import Landing
import Logging
import Settings

/// A PayPal account as the nightly run pulls it: the reporting rows are the backbone, the objects behind them add what
/// the rows lack.
///
/// Rows are read by windows with a look-back, objects by the ids in rows, disputes by their last change, balances at
/// the instant up to which the rows are known (docs/providers/paypal.md section 1).
package struct PayPal: Provider {
  package let configuration: PayPalConfiguration
  let api: PayPalAPI
  let waiting: Waiting
  let logger: Logger

  /// - Parameter waiting: how to wait between attempts; tests do not wait.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(_ configuration: PayPalConfiguration, waiting: Waiting = .real, logger: Logger = Logger(label: "paypal"))
    throws
  {
    self.configuration = configuration
    self.waiting = waiting
    self.logger = logger
    api = try PayPalAPI(configuration, waiting: waiting, logger: logger)
  }

  /// The account of a configured entry.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry, `HTTPError.insecureBaseURL`.
  package init(_ entry: ProviderEntry) throws {
    try self.init(PayPalConfiguration(entry))
  }

  package var name: String { configuration.name }

  package var lag: Int64 { configuration.lag }

  package var streams: [StreamDescription] {
    PayPalStream.allCases.map { StreamDescription($0.rawValue, $0.subjects, holds: $0.holds) }
  }

  package var readingSettings: [String] {
    ["account \(configuration.account ?? "")", "order_reference \(configuration.orderReference)"]
  }

  package func makeReader() -> any RecordReader {
    PayPalReader(provider: name, orderReference: configuration.orderReference, account: configuration.account)
  }

  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    do {
      let history = PayPalHistory(try landing.listing().manifests, provider: name)
      var interrupted: [PayPalStream: InterruptedPull] = [:]
      for stream in PayPalStream.allCases {
        interrupted[stream] = try landing.interrupted(provider: name, stream: stream.rawValue, observedAt: order.now)
      }
      // An interrupted pull of the same range is resumed: its window keeps its end.
      let left = interrupted.values.map(\.pull).filter {
        $0.rangeFrom == order.rangeFrom && $0.rangeTo == order.rangeTo && $0.windowTo <= order.now
      }
      let window = PayPalWindow(
        rangeFrom: order.rangeFrom, rangeTo: order.rangeTo, now: left.map(\.windowTo).max() ?? order.now,
        clock: order.now,
        lookBack: configuration.lookBack, history: history)
      let session = PayPalSession(
        api, order, window, needsOpeningBalance: !history.statesBalance(at: order.rangeFrom), logger: logger)
      await session.open(in: landing, interrupted: interrupted)
      return await session.run()
    } catch {
      let reason = "\(name): \(error)"
      return PullOutcome(
        streams: streams.map { StreamOutcome(stream: $0.name, objects: 0, isComplete: false, reason: reason) })
    }
  }
}
