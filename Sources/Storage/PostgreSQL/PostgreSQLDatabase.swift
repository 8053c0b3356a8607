/// The shared store: one session of PostgreSQL.
final class PostgreSQLDatabase: Database {
  let engine = Engine.postgresql
  let connection: PostgreSQLConnection
  private var depth = 0
  private var cursors = 0
  private var loaders = 0
  private var locks: Set<String> = []
  /// Rows fetched at a time: enough that the round trips do not matter.
  static let batch = 1000

  /// - Throws: `StorageError.cannotOpen`.
  init(url: String) throws {
    connection = try PostgreSQLConnection(url: url)
  }

  /// The server notices a closed connection with a delay, and the next run should not find a lock that nobody holds.
  deinit {
    for name in locks { try? unlock(name) }
  }

  func execute(_ sql: String, _ parameters: [SQLValue]) throws -> Int {
    try counted(sql) { try connection.run(sql, parameters).changes }
  }

  /// Reads through a cursor, not in single-row mode, so that other statements may run between the rows, as on SQLite.
  func query(_ sql: String, _ parameters: [SQLValue], _ row: (any Row) throws -> Void) throws {
    if depth == 0 { return try transaction { try query(sql, parameters, row) } }
    try counted(sql) { try read(sql, parameters, row) }
  }

  /// Reads through a cursor of the open transaction.
  ///
  /// - Parameters:
  ///   - prefix: text before the statement, not counted as part of it in errors; `suffix` follows the statement.
  ///   - batch: rows fetched at a time.
  func read(
    _ sql: String, _ parameters: [SQLValue], prefix: String = "", suffix: String = "",
    batch: Int = PostgreSQLDatabase.batch,
    _ row: (any Row) throws -> Void
  ) throws {
    cursors += 1
    let cursor = "reading_\(cursors)"
    _ = try connection.run(prefix: "declare \(cursor) no scroll cursor for \(prefix)", sql + suffix, parameters)
    var names: [String]?
    while true {
      let rows = try connection.run("fetch \(batch) from \(cursor)", [])
      try handOver(rows, names: &names, row)
      if rows.rows < batch { break }
    }
    _ = try connection.run("close \(cursor)", [])
  }

  private func handOver(_ result: PostgreSQLResult, names: inout [String]?, _ body: (any Row) throws -> Void) throws {
    let row = PostgreSQLRow(result, names: names)
    names = row.names
    for ordinal in 0..<result.rows {
      row.ordinal = Int32(ordinal)
      try body(row)
    }
  }

  func script(_ sql: String) throws {
    try counted(sql) { _ = try connection.run(sql) }
  }

  /// Records what a statement read, if costs are counted.
  func counted<R>(_ sql: String, _ body: () throws -> R) throws -> R {
    guard depth > 0, let costs = StatementCosts.current else { return try body() }
    let before = try rowsRead()
    let result = try body()
    costs.add(sql, try rowsRead() - before)
    return result
  }

  /// The number of table rows that the open transaction has read.
  private func rowsRead() throws -> Int64 {
    let result = try connection.run(
      "select cast(coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) as bigint) from pg_stat_xact_user_tables"
    )
    var rows: Int64 = 0
    var names: [String]?
    try handOver(result, names: &names) { rows = try $0.integer(0) ?? 0 }
    return rows
  }

  func transaction<R>(_ body: () throws -> R) throws -> R {
    _ = try connection.run(depth == 0 ? "begin" : "savepoint level_\(depth)")
    depth += 1
    defer { depth -= 1 }
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      _ = try? connection.run(
        depth == 1 ? "rollback" : "rollback to savepoint level_\(depth - 1); release savepoint level_\(depth - 1)")
      throw error
    }
  }

  /// PostgreSQL answers `commit` with a rollback, and no error, if a statement had failed and the error was caught.
  private func commit() throws {
    if connection.isTransactionBroken {
      throw StorageError.statementFailed(
        engine: .postgresql, code: "25P02", message: "a statement of this transaction has failed", statement: "commit",
        line: nil)
    }
    _ = try connection.run(depth == 1 ? "commit" : "release savepoint level_\(depth - 1)")
  }

  func bulkLoader(into table: String, columns: [String], replacing keys: [String]) throws -> any BulkLoader {
    guard depth > 0 else { throw StorageError.loaderOutsideTransaction(table: table) }
    loaders += 1
    return try PostgreSQLBulkLoader(
      table: table, columns: columns, keys: keys, waiting: "bulk_\(loaders)", on: connection)
  }

  func bulkLoader(into table: String, columns: [String], ifNew keys: [String]) -> (any NewRowLoader)? { nil }

  func tryLock(_ name: String) throws -> Bool {
    if locks.contains(name) { return true }
    let isFree = try integer("select cast(pg_try_advisory_lock(\(Self.lockKey)) as integer)", [.text(name)]) == 1
    if isFree { locks.insert(name) }
    return isFree
  }

  func unlock(_ name: String) throws {
    guard locks.remove(name) != nil else { return }
    try query("select pg_advisory_unlock(\(Self.lockKey))", [.text(name)]) { _ in }
  }

  /// The lock's key includes the schema: stores in two schemas of one database do not wait for each other.
  private static let lockKey = "hashtextextended(coalesce(current_schema(), '') || '/' || $1, 0)"
}
