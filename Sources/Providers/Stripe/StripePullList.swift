import JSON
import Logging

/// A list of Stripe, read from its newest object to its oldest
/// (docs/providers/stripe.md section 1, List shape; section 4, traps 1 to 4).
struct StripeList: Sendable {
  var stream: StripeStream
  var path: String
  /// Filters of every page, except the `created` window.
  var filters: [(String, String)] = []
  /// The `created` window, half-open; nil for lists that have no such filter.
  var created: Range<Int64>?
  /// What is requested, for messages; the stream's name by default.
  var what: String?

  /// The query of each page, without the cursor; `before` narrows the window's end.
  func query(before: Int64? = nil) -> [(String, String)] {
    var query = filters + [("limit", "100")]
    if let created {
      query.append(("created[gte]", String(created.lowerBound)))
      query.append(("created[lt]", String(before ?? created.upperBound)))
    }
    return query
  }
}

/// One walk over a list, with guards against lists that never end or lose rows.
struct StripeWalk {
  let list: StripeList
  let api: StripeAPI
  let make: @Sendable (JSONValue) -> StripeRecord
  let logger: Logger
  private var cursor: String?
  /// An end before the window's, after a second was requested again.
  private var before: Int64?
  private var cursors: Set<String> = []
  private var lastCreated: Int64?
  private var askedAgain: Set<Int64> = []
  private var pages = 0

  /// A walk from a list's newest object, or from the cursor of an interrupted walk.
  init(
    _ list: StripeList, from cursor: String? = nil, api: StripeAPI, logger: Logger,
    make: @escaping @Sendable (JSONValue) -> StripeRecord
  ) {
    self.list = list
    self.api = api
    self.make = make
    self.logger = logger
    self.cursor = cursor
  }

  /// The next page, and the cursor after it; nil at the list's end.
  ///
  /// - Throws: `ProviderFailure` when the list cannot be read to its end.
  mutating func next() async throws(ProviderFailure) -> (page: StripePage, cursor: String?)? {
    while !isAtEnd {
      pages += 1
      guard pages <= api.configuration.pageLimit else {
        throw broken("has more than \(pages - 1) pages and does not end")
      }
      do {
        let page = try await ask()
        if page.records.isEmpty {
          try endOrAskAgain(page)
          continue
        }
        return try take(page)
      } catch let failure where failure.kind == .cursorGone && (cursor != nil) {
        try askFromLastSecond(failure)
      }
    }
    return nil
  }

  private var isAtEnd = false

  private func ask() async throws(ProviderFailure) -> StripePage {
    let query = list.query(before: before) + (cursor.map { [("starting_after", $0)] } ?? [])
    let response = try await api.get(list.path, query, for: list.stream, what: list.what)
    do {
      return try StripePage(response, make)
    } catch {
      throw ProviderFailure(error, asking: "\(api.configuration.name) \(list.what ?? list.stream.rawValue)")
    }
  }

  /// The page's rows inside the window, and where the next page begins.
  private mutating func take(_ page: StripePage) throws(ProviderFailure) -> (page: StripePage, cursor: String?) {
    var page = page
    let last = page.records[page.records.count - 1]
    lastCreated = last.created ?? lastCreated
    if let window = list.created {
      let isBelow = page.records.allSatisfy { ($0.created ?? window.lowerBound) < window.lowerBound }
      page.records.removeAll { record in record.created.map { !window.contains($0) } ?? false }
      if isBelow {
        logger.warning("\(label) gives rows from before its window: its filter is ignored; the walk ends there")
        isAtEnd = true
      }
    }
    guard page.hasMore, !isAtEnd else {
      isAtEnd = true
      return (page, nil)
    }
    guard !last.id.isEmpty else {
      throw broken("ends a page with an object without an id, so that the next cannot be asked for")
    }
    guard cursors.insert(last.id).inserted else { throw broken("comes back to the object \(last.id) as a page's last") }
    cursor = last.id
    return (page, last.id)
  }

  /// An empty page: the rest of the cursor's second may be lost (trap 3), so it is requested by time, once.
  private mutating func endOrAskAgain(_ page: StripePage) throws(ProviderFailure) {
    if cursor != nil, list.created != nil, let second = lastCreated, askedAgain.insert(second).inserted {
      logger.info("\(label) gives an empty page behind a cursor; its last second is asked for again")
      (cursor, before) = (nil, second + 1)
      return
    }
    guard !page.hasMore else { throw broken("says that there is more and gives nothing") }
    if pages > 1 { logger.info("\(label) ends with an empty page") }
    isAtEnd = true
  }

  /// The cursor's object no longer exists: the list continues from that second by time (trap 2).
  private mutating func askFromLastSecond(_ failure: ProviderFailure) throws(ProviderFailure) {
    cursor = nil
    guard let second = lastCreated else {
      // The cursor of an interrupted pull: the list is read from its beginning.
      guard pages == 1 else { throw failure }
      return
    }
    guard list.created != nil, askedAgain.insert(second).inserted else { throw failure }
    logger.info("\(label): a page's cursor is gone; the list goes on by time")
    before = second + 1
  }

  private var label: String { "\(api.configuration.name) \(list.what ?? list.stream.rawValue)" }

  private func broken(_ how: String) -> ProviderFailure {
    ProviderFailure(kind: .other, sentence: "\(label): the list \(how); run again later, or ask Stripe's support")
  }
}
