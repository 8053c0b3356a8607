import GRDBSQLite

/// Rows into a table of SQLite through one prepared statement, bound directly.
final class SQLiteBulkLoader: BulkLoader {
  private let table: String
  private let columns: Int
  private let statement: SQLiteStatement
  private var column = 0
  private var rows = 0

  init(table: String, columns: [String], keys: [String], on connection: OpaquePointer) throws {
    self.table = table
    self.columns = columns.count
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let merge = BulkStatement(table: table, columns: columns, keys: keys)
    statement = try SQLiteStatement("\(merge.insert) values (\(places)) \(merge.onConflict)", on: connection)
  }

  func append(integer: Int64) throws {
    column += 1
    if column <= columns { try statement.check(sqlite3_bind_int64(statement.handle, Int32(column), integer)) }
  }

  func append(text: String) throws {
    var text = text
    try text.withUTF8 { try append(utf8: UnsafeRawBufferPointer($0)) }
  }

  func append(utf8: UnsafeRawBufferPointer) throws {
    column += 1
    if column <= columns { try statement.bind(utf8: utf8, at: Int32(column)) }
  }

  func appendNull() throws {
    column += 1
    if column <= columns { try statement.check(sqlite3_bind_null(statement.handle, Int32(column))) }
  }

  func endRow() throws {
    guard column == columns else { throw StorageError.wrongColumnCount(table: table, expected: columns, found: column) }
    column = 0
    defer { statement.reset() }
    _ = try statement.step()
    rows += 1
  }

  func finish() throws -> Int {
    guard column == 0 else { throw StorageError.wrongColumnCount(table: table, expected: columns, found: column) }
    return rows
  }
}
