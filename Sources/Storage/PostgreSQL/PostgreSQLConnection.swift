import CLibPQ
import Foundation

/// One connection of libpq: text in, text out, errors with their SQLSTATE.
final class PostgreSQLConnection {
  private let handle: OpaquePointer

  /// Connects, and sets the session options that every statement relies on.
  ///
  /// - Throws: `StorageError.cannotOpen`, without the password.
  init(url: String) throws {
    let place = PostgreSQLPlace(url)
    guard place.isValid else {
      throw StorageError.cannotOpen(
        place: place.description, reason: "no connection URL (is the password percent-encoded?)")
    }
    guard let handle = Self.connect(url) else {
      throw StorageError.cannotOpen(place: place.description, reason: "no memory")
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw StorageError.cannotOpen(place: place.description, reason: PostgreSQLFailure.oneLine(PQerrorMessage(handle)))
    }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    _ = try run(Self.session)
  }

  deinit { PQfinish(handle) }

  /// UTC and ISO dates; no JIT compilation, which costs a short statement more than it gains; cursors planned for all
  /// of their rows; a server that detects that a killed client is gone, so that its lock is released.
  private static let session = """
    set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set standard_conforming_strings = on;
    set client_min_messages = error;
    set cursor_tuple_fraction = 1; set jit = off; set idle_in_transaction_session_timeout = 0;
    set client_connection_check_interval = '2s'
    """

  /// The URL's own options come after our defaults, the encoding after both.
  private static func connect(_ url: String) -> OpaquePointer? {
    let keywords = ["connect_timeout", "fallback_application_name", "dbname", "client_encoding"]
    return withCStrings(keywords) { keywords in
      withCStrings(["10", "crossfoot", url, "UTF8"]) { values in PQconnectdbParams(keywords, values, 1) }
    }
  }

  /// Runs statements without parameters, by the simple query protocol.
  func run(_ sql: String) throws -> PostgreSQLResult {
    try checked(PQexec(handle, sql), sql)
  }

  /// Runs one statement; integers are declared `bigint`, texts and nulls have no declared type.
  ///
  /// - Parameter prefix: text before the statement that is not counted as part of it in errors.
  func run(prefix: String = "", _ sql: String, _ parameters: [SQLValue]) throws -> PostgreSQLResult {
    let types = parameters.map { if case .integer = $0 { PostgreSQLResult.bigint } else { Oid(0) } }
    let result = withCStrings(parameters.map(\.parameterText)) { values in
      PQexecParams(handle, prefix + sql, Int32(parameters.count), types, values, nil, nil, 0)
    }
    return try checked(result, sql, skipping: prefix.unicodeScalars.count)
  }

  /// Sends one load of rows in COPY's text format.
  func copy(_ sql: String, _ rows: UnsafeRawBufferPointer) throws {
    _ = try checked(PQexec(handle, sql), sql)
    let bytes = rows.baseAddress?.assumingMemoryBound(to: CChar.self)
    let isSent = PQputCopyData(handle, bytes, Int32(rows.count)) == 1 && PQputCopyEnd(handle, nil) == 1
    var failure: (any Error)?
    while let result = PQgetResult(handle) {
      do { _ = try checked(result, sql) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    if !isSent { throw PostgreSQLFailure.lost(handle, sql) }
  }

  /// Whether a statement of the open transaction has failed, so that it can only be rolled back.
  var isTransactionBroken: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

  private func checked(_ result: OpaquePointer?, _ sql: String, skipping prefix: Int = 0) throws -> PostgreSQLResult {
    guard let result else { throw PostgreSQLFailure.lost(handle, sql) }
    let owned = PostgreSQLResult(result)
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_COPY_IN: return owned
    // A result that the server did not send because the connection is gone has no error code.
    default:
      throw PQstatus(handle) == CONNECTION_BAD
        ? PostgreSQLFailure.lost(handle, sql) : PostgreSQLFailure.of(result, sql, skipping: prefix)
    }
  }
}

extension SQLValue {
  /// The value in PostgreSQL's text format, nil for null.
  fileprivate var parameterText: String? {
    switch self {
    case .null: nil
    case .integer(let integer): String(integer)
    case .text(let text): text.utf8.contains(0) ? text.filter { $0 != "\0" } : text
    }
  }
}

/// Passes C strings to the body, with a null at the end.
private func withCStrings<R>(_ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
  let owned = strings.map { string in string.flatMap { strdup($0) } }
  defer { for place in owned { free(place) } }
  return (owned.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
}
