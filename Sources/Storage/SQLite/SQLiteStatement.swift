import CSQLite

/// One prepared statement of SQLite, finalised when it is released.
final class SQLiteStatement {
  let sql: String
  let connection: OpaquePointer
  let handle: OpaquePointer

  /// Prepares exactly one statement.
  init(_ sql: String, on connection: OpaquePointer) throws {
    var tail = 0
    guard let handle = try Self.prepare(sql, on: connection, tail: &tail) else {
      throw SQLiteStatement.failure("no statement", sql)
    }
    self.sql = sql
    self.connection = connection
    self.handle = handle
    if try Self.hasStatement(String(sql.utf8.dropFirst(tail)) ?? "", on: connection) {
      throw SQLiteStatement.failure("more than one statement", sql)
    }
  }

  private init(_ handle: OpaquePointer, _ sql: String, on connection: OpaquePointer) {
    self.sql = sql
    self.connection = connection
    self.handle = handle
  }

  deinit {
    StatementCosts.current?.add(sql, Int64(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)), plan: plan)
    sqlite3_finalize(handle)
  }

  /// The output of `explain query plan` for it.
  private func plan() -> String {
    var lines: [String] = []
    var handle: OpaquePointer?
    sqlite3_prepare_v3(connection, "explain query plan " + sql, -1, 0, &handle, nil)
    while sqlite3_step(handle) == SQLITE_ROW {
      lines.append(sqlite3_column_text(handle, 3).map { String(cString: $0) } ?? "")
    }
    sqlite3_finalize(handle)
    return lines.joined(separator: "\n")
  }

  /// Binds `$1`, `$2` … by their numbers, which must be exactly those of the values given.
  func bind(_ values: [SQLValue]) throws {
    let expected = parameterNames
    guard Set(expected) == Set((0..<values.count).map { "$\($0 + 1)" }) else {
      let list = expected.isEmpty ? "none" : expected.sorted().joined(separator: " ")
      throw StorageError.parameterMismatch(statement: StatementExcerpt(sql).text, expected: list, given: values.count)
    }
    for (index, value) in values.enumerated() {
      try bind(value, at: sqlite3_bind_parameter_index(handle, "$\(index + 1)"))
    }
  }

  private var parameterNames: [String] {
    let count = sqlite3_bind_parameter_count(handle)
    return (0..<count).map { index in sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) } ?? "?"
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, index))
    case .integer(let integer): try check(sqlite3_bind_int64(handle, index, integer))
    case .text(var text): try text.withUTF8 { try bind(utf8: UnsafeRawBufferPointer($0), at: index) }
    }
  }

  /// Binds text, which SQLite copies into a buffer that it reuses; U+0000 is removed.
  func bind(utf8: UnsafeRawBufferPointer, at index: Int32) throws {
    guard utf8.contains(0) else { return try bindCopy(of: utf8, at: index) }
    try utf8.filter { $0 != 0 }.withUnsafeBytes { try bindCopy(of: $0, at: index) }
  }

  private func bindCopy(of utf8: UnsafeRawBufferPointer, at index: Int32) throws {
    let start = utf8.baseAddress ?? UnsafeRawPointer(Self.empty.utf8Start)
    let bytes = start.assumingMemoryBound(to: CChar.self)
    try check(sqlite3_bind_text64(handle, index, bytes, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8)))
  }

  /// An empty buffer has no address, and SQLite takes a missing address for null.
  private static let empty: StaticString = ""
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Whether there is a row.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE { throw Self.failure(on: connection, sql) }
    return false
  }

  /// Makes it ready to run again; bound values are kept.
  func reset() {
    sqlite3_reset(handle)
  }

  func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw Self.failure(on: connection, sql) }
  }
}

extension SQLiteStatement {
  /// Runs the first of several statements; returns what follows it, or nil when only whitespace and comments are left.
  static func runFirst(of script: Substring, on connection: OpaquePointer) throws -> Substring? {
    var tail = 0
    let sql = String(script)
    guard let handle = try prepare(sql, on: connection, tail: &tail) else { return nil }
    let statement = SQLiteStatement(handle, sql, on: connection)
    while try statement.step() {}
    return script[script.utf8.index(script.startIndex, offsetBy: tail)...]
  }

  private static func hasStatement(_ sql: String, on connection: OpaquePointer) throws -> Bool {
    var tail = 0
    guard sql.contains(where: { !$0.isWhitespace && $0 != ";" }) else { return false }
    guard let handle = try prepare(sql, on: connection, tail: &tail) else { return false }
    sqlite3_finalize(handle)
    return true
  }

  /// Prepares the first statement of the text, nil when it has only whitespace and comments; `tail` is the byte offset
  /// of what follows.
  private static func prepare(_ sql: String, on connection: OpaquePointer, tail: inout Int) throws -> OpaquePointer? {
    var handle: OpaquePointer?
    let code = sql.withCString { start in
      var end: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(connection, start, -1, 0, &handle, &end)
      tail = end.map { $0 - start } ?? 0
      return code
    }
    if code != SQLITE_OK { throw failure(on: connection, sql) }
    return handle
  }

  private static func failure(_ message: String, _ sql: String) -> StorageError {
    .statementFailed(
      engine: .sqlite, code: "SQLITE_ERROR", message: message, statement: StatementExcerpt(sql).text, line: nil)
  }

  /// The connection's last error; SQLite's messages name tables and columns, never values.
  private static func failure(on connection: OpaquePointer, _ sql: String) -> StorageError {
    let offset = sqlite3_error_offset(connection)
    let code = sqlite3_extended_errcode(connection)
    let message = String(cString: sqlite3_errmsg(connection))
    return .statementFailed(
      engine: .sqlite, code: SQLiteCode.name(code),
      message: code == SQLiteCode.changedPage ? SQLiteCode.changedPageReason : message,
      statement: StatementExcerpt(sql).text, line: offset < 0 ? nil : StatementExcerpt.line(of: Int(offset), in: sql))
  }
}
