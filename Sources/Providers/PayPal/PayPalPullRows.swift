import HTTP
import JSON
import Payments

/// The reporting list: split into windows, halved where PayPal has too many rows, read page by page.
extension PayPalSession {
  /// A window shorter than this many seconds that is not available yet is not split further: the rest comes with the
  /// next pull.
  private static let finest: Int64 = 900
  /// A window has at most 10,000 rows; a list with more pages than this never ends.
  private static let pageLimit = 10_000

  /// Reads every row of the window into the stream.
  func pullRows(_ stream: PayPalStream) async {
    let start = writer(stream).resumeCursor.flatMap { Int64($0) }
    coverage[stream, default: PayPalCoverage()].readUntil = start ?? window.from
    await attempt(stream) { () throws(ProviderFailure) in
      try await walk(window.pieces(from: start), stream)
    }
    if let begins = window.historyBegins {
      let sentence =
        "PayPal keeps three years, from \(Instant.text(begins)) on; what lies before in the range cannot be read any "
        + "more"
      fail(stream, ProviderFailure(kind: .other, sentence: "\(configuration.name) \(stream.rawValue): \(sentence)"))
    }
  }

  private func walk(_ all: [PayPalPiece], _ stream: PayPalStream) async throws(ProviderFailure) {
    var pieces = Array(all.reversed())
    while let piece = pieces.popLast() {
      do {
        try await readPages(piece, stream)
        coverage[stream]?.readUntil = piece.to
      } catch let failure where failure.kind == .tooLarge {
        guard let halves = piece.halves else { throw beyondCutting(failure) }
        pieces.append(contentsOf: halves.reversed())
      } catch let failure where failure.kind == .notServed {
        guard piece.length > Self.finest, let halves = piece.halves else {
          return noteNotServed(stream, from: piece.from, failure)
        }
        pieces.append(contentsOf: halves.reversed())
      }
    }
  }

  /// Data that is not available yet is not a gap as long as PayPal has provided what it promises.
  private func noteNotServed(_ stream: PayPalStream, from: Int64, _ failure: ProviderFailure) {
    guard from < min(order.rangeTo, order.now - configuration.lag) else { return }
    fail(
      stream,
      ProviderFailure(
        kind: .notServed,
        sentence:
          "\(failure.sentence); it is known up to \(Instant.text(max(window.coversFrom, min(from, order.rangeTo))))"))
  }

  private func beyondCutting(_ failure: ProviderFailure) -> ProviderFailure {
    ProviderFailure(
      kind: .other,
      sentence: "\(failure.sentence), and the window is one second long; ask PayPal's support for these rows")
  }

  private func readPages(_ piece: PayPalPiece, _ stream: PayPalStream) async throws(ProviderFailure) {
    var number = 1
    var total = 1
    while number <= total {
      let page = try await page(number, of: piece, stream)
      total = page.totalPages
      guard total <= Self.pageLimit else {
        throw ProviderFailure(
          kind: .other,
          sentence: "\(configuration.name) \(stream.rawValue): the list has \(total) pages and does not end")
      }
      try await take(page, stream)
      try writer(stream).endPage(
        cursor: String(number >= total ? piece.to : piece.from), requestID: page.requestID)
      number += 1
    }
  }

