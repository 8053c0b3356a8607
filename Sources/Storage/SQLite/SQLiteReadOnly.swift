import CSQLite

extension SQLiteDatabase {
  func query(_ sql: String, _ parameters: [SQLValue], within limits: ReadLimits, _ row: (any Row) throws -> Void) throws
  {
    try ReadOnlyText.check(sql)
    let statement = try readOnlyStatement(sql)
    try statement.bind(parameters)
    let meter = ReadMeter(limits)
    let guarding = SQLiteReadGuard(on: handle, meter)
    defer { guarding.end() }
    let cursor = SQLiteRow(statement)
    while try guarding.step(statement) {
      try meter.countRow()
      try row(cursor)
    }
  }

  /// The authorizer is called while the statement is prepared; statements that run between its rows may write.
  private func readOnlyStatement(_ sql: String) throws -> SQLiteStatement {
    let refusals = SQLiteRefusals()
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    sqlite3_set_authorizer(handle, SQLiteRefusals.judge, Unmanaged.passUnretained(refusals).toOpaque())
    do {
      return try withExtendedLifetime(refusals) { try SQLiteStatement(sql, on: handle) }
    } catch {
      guard let word = refusals.word else { throw error }
      throw StorageError.notReadOnly(found: word, line: ReadOnlyText.line(ofAny: [word, "with"], in: sql))
    }
  }
}

/// What the authorizer refused in a statement.
private final class SQLiteRefusals {
  /// The first action other than reading, as an SQL keyword.
  private(set) var word: String?

  /// Allows reading tables, functions and recursion; everything else is refused.
  static let judge:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { context, action, _, _, _, _ in
      if [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE].contains(action) { return SQLITE_OK }
      guard let context else { return SQLITE_DENY }
      let refusals = Unmanaged<SQLiteRefusals>.fromOpaque(context).takeUnretainedValue()
      refusals.word = refusals.word ?? SQLiteRefusals.words[action] ?? "something else than reading (action \(action))"
      return SQLITE_DENY
    }

  private static let words: [Int32: String] = [
    SQLITE_INSERT: "insert", SQLITE_UPDATE: "update", SQLITE_DELETE: "delete", SQLITE_PRAGMA: "pragma",
    SQLITE_ATTACH: "attach", SQLITE_DETACH: "detach", SQLITE_TRANSACTION: "begin", SQLITE_SAVEPOINT: "savepoint",
  ]
}

/// Ends a statement that exceeds its limits: time by SQLite's progress handler, memory by its heap limit, values by
/// their length.
private final class SQLiteReadGuard {
  private let handle: OpaquePointer
  private let meter: ReadMeter
  private let length: Int32
  private let heap: Int64
  /// The longest text of a limited statement.
  private static let longest: Int32 = 16 << 20
  /// SQLite calls the progress handler after this many steps of its virtual machine, a fraction of a millisecond.
  private static let steps: Int32 = 20_000

  init(on handle: OpaquePointer, _ meter: ReadMeter) {
    self.handle = handle
    self.meter = meter
    length = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, meter.limits.limitsMemory ? Self.longest : -1)
    let most = sqlite3_memory_used() + meter.limits.mebibytes << 20
    heap = sqlite3_hard_heap_limit64(meter.limits.limitsMemory ? most : -1)
    sqlite3_progress_handler(
      handle, Self.steps,
      { context in
        guard let context else { return 0 }
        return Unmanaged<ReadMeter>.fromOpaque(context).takeUnretainedValue().isLate ? 1 : 0
      }, Unmanaged.passUnretained(meter).toOpaque())
  }

  func step(_ statement: SQLiteStatement) throws -> Bool {
    do { return try statement.step() } catch let error as StorageError {
      guard case .statementFailed(_, let code, _, _, _) = error else { throw error }
      if code.hasPrefix("SQLITE_INTERRUPT"), meter.isLate { throw meter.late }
      if meter.limits.limitsMemory, code.hasPrefix("SQLITE_NOMEM") || code.hasPrefix("SQLITE_TOOBIG") {
        throw meter.large
      }
      throw error
    }
  }

  /// Restores the previous settings.
  func end() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
    if meter.limits.limitsMemory { sqlite3_hard_heap_limit64(heap) }
  }
}
