import HTTP
import JSON
import Landing
import Logging
import Settings

/// A Stripe account as the nightly run pulls it: the balance transactions are the backbone, the objects behind them the
/// details.
///
/// Lists are read by a half-open window with a fixed end, each a few hours further back for rows that became visible
/// late; records outside the window that others refer to are fetched too (docs/providers/stripe.md section 1).
package struct Stripe: Provider {
  package let configuration: StripeConfiguration
  let api: StripeAPI
  let waiting: Waiting
  let logger: Logger

  /// - Parameter waiting: how to wait between attempts; tests do not wait.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(_ configuration: StripeConfiguration, waiting: Waiting = .real, logger: Logger = Logger(label: "stripe"))
    throws
  {
    self.configuration = configuration
    self.waiting = waiting
    self.logger = logger
    api = try StripeAPI(configuration, waiting: waiting, logger: logger)
  }

  /// The account of a configured entry.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry, `HTTPError.insecureBaseURL`.
  package init(_ entry: ProviderEntry) throws {
    try self.init(StripeConfiguration(entry))
  }

  package var name: String { configuration.name }

  package var lag: Int64 { configuration.lag }

  package var amountSteps: [String: Int64] { StripeAmount.steps }

  package var streams: [StreamDescription] {
    StripeStream.all(connect: configuration.connect).map {
      StreamDescription($0.rawValue, $0.subjects, holds: $0.holds, settles: $0 == .payoutLines ? .itemisedPayouts : nil)
    }
  }

  package var readingSettings: [String] {
    ["account \(configuration.account ?? "")", "order_reference \(configuration.orderReference)"]
  }

  package func makeReader() -> any RecordReader {
    StripeReader(provider: name, orderReference: configuration.orderReference, account: configuration.account)
  }

  package func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome {
    do {
      let history = StripeHistory(try landing.listing().manifests, provider: name)
      let behind = await probe(history)
      var interrupted: [StripeStream: InterruptedPull] = [:]
      for stream in StripeStream.all(connect: configuration.connect) {
        interrupted[stream] = try landing.interrupted(provider: name, stream: stream.rawValue, observedAt: order.now)
      }
      let window = window(order, history, without: Set(behind.keys), interrupted)
      let session = StripeSession(api, order, window, logger: logger)
      await session.open(in: landing, interrupted: interrupted)
      for (stream, failure) in behind { await session.fail(stream, failure) }
      return await session.run()
    } catch {
      return refused("\(name): \(error)")
    }
  }

  private func refused(_ reason: String) -> PullOutcome {
    PullOutcome(streams: streams.map { StreamOutcome(stream: $0.name, objects: 0, isComplete: false, reason: reason) })
  }

  /// The streams that failed last time and still fail.
  ///
  /// One that works again is repaired: every stream is read again from where it stopped. One that still fails must not
  /// make the window grow.
  private func probe(_ history: StripeHistory) async -> [StripeStream: ProviderFailure] {
    let streams = StripeStream.lists(connect: configuration.connect)
    var failures: [StripeStream: ProviderFailure] = [:]
    for stream in streams where history.isBehind(stream, among: streams) {
      do {
        _ = try await api.get(stream.path, [("limit", "1")], for: stream)
      } catch {
        failures[stream] = error
      }
    }
    return failures
  }

  /// The window, or that of an interrupted pull of the same range, which is then resumed.
  private func window(
    _ order: PullOrder, _ history: StripeHistory, without dead: Set<StripeStream>,
    _ interrupted: [StripeStream: InterruptedPull]
  ) -> StripeWindow {
    let streams = StripeStream.lists(connect: configuration.connect).filter { !dead.contains($0) }
    let left = interrupted.values.map(\.pull).filter {
      $0.rangeFrom == order.rangeFrom && $0.rangeTo == order.rangeTo && $0.windowTo - configuration.lag >= order.rangeTo
        && $0.windowTo <= order.now
    }
    return StripeWindow(
      rangeFrom: order.rangeFrom, rangeTo: order.rangeTo, now: left.map(\.windowTo).max() ?? order.now,
      lag: configuration.lag,
      lookBack: configuration.lookBack, history: history, streams: streams)
  }
}

extension StripeStream {
  /// The kind of its records that can still change.
  var holds: OpenRecord? {
    switch self {
    case .charges: .payments
    case .paymentIntents: .intents
    case .refunds: .refunds
    case .disputes: .disputes
    case .payouts: .payouts
    default: nil
    }
  }
}

extension StripeSession {
  /// The pull itself: account, lists concurrently, the records they refer to, and the outcome of each stream.
  func run() async -> PullOutcome {
    await pullAccount()
    await inTurns(StripeStream.lists(connect: configuration.connect)) { stream in
      await stream == .balanceTransactions ? self.pullLedger() : self.pullList(stream)
    }
    await queue.enqueue(openRecords)
    await enqueueLate()
    await followNames()
    return finish()
  }

  /// The account's id, configured or requested; without it no stream becomes incomplete.
  private func pullAccount() async {
    do {
      var id = configuration.account
      var requestID: String?
      if id == nil {
        let response = try await api.get("/v1/account", for: .account, attempts: 4)
        requestID = response.requestID
        id = try JSONParser().parse(response.body) { try $0["id"].string() }
      }
      try writer(.account).land([
        StripeRecord(id: id ?? "", created: nil, line: .line(("id", id ?? "")), dropped: 0)
      ])
      try writer(.account).endPage(requestID: requestID)
    } catch {
      let failure = ProviderFailure(error, asking: "\(configuration.name) account")
      if failure.kind == .credentials { return await fail(.account, failure) }
      logger.info("\(failure.sentence); set `account` in the configuration to name it")
    }
  }

  private func pullList(_ stream: StripeStream) async {
    guard writer(stream).fault == nil else { return }
    await attempt(stream) { () throws(ProviderFailure) in
      let list = StripeList(stream: stream, path: stream.path, created: window.from..<window.to)
      try await walk(list, from: writer(stream).resumeCursor)
    }
  }

  /// Records that earlier nights left open.
  private var openRecords: [StripeName] {
    order.open.sorted { $0.key < $1.key }.flatMap { name, ids in
      StripeStream(rawValue: name).map { stream in ids.map { StripeName(stream: stream, id: $0, near: 0) } } ?? []
    }
  }

  /// Publishes every stream.
  private func finish() -> PullOutcome {
    var outcomes: [StreamOutcome] = []
    var faults: [ProviderFailure?] = []
    let refusal = writers.values.lazy.compactMap(\.fault).first { $0.kind == .credentials }
    for stream in StripeStream.all(connect: configuration.connect) {
      let writer = writer(stream)
      if let refusal { writer.fail(refusal) }
      if Task.isCancelled {
        writer.fail(ProviderFailure(CancellationError(), asking: "\(configuration.name) \(stream)"))
      }
      if stream != .account && stream != .payoutLines { faults.append(writer.fault) }
      outcomes.append(writer.finish())
    }
    return PullOutcome(outcomes, faults: faults)
  }
}
