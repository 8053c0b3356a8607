import HTTP
import JSON
import Landing
import Logging
import Settings

/// A Cash App client as the nightly run pulls it: the settlement files contain the money, the Network API reports
/// states where it is configured.
///
/// The API's lists can be neither filtered by date nor sorted, so they are read in full or not at all
/// (docs/providers/cashapp.md sections 0 and 4).
package struct CashApp: Provider {
  package let configuration: CashAppConfiguration
  let api: CashAppAPI?
  let waiting: Waiting
  let logger: Logger

  /// - Parameter waiting: how to wait between attempts; tests do not wait.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(
    _ configuration: CashAppConfiguration, waiting: Waiting = .real, logger: Logger = Logger(label: "cash_app")
  ) throws {
    self.configuration = configuration
    self.waiting = waiting
    self.logger = logger
    api = try configuration.access.map {
      try CashAppAPI($0, name: configuration.name, clientID: configuration.clientID, waiting: waiting, logger: logger)
    }
  }

  /// The client of a configured entry.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry, `HTTPError.insecureBaseURL`.
  package init(_ entry: ProviderEntry) throws {
    try self.init(CashAppConfiguration(entry))
  }

  package var name: String { configuration.name }

  package var lag: Int64 { configuration.lag }

  /// Where the lists are not read, a capture becomes known only when it is settled.
  package var learnsCapturesFromSettlement: Bool { configuration.access?.crawl != true }

  /// Captures of a weekend are settled after it, and a file may be generated again later: no row of a file counts as
  /// late by its own date.
  package var streams: [StreamDescription] {
    let access = configuration.access
    let files = CashAppStream.settlement
    let lists = access == nil ? [] : CashAppStream.lists
    return [StreamDescription(files.rawValue, files.subjects(access), isFolder: true, datesRows: false)]
      + lists.map { StreamDescription($0.rawValue, $0.subjects(access), holds: $0.holds, isIndependent: true) }
  }

  package var readingSettings: [String] { ["client_id \(configuration.clientID)"] }

  package func makeReader() -> any RecordReader { CashAppReader(provider: name, clientID: configuration.clientID) }

  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    var outcome = PullOutcome(streams: [await pullFiles(order, into: landing)])
    guard let api else {
      if let files = outcome.streams.first, !files.isComplete, files.objects == 0 { outcome.refusal = await refusal() }
      return outcome
    }
    outcome.streams += await CashAppSession(api, order, logger: logger).run(into: landing)
    return outcome
  }

  private func pullFiles(_ order: PullOrder, into landing: Landing) async -> StreamOutcome {
    let stream = CashAppStream.settlement.rawValue
    do {
      let manifests = try landing.manifests(provider: name, stream: stream)
      let clientID = configuration.clientID
      let rules = CashAppFileRules(
        clientID: clientID, known: FileHistory(manifests, edition: CashAppFileRules.edition).files)
      let files = CashAppFileSource(clientID: clientID, source: try source())
      return await FileStream(provider: name, stream: stream, source: files, rules: rules, logger: logger).pull(
        order, into: landing)
    } catch {
      return StreamOutcome(stream: stream, objects: 0, isComplete: false, reason: "\(name) \(stream): \(error)")
    }
  }

  /// Why the place of the files is unavailable; nil where it is available.
  private func refusal() async -> PullOutcome.Refusal? {
    do {
      _ = try await source().list(known: [])
      return nil
    } catch let error as SFTPError where error.isDenied {
      return .credentials
    } catch {
      return .unreachable
    }
  }

  /// Where the settlement files are delivered.
  func source() throws -> any FileSource {
    switch configuration.settlement {
    case .folder(let path): LocalFiles(directory: path, ignoring: configuration.ignoredFiles)
    case .sftp(let url, let key, let knownHosts):
      try SFTPFiles(
        url: url, key: key, knownHosts: knownHosts, retry: configuration.retry, waiting: waiting, logger: logger)
    }
  }
}
