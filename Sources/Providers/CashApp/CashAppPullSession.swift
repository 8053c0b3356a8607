import HTTP
import JSON
import Landing
import Logging

/// One night's requests to the Network API, list after list; a failure in one list does not affect the others.
struct CashAppSession {
  let api: CashAppAPI
  let order: PullOrder
  let logger: Logger
  /// Pages of a list before it counts as endless: a hundred million records.
  static let pageLimit = 1_000_000

  init(_ api: CashAppAPI, _ order: PullOrder, logger: Logger) {
    self.api = api
    self.order = order
    self.logger = logger
  }

  /// Requests every list; stops once the credentials are refused.
  func run(into landing: Landing) async -> [StreamOutcome] {
    var outcomes: [StreamOutcome] = []
    var refused: ProviderFailure?
    for stream in CashAppStream.lists {
      let what = "\(api.name) \(stream.rawValue)"
      let writer = StreamWriter(stream.rawValue, what, order)
      writer.open(pull(stream), in: landing, observedAt: order.now)
      if let refused {
        writer.fail(refused)
      } else if writer.fault == nil {
        do {
          try await read(stream, into: writer)
        } catch {
          writer.fail(ProviderFailure(error, asking: what))
        }
      }
      outcomes.append(writer.finish())
      if let fault = writer.fault, refused == nil {
        logger.warning("\(fault.sentence)")
        if fault.kind == .credentials { refused = fault }
      }
    }
    return outcomes
  }

  /// A list has no window: its current content is requested.
  private func pull(_ stream: CashAppStream) -> StreamPull {
    StreamPull(
      provider: api.name, stream: stream.rawValue, request: "GET \(stream.path)\(isCrawled(stream) ? "" : "/{id}")",
      windowFrom: 0,
      windowTo: order.now, coversFrom: order.rangeFrom, watermark: min(order.rangeTo, order.now),
      rangeFrom: order.rangeFrom,
      rangeTo: order.rangeTo)
  }

  private func isCrawled(_ stream: CashAppStream) -> Bool { api.access.crawl || stream == .disputes }

  private func read(_ stream: CashAppStream, into writer: StreamWriter) async throws {
    if stream == .apiKeys {
      try await read([api.access.keyID], stream, into: writer)
    } else if isCrawled(stream) {
      try await crawl(stream, into: writer)
    } else {
      try await read(order.open[stream.rawValue] ?? [], stream, into: writer)
    }
  }

  /// Records by id, each one request each, a number that Cash App does not limit; one that no longer exists is skipped.
  private func read(_ ids: [String], _ stream: CashAppStream, into writer: StreamWriter) async throws {
    for id in ids {
      do {
        let response = try await api.get("\(stream.path)/\(id)", for: stream, what: "\(stream.rawValue) \(id)")
        try JSONParser().parse(response.body) { root in
          let record = root[stream.single]
          try writer.land([line(record.kind == .object ? record : root, stream)])
        }
        try writer.endPage(requestID: response.requestID)
      } catch let failure as ProviderFailure where failure.kind == .missing {
        logger.notice("\(failure.sentence)")
      }
    }
  }
}

extension CashAppSession {
  /// Reads a list to its end: an empty cursor, or none. If the cursor expires, the list is read once more from its
  /// beginning; a record that comes twice is the newer version.
  private func crawl(_ stream: CashAppStream, into writer: StreamWriter) async throws {
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
  private func page(_ stream: CashAppStream, after cursor: String?, into writer: StreamWriter) async throws -> String? {
    let query = [("limit", "100")] + (cursor.map { [("cursor", $0)] } ?? [])
    let response = try await api.get(stream.path, query, for: stream)
    let next = try JSONParser().parse(response.body) { root -> String? in
      guard let list = root.member(named: stream.rawValue), list.kind == .array else {
        throw broken(
          stream,
          "is not in the answer, whose members are \(root.members.map(\.name).prefix(5).joined(separator: ", "))")
      }
      try writer.land(list.elements.map { line($0, stream) })
      return try root["cursor"].optionalString()
    }
    let end = next.flatMap { $0.isEmpty ? nil : $0 }
    try writer.endPage(cursor: end, requestID: response.requestID)
    return end
  }

  private func line(_ record: JSONValue, _ stream: CashAppStream) -> PulledLine {
    var line = PulledLine(line: [])
    line.dropped = record.writeJSON(into: &line.line, keeping: stream.fields)
    return line
  }

  private func broken(_ stream: CashAppStream, _ how: String) -> ProviderFailure {
    ProviderFailure(
      kind: .other,
      sentence: "\(api.name) \(stream.rawValue): the list \(how); run again later, or ask Cash App's support")
  }
}
