import CSQLite

/// The embedded store: one SQLite file in WAL mode, or a database in memory.
final class SQLiteDatabase: Database {
  let engine = Engine.sqlite
  /// The file's path, or `:memory:`.
  let path: String
  private let connection: SQLiteConnection
  var handle: OpaquePointer { connection.handle }
  private var lock: RunLock?
  private var depth = 0

  /// Opens or makes the file.
  ///
  /// - Throws: `StorageError.cannotOpen`.
  init(path: String) throws {
    self.path = path
    connection = try SQLiteConnection(path: path)
    try SQLiteFunctions.register(on: connection.handle)
  }

  func execute(_ sql: String, _ parameters: [SQLValue]) throws -> Int {
    let statement = try SQLiteStatement(sql, on: handle)
    try statement.bind(parameters)
    let before = sqlite3_total_changes64(handle)
    while try statement.step() {}
    return Int(sqlite3_total_changes64(handle) - before)
  }

  func query(_ sql: String, _ parameters: [SQLValue], _ row: (any Row) throws -> Void) throws {
    let statement = try SQLiteStatement(sql, on: handle)
    try statement.bind(parameters)
    let cursor = SQLiteRow(statement)
    while try statement.step() { try row(cursor) }
  }

  func script(_ sql: String) throws {
    var rest = sql[...]
    while let end = try SQLiteStatement.runFirst(of: rest, on: handle) { rest = end }
  }

  func transaction<R>(_ body: () throws -> R) throws -> R {
    _ = try execute(depth == 0 ? "begin immediate" : "savepoint level_\(depth)", [])
    depth += 1
    defer { depth -= 1 }
    do {
      let result = try body()
      _ = try execute(depth == 1 ? "commit" : "release level_\(depth - 1)", [])
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back the innermost transaction; SQLite may have done so already, after a full disk for instance.
  private func rollBack() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    let sql = depth == 1 ? "rollback" : "rollback to level_\(depth - 1); release level_\(depth - 1)"
    sqlite3_exec(handle, sql, nil, nil, nil)
  }

  func bulkLoader(into table: String, columns: [String], replacing keys: [String]) throws -> any BulkLoader {
    guard depth > 0 else { throw StorageError.loaderOutsideTransaction(table: table) }
    return try SQLiteBulkLoader(BulkStatement(table: table, columns: columns, keys: keys), on: handle)
  }

  func bulkLoader(into table: String, columns: [String], ifNew keys: [String]) throws -> (any NewRowLoader)? {
    guard depth > 0 else { throw StorageError.loaderOutsideTransaction(table: table) }
    return try SQLiteBulkLoader(BulkStatement(table: table, columns: columns, keys: keys, keepsFirst: true), on: handle)
  }

  func tryLock(_ name: String) throws -> Bool {
    if path == ":memory:" || lock != nil { return true }
    lock = try RunLock.take(path: path + ".lock")
    return lock != nil
  }

  func unlock(_ name: String) {
    lock = nil
  }
}
