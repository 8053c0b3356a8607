import HTTP
import JSON
import Landing
import Logging

/// One pull: what was read so far, what it leads to, and how each stream went.
actor PayPalSession {
  let api: PayPalAPI
  let order: PullOrder
  let window: PayPalWindow
  let records: PayPalRecords
  let logger: Logger
  /// Whether no pull has stated the balance at the range's first instant yet.
  let needsOpeningBalance: Bool
  /// What references of incoming rows lead to: the answer of each that was asked for.
  var sales: [String: Bool] = [:]
  /// Which objects the rows and objects read so far lead to.
  var queue: PayPalFetchQueue
  var account: String?
  /// How far the rows of each stream are known.
  var coverage: [PayPalStream: PayPalCoverage] = [:]
  private var writers: [PayPalStream: StreamWriter] = [:]
  /// Whether the credentials were refused: then nothing else is asked.
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
    // Every stream has one from the beginning; a stray one would land nothing.
    writers[stream] ?? Self.writer(stream, configuration.name, order)
  }

  /// A row is landed again when it has changed: its status and its amounts do.
  private static func writer(_ stream: PayPalStream, _ name: String, _ order: PullOrder) -> StreamWriter {
    StreamWriter(stream.rawValue, "\(name) \(stream.rawValue)", landsChanges: true, order)
  }

  /// Opens every stream's file, and looks again at the rows that an interrupted pull had landed.
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

  /// The pull itself: rows, disputes, what they name, balances, and each stream's word on how it went.
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

  /// The token, or nil when PayPal gives none: then nothing else is asked.
  private func firstToken() async -> PayPalTokens.Token? {
    do {
      return try await api.tokens.current()
    } catch {
      for stream in PayPalStream.allCases { fail(stream, error) }
      return nil
    }
  }

  /// Does a stream's work and notes what kept it from being complete.
  func attempt(_ stream: PayPalStream, _ work: () async throws(ProviderFailure) -> Void) async {
    guard !isRefused else { return }
    do {
      try await work()
    } catch {
      fail(stream, error)
    }
  }

  /// The stream cannot be complete; refused credentials end every other one with it.
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
  /// Up to where they were read without a gap, once that is known.
  var readUntil: Int64?
  /// Up to when PayPal's report was made, by the oldest of its pages.
  var refreshedAt: Int64?
  /// Up to where everything is known after the pull; nil: what the pull asked for.
  var knownUntil: Int64?
}
