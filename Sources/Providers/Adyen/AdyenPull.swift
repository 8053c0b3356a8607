import Foundation
import HTTP
import Landing
import Logging
import Settings

/// An Adyen merchant account as the nightly run pulls it: settlement detail reports contain the money, stored
/// notifications the states in between.
///
/// There is no list of payments to request (docs/providers/adyen.md section 1.1). A settlement batch is read once;
/// batch numbers are consecutive, so a report that is not available yet is simply requested again the next night.
package struct Adyen: Provider {
  package let configuration: AdyenConfiguration
  let api: AdyenReportAPI?
  let waiting: Waiting
  let logger: Logger

  /// - Parameter waiting: how to wait between attempts; tests do not wait.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(_ configuration: AdyenConfiguration, waiting: Waiting = .real, logger: Logger = Logger(label: "adyen"))
    throws
  {
    self.configuration = configuration
    self.waiting = waiting
    self.logger = logger
    api = try AdyenReportAPI(configuration, waiting: waiting, logger: logger)
  }

  /// The account of a configured entry.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry, `HTTPError.insecureBaseURL`.
  package init(_ entry: ProviderEntry) throws {
    try self.init(AdyenConfiguration(entry))
  }

  package var name: String { configuration.name }

  /// Reports and notifications are files, which do not lag.
  package var lag: Int64 { 0 }

  package var learnsCapturesFromSettlement: Bool { configuration.webhooksDirectory == nil }

  package var streams: [StreamDescription] {
    let hasNotifications = configuration.webhooksDirectory != nil
    var streams: [StreamDescription] = []
    if configuration.reports != nil {
      streams.append(
        StreamDescription(
          AdyenStream.settlement.rawValue, AdyenStream.settlement.subjects(hasNotifications: hasNotifications),
          alsoReports: AdyenStream.settlement.alsoReports(hasNotifications: hasNotifications), isFolder: true,
          datesRows: false))
    }
    if configuration.balancePlatformReportsDirectory != nil {
      streams.append(
        StreamDescription(
          AdyenStream.platform.rawValue, AdyenStream.platform.subjects(hasNotifications: hasNotifications),
          alsoReports: AdyenStream.platform.alsoReports(hasNotifications: hasNotifications), isFolder: true,
          datesRows: false)
      )
    }
    if hasNotifications {
      streams.append(
        StreamDescription(
          AdyenStream.notifications.rawValue, AdyenStream.notifications.subjects(hasNotifications: true),
          isFolder: true,
          isIndependent: true))
    }
    return streams
  }

  package var readingSettings: [String] {
    [
      "merchant_account \(configuration.merchantAccount ?? "")", "time_zone \(configuration.timeZone)",
      "order_reference \(configuration.orderReference)", "balance_platform \(configuration.balancePlatform ?? "")",
      "liable_account \(configuration.liableAccount ?? "")",
    ]
  }

  package func makeReader() -> any RecordReader { AdyenReader(configuration, logger: logger) }

  /// Notifications first: they announce the settlement batches.
  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    var outcome = PullOutcome(streams: [])
    var named: [Int64: String] = [:]
    if let folder = configuration.webhooksDirectory {
      let pull = AdyenNotificationPull(
        configuration: configuration, folder: folder, order: order, landing: landing, logger: logger)
      let pulled = pull.run()
      outcome.streams.append(pulled.outcome)
      named = pulled.batches
    }
    if let platform = platformReports { outcome.streams.append(await platform.pull(order, into: landing)) }
    guard let reports = configuration.reports else { return outcome }
    let pull = AdyenReportPull(configuration: configuration, order: order, landing: landing, logger: logger)
    switch (reports, api) {
    case (.folder(let folder), _):
      let source = AdyenReportFolder(
        folder, firstBatch: configuration.firstBatch, ignoring: configuration.ignored(in: folder), logger: logger)
      outcome.streams.append(await pull.run(source).outcome)
    case (.download, let api?):
      let pulled = await pull.run(AdyenReportSeries(api, firstBatch: configuration.firstBatch, named: named))
      outcome.streams.append(pulled.outcome)
      outcome.refusal = pulled.refusal
    case (.download, nil): break
    }
    return outcome
  }
}