  private func page(_ number: Int, of piece: PayPalPiece, _ stream: PayPalStream) async throws(ProviderFailure)
    -> PayPalPage
  {
    let query = Self.query(piece, stream, configuration.pageSize) + [("page", String(number))]
    let label = "\(configuration.name) \(stream.rawValue)"
    let response = try await api.get(stream.path, query, for: stream)
    do {
      let records = records
      let page = try PayPalPage(response) { records.row($0, stream) }
      // Pages are requested by number; a link to another host shows that this is not PayPal's answer.
      if let next = page.next { _ = try PayPalLink(next, base: configuration.baseURL, label: label) }
      return page
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  /// Lands a page's rows and examines their references.
  private func take(_ page: PayPalPage, _ stream: PayPalStream) async throws(ProviderFailure) {
    account = account ?? page.account
    if let refreshed = page.refreshedAt {
      let oldest = coverage[stream]?.refreshedAt ?? refreshed
      coverage[stream]?.refreshedAt = min(refreshed, oldest)
    }
    let isInFlight = stream == .inFlight
    var rows = page.records.filter { record in !isInFlight || record.traits.map(\.isInFlight) ?? true }
    for traits in rows.compactMap(\.traits) { queue.note(traits) }
    for place in rows.indices {
      guard let traits = rows[place].traits else { continue }
      let about = queue.consider(traits, isInFlight: isInFlight)
      if let about { rows[place].line.add("about", about) }
      if !isInFlight { await mark(&rows[place], traits, about ?? traits.reference) }
    }
    try writer(stream).land(rows)
  }

  /// Marks on a row what only its neighbours show: that money comes back for a sale of ours, or that an adjustment
  /// follows a reversal.
  private func mark(_ row: inout PayPalRecord, _ traits: PayPalTraits, _ subject: String) async {
    guard traits.refersToRecord else { return }
    if traits.isIncoming, PayPalEventCode.comesBack.contains(traits.code), await isSale(subject) {
      row.line.add("refers_to", "sale")
    }
    if traits.code == "T1900", queue.reversed.contains(subject) { row.line.add("follows", "reversal") }
  }

  /// Whether a reference is a sale of ours: its row is here, or PayPal has it as a capture. A payment that we made is
  /// not.
  private func isSale(_ id: String) async -> Bool {
    if let known = queue.isSale(id) ?? sales[id] { return known }
    do {
      _ = try await api.get(
        "\(PayPalStream.captures.path)/\(HTTPRequest.encoded(id))", for: .captures, what: "captures \(id)")
      sales[id] = true
    } catch {
      if error.kind != .missing { fail(.captures, error) }
      sales[id] = false
    }
    return sales[id] ?? false
  }

  /// The rows of one capture from outside the window, so that its flow is complete; PayPal may no longer have them.
  func pullRow(of id: String, near moment: Int64) async throws(ProviderFailure) {
    let piece = PayPalPiece(from: moment - 86_400, to: min(moment + PayPalWindow.longest - 86_400, window.to))
    guard piece.length > 0 else { return }
    do {
      let query = Self.query(piece, .reporting, configuration.pageSize) + [("page", "1"), ("transaction_id", id)]
      let response = try await api.get(PayPalStream.reporting.path, query, for: .reporting, what: "row of \(id)")
      let records = records
      let rows = try PayPalPage(response) { records.row($0, .reporting) }.records.filter { $0.traits?.id == id }
      try writer(.reporting).land(rows)
    } catch {
      let failure = ProviderFailure(error, asking: "\(configuration.name) row of \(id)")
      guard [.missing, .notServed, .other].contains(failure.kind) else { throw failure }
      logger.info("\(failure.sentence); its capture is shown without it")
    }
  }

  /// The query of each page, without the page number.
  ///
  /// Unfiltered, since a filter blanks amounts; a window of a single second ends at its last millisecond, or fractions
  /// would be lost.
  static func query(_ piece: PayPalPiece, _ stream: PayPalStream, _ pageSize: Int) -> [(String, String)] {
    let end = Instant.text(piece.to)
    return [
      ("start_date", Instant.text(piece.from)), ("end_date", piece.length == 0 ? "\(end.dropLast()).999Z" : end),
      ("fields", "transaction_info"), ("balance_affecting_records_only", stream == .inFlight ? "N" : "Y"),
      ("page_size", String(pageSize)),
    ]
  }

  /// Up to where rows are known: the end of the range, the end of reading, or the end of PayPal's own report
  /// (docs/providers/paypal.md section 1, Watermark), whichever comes first.
  func settleKnowledge() {
    for stream in [PayPalStream.reporting, .inFlight] {
      let read = coverage[stream]
      let readUntil = min(read?.readUntil ?? 0, order.rangeTo)
      let known = min(readUntil, read?.refreshedAt ?? (order.now - configuration.lag))
      if writer(stream).fault == nil {
        coverage[stream, default: PayPalCoverage()].knownUntil = max(known, window.coversFrom)
      } else if known > window.coversFrom {
        coverage[stream, default: PayPalCoverage()].knownUntil = known
      }
    }
  }
}
