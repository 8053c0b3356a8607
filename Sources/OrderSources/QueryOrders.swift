import Foundation
import Landing
import Payments
import Settings
import Storage

/// Orders, and optionally refunds, from queries against the team's own PostgreSQL; access is read-only.
struct QueryOrders: OrderSource {
  let name: String
  let url: Secret
  /// Paths of the files with the queries.
  let query: String
  let refundsQuery: String?
  /// How far before the range the queries read, seconds.
  let lookBack: Int64

  var streams: Set<String> {
    Set([OrderStream.orders.rawValue] + (refundsQuery == nil ? [] : [OrderStream.refunds.rawValue]))
  }

  /// Lands what both queries yield; a database that cannot be reached makes the source incomplete.
  func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) throws -> OrderPullOutcome {
    let span = PullSpan(rangeFrom: rangeFrom, rangeTo: rangeTo, now: now)
    var queries = [try OrderQuery(path: query, stream: .orders, source: name, lookBack: lookBack)]
    if let refundsQuery {
      queries.append(try OrderQuery(path: refundsQuery, stream: .refunds, source: name, lookBack: lookBack))
    }
    let connection = try connect()
    return try queries.map { query in
      switch connection {
      case .success(let database): try query.land(span, from: database, into: landing)
      case .failure(let error): try query.landNothing(span, error.description, into: landing)
      }
    }.reduce(into: OrderPullOutcome()) { $0.add($1) }
  }

  func outage() async -> String? {
    guard case .failure(let error)? = try? connect() else { return nil }
    return error.description
  }

  /// The connection, or why there is none.
  ///
  /// - Throws: `OrderSourceError` when the URL is not PostgreSQL's.
  private func connect() throws -> Result<any Database, StorageError> {
    guard case .postgresql? = try? StoreURL(url.revealed) else {
      throw OrderSourceError(source: name, location: "url", reason: "is no postgresql:// URL")
    }
    do { return .success(try StoreURL(url.revealed).open()) } catch let error as StorageError { return .failure(error) }
  }
}

/// One query with its text.
struct OrderQuery {
  private let source: String
  private let stream: OrderStream
  private let name: String
  private let sql: String
  private let lookBack: Int64

  /// - Throws: `OrderSourceError` when the file cannot be read.
  init(path: String, stream: OrderStream, source: String, lookBack: Int64) throws {
    self.source = source
    self.stream = stream
    self.lookBack = lookBack
    name = path.split(separator: "/").last.map(String.init) ?? path
    do { sql = try String(contentsOfFile: path, encoding: .utf8) } catch {
      throw OrderSourceError(
        source: source, location: path, reason: "the query cannot be read; see that the path is right")
    }
  }

  /// Runs the query in a read-only transaction, and lands its rows.
  ///
  /// - Throws: `OrderSourceError` when the query is wrong or lacks a required column.
  func land(_ span: PullSpan, from database: any Database, into landing: Landing) throws -> OrderPullOutcome {
    let rows = OrderRows(source: source, stream: stream, name: name) {
      try landing.open(pull(span), observedAt: span.now, goesOn: false)
    }
    var failure: String?
    do {
      try read(span, from: database, into: rows)
    } catch let problem as ColumnProblem {
      throw OrderSourceError(source: source, location: name, reason: problem.description)
    } catch let error as StorageError {
      if error.isOfTheQuery { throw OrderSourceError(source: source, location: name, reason: error.description) }
      failure = "\(name): \(error)"
    }
    return try rows.finish(failure: failure)
  }

  /// Records that nothing could be read.
  func landNothing(_ span: PullSpan, _ why: String, into landing: Landing) throws -> OrderPullOutcome {
    let writer = try landing.open(pull(span), observedAt: span.now, goesOn: false)
    var delivery = Delivery(source: source, stream: stream, writer: writer)
    return try delivery.finish(failure: why)
  }

  /// Binds `$1` and `$2`, or only as many of them as the query has.
  private func read(_ span: PullSpan, from database: any Database, into rows: OrderRows) throws {
    var bounds: [SQLValue] = [.text(Instant.text(from(span))), .text(Instant.text(span.rangeTo))]
    while true {
      do {
        return try database.transaction {
          try database.execute("set transaction read only")
          try database.query(sql, bounds, rows.add)
        }
      } catch let error as StorageError where error.isAboutParameters && !bounds.isEmpty {
        bounds.removeLast()
      }
    }
  }

  private func from(_ span: PullSpan) -> Int64 { span.rangeFrom - lookBack }

  private func pull(_ span: PullSpan) -> StreamPull {
    StreamPull(
      provider: source, stream: stream.rawValue, request: name, windowFrom: from(span), windowTo: span.rangeTo,
      coversFrom: from(span), watermark: min(span.rangeTo, span.now), rangeFrom: span.rangeFrom, rangeTo: span.rangeTo)
  }
}

/// The rows of a query on their way into the landing zone, which is opened with the first row.
private final class OrderRows {
  private let source: String
  private let stream: OrderStream
  private let name: String
  private let open: () throws -> LandingWriter
  private var delivery: Delivery?
  private var places: ColumnPlaces?
  private var number = 0

  init(source: String, stream: OrderStream, name: String, open: @escaping () throws -> LandingWriter) {
    self.source = source
    self.stream = stream
    self.name = name
    self.open = open
  }

  func add(_ row: any Row) throws {
    let places = try self.places ?? ColumnPlaces(row.names, of: stream)
    self.places = places
    number += 1
    if delivery == nil { delivery = Delivery(source: source, stream: stream, writer: try open()) }
    let texts = places.positions.map { place in place.flatMap(row.text) ?? "" }
    try delivery?.add(texts, location: "\(name):\(number)", dropped: places.unknown.count)
  }

  func finish(failure: String?) throws -> OrderPullOutcome {
    var delivery = try self.delivery ?? Delivery(source: source, stream: stream, writer: open())
    var outcome = try delivery.finish(failure: failure)
    outcome.unknownColumns = places?.unknown.map { "\(name): \($0)" } ?? []
    return outcome
  }
}

extension StorageError {
  /// PostgreSQL's error code of a failed statement.
  fileprivate var sqlState: String? {
    if case .statementFailed(_, let code, _, _, _) = self { return code }
    return nil
  }

  /// Whether the query may have fewer parameters than were bound (protocol violation, or a parameter of no type).
  fileprivate var isAboutParameters: Bool { ["08P01", "42P18"].contains(sqlState) }

  /// Whether the query is wrong or may not run (syntax, names, permissions, a write), rather than the server being
  /// down.
  fileprivate var isOfTheQuery: Bool {
    ["42", "0A", "25", "08P01"].contains { sqlState?.hasPrefix($0) == true }
  }
}
