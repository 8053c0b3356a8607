import CSQLite

/// The current row of a statement.
final class SQLiteRow: Row {
  private let statement: SQLiteStatement
  let names: [String]

  init(_ statement: SQLiteStatement) {
    self.statement = statement
    names = (0..<sqlite3_column_count(statement.handle)).map { column in
      sqlite3_column_name(statement.handle, column).map { String(cString: $0) } ?? ""
    }
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_NULL
  }

  func integer(_ column: Int) throws -> Int64? {
    switch sqlite3_column_type(statement.handle, Int32(column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement.handle, Int32(column))
    case SQLITE_NULL: return nil
    case SQLITE_FLOAT: throw StorageError.notAnInteger(column: names[column], found: "a float")
    default: throw StorageError.notAnInteger(column: names[column], found: "text")
    }
  }

  func text(_ column: Int) -> String? {
    withUTF8Text(column) { String(decoding: $0, as: UTF8.self) }
  }

  func utf8(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let start = sqlite3_column_text(statement.handle, Int32(column)) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement.handle, Int32(column))))
  }
}
