import HTTP
import JSON

/// Fetches the records that listed records refer to: in bulk where a list is cheaper, else by id.
extension StripeSession {
  /// From this many records on, a list may be cheaper than requesting each.
  static let bulkFrom = 25

  /// Follows references until no record refers to one that is missing here.
  func followNames() async {
    while !isRefused, !Task.isCancelled, let (names, questions) = await queue.next() {
      await inTurns(names.sorted { $0.key.rawValue < $1.key.rawValue }) { await self.bring($0.value, $0.key) }
      await inTurns(questions) { await self.answer($0) }
    }
  }

  /// Lands the referenced records of a stream that this pull has not landed yet.
  private func bring(_ names: [StripeName], _ stream: StripeStream) async {
    let writer = writer(stream)
    // A stream that is already incomplete is read again by the next pull.
    guard writer.fault == nil else { return }
    await attempt(stream) { () throws(ProviderFailure) in
      let missing = names.filter { !writer.has($0.id) }
      for group in bulks(missing) { try await bringInBulk(group, stream) }
      var rest = missing.filter { !writer.has($0.id) }[...]
      while !rest.isEmpty, !isRefused, writer.fault == nil {
        try await bringEach(Array(rest.prefix(100)), stream)
        rest = rest.dropFirst(100)
      }
    }
  }

  /// Records created on one day, or at an unknown time, where there are many of them.
  private func bulks(_ names: [StripeName]) -> [(created: Range<Int64>, names: [StripeName])] {
    let day: Int64 = 86_400
    let byDay = Dictionary(grouping: names) { $0.near > 0 ? $0.near / day : 0 }
    return byDay.filter { $0.value.count >= Self.bulkFrom }.sorted { $0.key < $1.key }.map { number, names in
      let unknown = (window.from - StripeHistory.deep)..<max(window.from, window.from - StripeHistory.deep + 1)
      return (number > 0 ? number * day..<(number + 1) * day : unknown, names)
    }
  }

  /// Reads the list of a span of time and lands its referenced rows, as long as that is cheaper than requesting each.
  private func bringInBulk(
    _ group: (created: Range<Int64>, names: [StripeName]), _ stream: StripeStream
  ) async throws(ProviderFailure) {
    var left = Set(group.names.map(\.id))
    var walk = walker(StripeList(stream: stream, path: stream.path, created: group.created))
    var pages = 0
    while !left.isEmpty, pages * 4 < group.names.count, let (page, _) = try await walk.next() {
      pages += 1
      let found = page.records.filter { left.remove($0.id) != nil }
      try await take(found, stream, isNamed: true)
      if !found.isEmpty { try writer(stream).endPage(requestID: page.requestID) }
    }
  }

  /// Requests each record by its id, a few concurrently.
  private func bringEach(_ names: [StripeName], _ stream: StripeStream) async throws(ProviderFailure) {
    await inTurns(names) { name in
      await self.attempt(stream) { () throws(ProviderFailure) in try await self.bringOne(name) }
    }
    guard writer(stream).fault == nil else { return }
    try writer(stream).endPage(requestID: nil)
  }

  /// One record by its id; one that does not exist may belong to a connected account, and is skipped with a log
  /// message.
  private func bringOne(_ name: StripeName) async throws(ProviderFailure) {
    do throws(ProviderFailure) {
      let what = "\(name.stream.rawValue) \(name.id)"
      let response = try await api.get(
        "\(name.stream.path)/\(HTTPRequest.encoded(name.id))", for: name.stream, what: what)
      let page: StripePage
      do {
        page = try StripePage(response) { records.record($0, name.stream) }
      } catch {
        throw ProviderFailure(error, asking: "\(configuration.name) \(what)")
      }
      try await take(page.records, name.stream, isNamed: true)
    } catch let failure where failure.kind == .missing {
      logger.info("\(failure.sentence); another record names it, it may belong to a connected account")
    }
  }
}

/// Lists that complete a flow.
extension StripeSession {
  private func answer(_ question: StripeQuestion) async {
    guard writer(question.stream).fault == nil else { return }
    await attempt(question.stream) { () throws(ProviderFailure) in
      do throws(ProviderFailure) {
        if case .lines(let payout) = question {
          try await pullLines(of: payout)
        } else {
          try await walkAnswer(question)
        }
      } catch let failure where failure.kind == .missing || failure.kind == .notItemised {
        logger.info("\(failure.sentence)")
      }
    }
  }

  /// A server that ignores the filter would return everything: only rows that match are landed, and one page shows it.
  private func walkAnswer(_ question: StripeQuestion) async throws(ProviderFailure) {
    let stream = question.stream
    let list = StripeList(
      stream: stream, path: stream.path, filters: [question.filter], what: "\(stream.rawValue) of \(question.filter.1)")
    var walk = walker(list)
    while let (page, _) = try await walk.next() {
      let fitting = page.records.filter { Self.fits($0, question) }
      try await take(fitting, stream, isNamed: true)
      try writer(stream).endPage(requestID: page.requestID)
      guard fitting.count == page.records.count else { return }
    }
  }

  private static func fits(_ record: StripeRecord, _ question: StripeQuestion) -> Bool {
    switch question {
    case .ledger(let id): record.traits.source == id
    case .refunds(let id), .disputes(let id): record.names.contains { $0.stream == .charges && $0.id == id }
    case .transfers(let group), .charges(let group): record.traits.group == group
    case .lines: true
    }
  }

  /// The rows that an automatic payout pays, without its own; a row that is not known yet joins the ledger.
  private func pullLines(of payout: String) async throws(ProviderFailure) {
    let list = StripeList(
      stream: .payoutLines, path: "/v1/balance_transactions", filters: [("payout", payout)], what: "rows of \(payout)")
    let records = records
    var walk = StripeWalk(list, api: api, logger: logger) { records.record($0, .balanceTransactions) }
    while let (page, _) = try await walk.next() {
      let rows = page.records.filter { $0.traits.source != payout }
      try writer(.payoutLines).land(rows.map { Self.line($0, of: payout) })
      try writer(.payoutLines).endPage(requestID: page.requestID)
      let unseen = rows.filter { window.isRepair || !order.isKnown(StripeStream.balanceTransactions.rawValue, $0.id) }
      try await take(unseen, .balanceTransactions, isNamed: true)
    }
  }

  private static func line(_ row: StripeRecord, of payout: String) -> StripeRecord {
    var line: [UInt8] = .line(("payout", payout))
    line.add(json: Array("\"balance_transaction\":".utf8) + row.line)
    return StripeRecord(
      id: row.id.isEmpty ? "" : "\(payout) \(row.id)", created: row.created, line: line, dropped: row.dropped)
  }
}
