import HTTP
import JSON
import Landing
import Logging
import Synchronization

/// One pull of one Stripe account: its window, its streams, and what they have landed so far.
final class StripeSession: Sendable {
  let api: StripeAPI
  let order: PullOrder
  let window: StripeWindow
  let records: StripeRecords
  let writers: [StripeStream: StreamWriter]
  let queue: StripeFetchQueue
  let logger: Logger
  /// Measures the time passed since `order.now`, for rows that are created while the pull runs.
  private let began = ContinuousClock.now
  private let isRefusedFlag = Mutex(false)
  /// References of ledger rows that were created while the pull ran: those records may have been read before.
  private let late = Mutex<[StripeName]>([])

  init(_ api: StripeAPI, _ order: PullOrder, _ window: StripeWindow, logger: Logger) {
    self.api = api
    self.order = order
    self.window = window
    self.logger = logger
    let connect = api.configuration.connect
    records = StripeRecords(fields: StripeFields(orderReference: api.configuration.orderReference))
    let name = api.configuration.name
    writers = Dictionary(
      uniqueKeysWithValues: StripeStream.all(connect: connect).map { stream in
        (stream, StreamWriter(stream.rawValue, "\(name) \(stream.rawValue)", order))
      })
    queue = StripeFetchQueue(connect: connect) { stream, id in
      !window.isRepair && order.isKnown(stream.rawValue, id)
    }
  }

  var configuration: StripeConfiguration { api.configuration }

  /// Seconds since the pull began.
  var elapsed: Int64 { (ContinuousClock.now - began).components.seconds }

  /// Whether the credentials were refused: then no further request is made.
  var isRefused: Bool { isRefusedFlag.withLock { $0 } }

  func writer(_ stream: StripeStream) -> StreamWriter {
    // Every requested stream has a writer; a missing one would land nothing.
    writers[stream] ?? StreamWriter(stream.rawValue, "\(configuration.name) \(stream.rawValue)", order)
  }

  /// Records the references of a row created during the pull.
  func noteLate(_ names: [StripeName]) { late.withLock { $0 += names } }

  /// Requests those records again, even if they have just landed.
  func enqueueLate() async {
    let names = late.withLock { $0 }
    for name in names { writers[name.stream]?.forget(name.id) }
    await queue.enqueue(names)
  }

  /// Does a stream's work and records what made it incomplete.
  func attempt(_ stream: StripeStream, _ work: () async throws(ProviderFailure) -> Void) async {
    guard !isRefused else { return }
    do {
      try await work()
    } catch {
      await fail(stream, error)
    }
  }

  /// Marks the stream as incomplete.
  func fail(_ stream: StripeStream, _ failure: ProviderFailure) async {
    if failure.kind == .credentials { isRefusedFlag.withLock { $0 = true } }
    logger.warning("\(failure.sentence)")
    writer(stream).fail(failure)
  }

  /// Opens every stream's file, and examines again what an interrupted pull had landed.
  func open(in landing: Landing, interrupted: [StripeStream: InterruptedPull]) async {
    for stream in StripeStream.all(connect: configuration.connect) {
      let writer = writer(stream)
      writer.open(streamPull(stream), in: landing, observedAt: order.now)
      guard writer.objects > 0, let left = interrupted[stream] else { continue }
      await recall(left, stream, writer)
    }
  }

  private func recall(_ left: InterruptedPull, _ stream: StripeStream, _ writer: StreamWriter) async {
    let parser = JSONParser()
    var recalled: [StripeRecord] = []
    do {
      try left.read { line, _ in
        var record = try parser.parse(line) { records.record($0, stream) }
        record.line = []
        recalled.append(record)
      }
    } catch {
      logger.warning("\(configuration.name) \(stream.rawValue): \(error); what it named is not followed")
    }
    writer.remember(recalled.map(\.id))
    await queue.consider(recalled, stream, isNamed: false)
  }

  private func streamPull(_ stream: StripeStream) -> StreamPull {
    let list = StripeList(stream: stream, path: stream.path, created: window.from..<window.to)
    let query = list.query().map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return StreamPull(
      provider: configuration.name, stream: stream.rawValue,
      request: "GET \(stream.path)?\(query), Stripe-Version \(StripeAPI.version)",
      windowFrom: window.from, windowTo: window.to, coversFrom: window.coversFrom, watermark: window.watermark,
      rangeFrom: order.rangeFrom, rangeTo: order.rangeTo)
  }
}

extension StripeSession {
  /// Reads a list to its end and lands it.
  ///
  /// - Parameter isNamed: the records are fetched because another record refers to them.
  func walk(_ list: StripeList, from cursor: String? = nil, isNamed: Bool = false) async throws(ProviderFailure) {
    let stream = list.stream
    var walk = walker(list, from: cursor)
    while let (page, cursor) = try await walk.next() {
      try await take(page.records, stream, isNamed: isNamed)
      try writer(stream).endPage(cursor: isNamed ? nil : cursor, requestID: page.requestID)
      if isRefused { return }
    }
  }

  /// A walk over a list of one of the streams.
  func walker(_ list: StripeList, from cursor: String? = nil) -> StripeWalk {
    let (records, stream) = (records, list.stream)
    return StripeWalk(list, from: cursor, api: api, logger: logger) { records.record($0, stream) }
  }

  /// Lands records, after completing their sub-lists, and examines their references.
  func take(_ records: [StripeRecord], _ stream: StripeStream, isNamed: Bool) async throws(ProviderFailure) {
    var whole: [StripeRecord] = []
    for record in records { whole.append(await withWholePart(record, stream)) }
    let fresh = try writer(stream).land(whole)
    await queue.consider(fresh, stream, isNamed: isNamed)
  }

  /// The record with all elements of its sub-list, requested under the list's own URL where the embedded ones are not
  /// all.
  private func withWholePart(_ record: StripeRecord, _ stream: StripeStream) async -> StripeRecord {
    guard let url = record.part?.url else { return record }
    var record = record
    let list = StripeList(stream: stream, path: url, what: "\(record.part?.member ?? "parts") of \(record.id)")
    let records = records
    var walk = StripeWalk(list, api: api, logger: logger) { records.element($0) }
    var elements: [StripeRecord] = []
    do {
      while let (page, _) = try await walk.next() { elements.append(contentsOf: page.records) }
    } catch {
      await fail(stream, error)
      return record
    }
    var seen: Set<String> = []
    elements.removeAll { !$0.id.isEmpty && !seen.insert($0.id).inserted }
    record.part?.elements = elements.map(\.line)
    record.names += elements.flatMap(\.names)
    record.dropped += elements.map(\.dropped).reduce(0, +)
    return record
  }

  /// Does work for each item, a few concurrently.
  func inTurns<Item: Sendable>(
    _ items: some Sequence<Item>, atOnce limit: Int = 4, _ work: @escaping @Sendable (Item) async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for item in items {
        if running == limit {
          await group.next()
          running -= 1
        }
        group.addTask { await work(item) }
        running += 1
      }
    }
  }
}
