import HTTP
import JSON
import Landing
import Logging

/// One pull: what was read so far, its references, and the outcome of each stream.
actor PayPalSession {
  let api: PayPalAPI
  let order: PullOrder
  let window: PayPalWindow
  let records: PayPalRecords
  let logger: Logger
  /// Whether no pull has stated the balance at the start of the range yet.
  let needsOpeningBalance: Bool
  /// References of incoming rows that were looked up: whether each is a sale of ours.
  var sales: [String: Bool] = [:]
  /// The objects that the rows and objects read so far refer to.
  var queue: PayPalFetchQueue
  var account: String?
  /// How far the rows of each stream are known.
  var coverage: [PayPalStream: PayPalCoverage] = [:]
  private var writers: [PayPalStream: StreamWriter] = [:]
  /// Whether the credentials were refused: then no further request is made.
  private(set) var isRefused = false

  init(_ api: PayPalAPI, _ order: PullOrder, _ window: PayPalWindow, needsOpeningBalance: Bool = false, logger: Logger)
  {
    self.api = api
    self.needsOpeningBalance = needsOpeningBalance
    self.order = order
    self.window = window
    self.logger = logger
    let configuration = api.configuration
    records = PayPalRecords(
      fields: PayPalFields(orderReference: configuration.orderReference), orderReference: configuration.orderReference,
      coversFrom: window.coversFrom)
    queue = PayPalFetchQueue(orderReference: configuration.orderReference)
    account = configuration.account
    for stream in PayPalStream.allCases { writers[stream] = Self.writer(stream, configuration.name, order) }
  }

  nonisolated var configuration: PayPalConfiguration { api.configuration }

  func writer(_ stream: PayPalStream) -> StreamWriter {
    // Every stream has a writer from the beginning; a missing one would land nothing.
    writers[stream] ?? Self.writer(stream, configuration.name, order)
  }

  /// A row is landed again when it has changed: its status and its amounts can.
  private static func writer(_ stream: PayPalStream, _ name: String, _ order: PullOrder) -> StreamWriter {
    StreamWriter(stream.rawValue, "\(name) \(stream.rawValue)", landsChanges: true, order)
  }

  /// Opens every stream's file, and examines again the rows that an interrupted pull had landed.
  func open(in landing: Landing, interrupted: [PayPalStream: InterruptedPull]) {
    for stream in PayPalStream.allCases {
      let writer = writer(stream)
      writer.open(streamPull(stream), in: landing, observedAt: order.now)
      guard stream == .reporting || stream == .inFlight, writer.objects > 0, let left = interrupted[stream] else {
        continue
      }
      recall(left, stream)
    }
  }

  private func recall(_ left: InterruptedPull, _ stream: PayPalStream) {
    let parser = JSONParser()
    do {
      try left.read { line, _ in
        let traits = try parser.parse(line) { records.traits($0) }
        queue.note(traits)
        _ = queue.consider(traits, isInFlight: stream == .inFlight)
      }
    } catch {
      logger.warning("\(configuration.name) \(stream.rawValue): \(error); what its rows name is not followed")
    }
  }

  private func streamPull(_ stream: PayPalStream) -> StreamPull {
    var words = "GET \(stream.path)"
    if stream == .reporting || stream == .inFlight {
      words =
        "GET "
        + HTTPRequest.path(
          stream.path, Self.query(PayPalPiece(from: window.from, to: window.to), stream, configuration.pageSize))
    }
    return StreamPull(
      provider: configuration.name, stream: stream.rawValue, request: words, windowFrom: window.from,
      windowTo: window.to,
      coversFrom: window.coversFrom, watermark: min(order.rangeTo, window.to), rangeFrom: order.rangeFrom,
      rangeTo: order.rangeTo)
  }

  /// The pull itself: rows, disputes, the records they refer to, balances, and the outcome of each stream.
  func run() async -> PullOutcome {
    guard let token = await firstToken() else { return finish() }
    if token.scopes.isEmpty || token.scopes.contains(where: { $0.hasSuffix("/reporting/search/read") }) {
      await pullRows(.reporting)
      await pullRows(.inFlight)
    } else {
      for stream in [PayPalStream.reporting, .inFlight] {
        fail(
          stream,
          .featureOff(
            "\(configuration.name) \(stream.rawValue)", stream, "the token lacks the scope reporting/search/read"))
      }
    }
    await pullDisputes()
    await pullNamed()
    settleKnowledge()
    await pullBalances()
    landAccount()
    return finish()
  }

  /// The token, or nil when PayPal returns none: then no further request is made.
  private func firstToken() async -> PayPalTokens.Token? {
    do {
      return try await api.tokens.current()
    } catch {
      for stream in PayPalStream.allCases { fail(stream, error) }
      return nil
    }
  }

  /// Does a stream's work and records what made it incomplete.
  func attempt(_ stream: PayPalStream, _ work: () async throws(ProviderFailure) -> Void) async {
    guard !isRefused else { return }
    do {
      try await work()
    } catch {
      fail(stream, error)
    }
  }

  /// Marks the stream as incomplete; refused credentials end all other streams too.
  func fail(_ stream: PayPalStream, _ failure: ProviderFailure) {
    logger.warning("\(failure.sentence)")
    writer(stream).fail(failure)
    if failure.kind == .credentials, !isRefused {
      isRefused = true
      for other in PayPalStream.allCases { writer(other).fail(failure) }
    }
  }

  private func landAccount() {
    guard let account, !account.isEmpty else { return }
    _ = try? writer(.account).land([PayPalRecord(key: account, line: .line(("id", account)))])
  }

  private func finish() -> PullOutcome {
    let outcomes = PayPalStream.allCases.map { writer($0).finish(knownUntil: coverage[$0]?.knownUntil) }
    let faults = PayPalStream.allCases.filter { $0 != .account }.map { writer($0).fault }
    return PullOutcome(outcomes, faults: faults)
  }
}

/// Up to where the rows of a stream are known, Unix seconds.
struct PayPalCoverage: Sendable {
  /// The instant up to which they were read without a gap, once that is known.
  var readUntil: Int64?
  /// The time up to which PayPal's report is complete, by the oldest of its pages.
  var refreshedAt: Int64?
  /// The instant up to which everything is known after the pull; nil: what the pull requested.
  var knownUntil: Int64?
}
