import HTTP
import Landing
import Logging
import Settings

/// An Afterpay merchant account as the nightly run pulls it: payments and disputes from the API, fees and payouts from
/// the settlement exports.
///
/// The list of payments can be filtered only by the date of the order, and captures and refunds come up to 120 days
/// later: every night reads a rolling window again (docs/providers/afterpay.md section 0).
package struct Afterpay: Provider {
  package let configuration: AfterpayConfiguration
  let api: AfterpayAPI
  let logger: Logger

  /// - Parameter waiting: how to wait between attempts; tests do not wait.
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

  package var readingSettings: [String] {
    [
      "merchant_id \(configuration.merchantID)", "currency \(configuration.currency)",
      "settlement_date_format \(configuration.settlementDateFormat.text)", "time_zone \(configuration.timeZone)",
    ]
  }

  package func makeReader() -> any RecordReader { AfterpayReader(configuration) }

  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    let window = window(order, landing)
    var named = Set(
      (order.open[AfterpayStream.payments.rawValue] ?? []) + (order.open[AfterpayStream.settlements.rawValue] ?? []))
    var outcomes: [StreamOutcome] = []
    if let directory = configuration.settlementDirectory {
      let (outcome, settled) = await pullSettlements(directory, order, since: window.coversFrom, landing)
      outcomes.append(outcome)
      named.formUnion(settled)
    }
    let payments = await pullPayments(window, order, named, landing)
    let disputes = await pullDisputes(window, order, payments, landing)
    return PullOutcome(
      outcomes + [payments.outcome, disputes.outcome], faults: [payments.fault, disputes.fault])
  }
}

/// The outcome of one stream of the API.
struct AfterpayPulled: Sendable {
  var outcome: StreamOutcome
  /// The first fault that made it incomplete.
  var fault: ProviderFailure?
  /// Order ids by their checkout token: a dispute refers to the token.
  var idsByToken: [String: String] = [:]

  /// Publishes what was written.
  init(_ writer: StreamWriter, idsByToken: [String: String] = [:]) {
    outcome = writer.finish()
    fault = writer.fault
    self.idsByToken = idsByToken
  }
}
