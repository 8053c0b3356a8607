import CSQLite

/// One connection through SQLite's own interface, configured for the store and closed with its last reference.
final class SQLiteConnection {
  let handle: OpaquePointer
  private let path: String
  /// How long a statement waits for another connection's transaction.
  private static let busyTimeoutMilliseconds: Int32 = 10_000

  /// Opens the file, or creates it.
  ///
  /// - Parameter path: A file's path, or `:memory:`.
  /// - Throws: `StorageError.cannotOpen`; `damaged` for a file that is no database.
  init(path: String) throws {
    _ = Self.keepStatementJournals
    self.path = path
    handle = try Self.open(path)
    sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds)
    sqlite3_extended_result_codes(handle, 1)
    guard csqlite_refuse_double_quoted_text(handle) == SQLITE_OK else { throw failure() }
    // The file is created by the pragma that follows, `journal_mode`.
    try run("pragma page_size = 8192")
    guard csqlite_reserve_page_sums(handle) == SQLITE_OK else { throw failure() }
    for pragma in Self.pragmas(path: path) { try run("pragma \(pragma)") }
    // SQLite reads a file when the first statement needs it: one that is not a database is reported here.
    try run("select * from sqlite_master limit 1")
  }

  deinit { sqlite3_close_v2(handle) }

  /// A bulk statement of sixteen rows journals every page that it changes. By default SQLite writes such journals
  /// beyond 64 KiB to a file until the transaction ends. More than 131,071 bytes cannot be moved from memory to a file:
  /// SQLite writes no larger piece at once, and reports a full disk.
  private static let keepStatementJournals: Void = { _ = csqlite_keep_statement_journals(131_071) }()

  /// SQLite detects only damage to a page's structure, not a changed digit in a row: each page has a checksum that is
  /// compared when the page is read.
  private static let pageSums: String = {
    precondition(csqlite_register_page_sums() == SQLITE_OK, "SQLite has no file functions")
    return CSQLITE_PAGE_SUMS
  }()

  private static func open(_ path: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    // Only one thread at a time uses a connection, so it needs no lock of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, path == ":memory:" ? nil : pageSums)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw StorageError.cannotOpen(place: path, reason: String(cString: sqlite3_errstr(code)))
    }
    return handle
  }

  /// Fast, with bounded memory, and safe: a crash loses at most the last transactions, never the file. WAL, flushed at
  /// checkpoints; sorts use the disk. Pages of 8 KiB are read and written about a twentieth faster than those of 4 or
  /// 16. Deleted content is not overwritten, as Debian's build would do: the store contains neither secrets nor
  /// personal data.
  private static func pragmas(path: String) -> [String] {
    (path == ":memory:" ? [] : ["journal_mode = wal"]) + [
      "synchronous = normal", "temp_store = file", "cache_size = -32768", "mmap_size = 0", "secure_delete = off",
      "wal_autocheckpoint = 8000", "journal_size_limit = 67108864",
    ]
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func failure() -> StorageError {
    let reason = String(cString: sqlite3_errmsg(handle))
    let code = sqlite3_extended_errcode(handle)
    if code == SQLiteCode.changedPage { return .damaged(place: path, reason: SQLiteCode.changedPageReason) }
    let isDamage = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff)
    return isDamage ? .damaged(place: path, reason: reason) : .cannotOpen(place: path, reason: reason)
  }
}
