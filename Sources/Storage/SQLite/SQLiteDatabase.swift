import CSQLite
import GRDB
import GRDBSQLite

/// The embedded store: one SQLite file in WAL mode, or a database in memory.
///
/// GRDB opens and keeps the connection; statements run on its raw handle, because nothing else uses it and the bulk path must
/// not build values.
final class SQLiteDatabase: Database {
  let engine = Engine.sqlite
  /// The file's path, or `:memory:`.
  let path: String
  /// Owns the connection: it closes when this goes.
  private let queue: DatabaseQueue
  let handle: OpaquePointer
  private var lock: RunLock?
  private var depth = 0

  /// Opens or makes the file.
  ///
  /// - Throws: `StorageError.cannotOpen`.
  init(path: String) throws {
    _ = Self.keepStatementJournals
    do {
      self.path = path
      queue = try DatabaseQueue(path: path, configuration: Self.configuration(path: path))
      handle = try queue.writeWithoutTransaction { connection in
        guard let handle = connection.sqliteConnection else {
          throw StorageError.cannotOpen(place: path, reason: "no connection")
        }
        return handle
      }
    } catch let error as DatabaseError {
      throw StorageError.cannotOpen(place: path, reason: error.message ?? error.resultCode.description)
    }
    Self.silenceHooks(of: handle)
    try SQLiteFunctions.register(on: handle)
  }

  /// A bulk statement of sixteen rows journals every page that it changes. Beyond 64 KiB, its own measure, SQLite writes such journals to a file until
  /// the transaction ends. More than 131,071 bytes it cannot move from memory to a file: it writes no larger piece at once, and calls the disk full.
  private static let keepStatementJournals: Void = { _ = csqlite_keep_statement_journals(131_071) }()

  /// GRDB's observers expect every statement to be one of GRDB's own.
  private static func silenceHooks(of handle: OpaquePointer) {
    _ = sqlite3_commit_hook(handle, nil, nil)
    _ = sqlite3_rollback_hook(handle, nil, nil)
    sqlite3_set_authorizer(handle, nil, nil)
  }

  /// Fast and bounded in memory, and a crash loses at most the last transactions, never the file: WAL, flushed at checkpoints;
  /// sorts spill to disk. Pages of 8 KiB are read and written about a twentieth faster than those of 4 or 16. What is deleted is not
  /// overwritten, as Debian's build would: the store holds neither secrets nor personal data.
  private static func configuration(path: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = "store"
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { connection in
      try connection.execute(sql: "pragma page_size = 8192")
      if path != ":memory:" { _ = try String.fetchOne(connection, sql: "pragma journal_mode = wal") }
      try connection.execute(
        sql: """
          pragma synchronous = normal; pragma temp_store = file; pragma cache_size = -32768; pragma mmap_size = 0;
          pragma secure_delete = off; pragma wal_autocheckpoint = 8000; pragma journal_size_limit = 67108864
          """)
    }
    return configuration
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

  /// Undoes the innermost transaction; SQLite may have undone it already, after a full disk for instance.
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
