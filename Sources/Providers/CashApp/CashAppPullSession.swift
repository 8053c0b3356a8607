import HTTP
import JSON
import Landing
import Logging

/// One night's questions to the Network API, list after list; what one list cannot give does not disturb the others.
struct CashAppSession {
  let api: CashAppAPI
  let order: PullOrder
  let logger: Logger
  /// Pages of a list before it counts as one that does not end: a hundred million records.
  static let pageLimit = 1_000_000

  init(_ api: CashAppAPI, _ order: PullOrder, logger: Logger) {
    self.api = api
    self.order = order
    self.logger = logger
  }

  /// Asks for every list; once the credentials are refused nothing more is asked.
  func run(into landing: Landing) async -> [StreamOutcome] {
    var outcomes: [StreamOutcome] = []
    var refused: ProviderFailure?
    for stream in CashAppStream.lists {
      let outcome = await run(stream, into: landing, refused: refused)
      if outcome.1?.kind == .credentials { refused = outcome.1 }
      outcomes.append(outcome.0)
    }
    return outcomes
  }

  private func run(_ stream: CashAppStream, into landing: Landing, refused: ProviderFailure?) async -> (
    StreamOutcome, ProviderFailure?
  ) {
    let what = "\(api.name) \(stream.rawValue)"
    var failure = refused
    var objects = 0
    do {
      let writer = try landing.open(pull(stream), observedAt: order.now)
      if failure == nil {
        do {
          try await read(stream, into: writer)
        } catch {
          failure = ProviderFailure(error, asking: what)
        }
      }
      objects = writer.objects
      // A pull that was cancelled is left as it is, so that the next one knows what had come.
      if failure?.kind != .cancelled { _ = try writer.finish(complete: failure == nil, reason: failure?.sentence) }
    } catch {
      failure = failure ?? ProviderFailure(error, asking: what)
    }
    if let failure, refused == nil { logger.warning("\(failure.sentence)") }
    return (
      StreamOutcome(stream: stream.rawValue, objects: objects, isComplete: failure == nil, reason: failure?.sentence),
      failure
    )
  }

  /// A list has no window: it is asked for as it stands now.
  private func pull(_ stream: CashAppStream) -> StreamPull {
    StreamPull(
      provider: api.name, stream: stream.rawValue, request: "GET \(stream.path)\(isCrawled(stream) ? "" : "/{id}")",
      windowFrom: 0,
      windowTo: order.now, coversFrom: order.rangeFrom, watermark: min(order.rangeTo, order.now),
      rangeFrom: order.rangeFrom,
      rangeTo: order.rangeTo)
  }

  private func isCrawled(_ stream: CashAppStream) -> Bool { api.access.crawl || stream == .disputes }

  private func read(_ stream: CashAppStream, into writer: LandingWriter) async throws {
    if stream == .apiKeys {
      try await read([api.access.keyID], stream, into: writer)
    } else if isCrawled(stream) {
      try await crawl(stream, into: writer)
    } else {
      try await read(order.open[stream.rawValue] ?? [], stream, into: writer)
    }
  }

  /// Records by id, of which Cash App takes as many questions as there are; one that is gone is passed over.
  private func read(_ ids: [String], _ stream: CashAppStream, into writer: LandingWriter) async throws {
    for id in ids {
      do {
        let response = try await api.get("\(stream.path)/\(id)", for: stream, what: "\(stream.rawValue) \(id)")
        try JSONParser().parse(response.body) { root in
          let record = root[stream.single]
          try land(record.kind == .object ? record : root, stream, into: writer)
        }
        try writer.endPage(cursor: nil, requestID: response.requestID)
      } catch let failure as ProviderFailure where failure.kind == .missing {
        logger.notice("\(failure.sentence)")
      }
      order.progress(stream.rawValue, writer.objects)
    }
  }
}

extension CashAppSession {
  /// Walks a list to its end: an empty cursor, or none. One whose cursor is gone is walked once more from its
  /// beginning; what comes twice is the newer version.
  private func crawl(_ stream: CashAppStream, into writer: LandingWriter) async throws {
    var cursor: String?
    var seen: Set<String> = []
    var isAgain = false
    for _ in 0..<Self.pageLimit {
      do {
        cursor = try await page(stream, after: cursor, into: writer)
      } catch let failure as ProviderFailure where failure.kind == .cursorGone && cursor != nil && !isAgain {
        logger.info("\(failure.sentence); the list is walked again from its beginning")
        (cursor, isAgain, seen) = (nil, true, [])
        continue
      }
      guard let next = cursor else { return }
      guard seen.insert(next).inserted else { throw broken(stream, "comes back to a page that it had given before") }
    }
    throw broken(stream, "has more than \(Self.pageLimit) pages and does not end")
  }

  /// Lands a page; returns where the next one begins.
  private func page(_ stream: CashAppStream, after cursor: String?, into writer: LandingWriter) async throws -> String?
  {
    let query = [("limit", "100")] + (cursor.map { [("cursor", $0)] } ?? [])
    let response = try await api.get(stream.path, query, for: stream)
    let next = try JSONParser().parse(response.body) { root -> String? in
      guard let list = root.member(named: stream.rawValue), list.kind == .array else {
        throw broken(
          stream,
          "is not in the answer, whose members are \(root.members.map(\.name).prefix(5).joined(separator: ", "))")
      }
      for record in list.elements { try land(record, stream, into: writer) }
      return try root["cursor"].optionalString()
    }
    let end = next.flatMap { $0.isEmpty ? nil : $0 }
    try writer.endPage(cursor: end, requestID: response.requestID)
    order.progress(stream.rawValue, writer.objects)
    return end
  }

  private func land(_ record: JSONValue, _ stream: CashAppStream, into writer: LandingWriter) throws {
    var line: [UInt8] = []
    let dropped = record.writeJSON(into: &line, keeping: stream.fields)
    try writer.append(line: line, dropped: dropped)
  }

  private func broken(_ stream: CashAppStream, _ how: String) -> ProviderFailure {
    ProviderFailure(
      kind: .other,
      sentence: "\(api.name) \(stream.rawValue): the list \(how); run again later, or ask Cash App's support")
  }
}
