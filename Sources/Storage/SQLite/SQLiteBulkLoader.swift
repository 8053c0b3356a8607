import CSQLite
import Foundation

/// Loads rows into a table of SQLite through prepared statements with several rows each: opening and closing the table
/// costs as much as a row.
///
/// The values of the rows are kept in our own buffer until they are stored, and are bound in place: SQLite copies
/// nothing that it does not store.
final class SQLiteBulkLoader: NewRowLoader {
  private let merge: BulkStatement
  private let connection: OpaquePointer
  /// How many rows are stored at once.
  private static let together = 16
  private var whole: SQLiteStatement?
  private let single: SQLiteStatement
  private var values: [Value] = []
  private var texts = TextBuffer()
  private var waiting = 0
  private var rows = 0
  /// Rows inserted since the last flush.
  private var changed = 0

  private enum Value {
    case null
    case integer(Int64)
    case text(offset: Int, count: Int)
  }

  init(_ merge: BulkStatement, on connection: OpaquePointer) throws {
    self.merge = merge
    self.connection = connection
    single = try Self.prepare(merge, rows: 1, on: connection)
  }

  private static func prepare(_ merge: BulkStatement, rows: Int, on connection: OpaquePointer) throws -> SQLiteStatement
  {
    let row = "(\(Array(repeating: "?", count: merge.columns.count).joined(separator: ", ")))"
    let places = Array(repeating: row, count: rows).joined(separator: ", ")
    // `or fail`: SQLite need not keep the pages as they were before the statement, since an error rolls back the whole
    // transaction.
    return try SQLiteStatement("insert or fail \(merge.into) values \(places) \(merge.onConflict)", on: connection)
  }

  func append(integer: Int64) { values.append(.integer(integer)) }

  func append(text: String) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
  }

  func append(utf8: UnsafeRawBufferPointer) {
    let offset = texts.count
    values.append(.text(offset: offset, count: texts.append(utf8)))
  }

  func appendNull() { values.append(.null) }

  func endRow() throws {
    try checkCount()
    waiting += 1
    rows += 1
    if waiting == Self.together { try store() }
  }

  func flush() throws -> Int {
    try checkCount(of: 0)
    try store()
    defer { changed = 0 }
    return changed
  }

  /// Stores the waiting rows: in one statement if it is full, otherwise one by one.
  private func store() throws {
    defer {
      values.removeAll(keepingCapacity: true)
      texts.count = 0
      waiting = 0
    }
    let columns = merge.columns.count
    if waiting == Self.together {
      let statement = try whole ?? Self.prepare(merge, rows: Self.together, on: connection)
      whole = statement
      return try store(values[...], by: statement)
    }
    for row in 0..<waiting { try store(values[row * columns..<(row + 1) * columns], by: single) }
  }

  private func store(_ values: ArraySlice<Value>, by statement: SQLiteStatement) throws {
    for index in values.indices { try bind(values[index], at: Int32(index - values.startIndex + 1), of: statement) }
    defer { statement.reset() }
    _ = try statement.step()
    changed += Int(sqlite3_changes(connection))
  }

  private func bind(_ value: Value, at index: Int32, of statement: SQLiteStatement) throws {
    let code =
      switch value {
      case .null: sqlite3_bind_null(statement.handle, index)
      case .integer(let integer): sqlite3_bind_int64(statement.handle, index, integer)
      case .text(let offset, let count):
        // Without a destructor the bytes are read in place: they stay valid until the rows have been stored.
        sqlite3_bind_text64(statement.handle, index, texts.start + offset, UInt64(count), nil, UInt8(SQLITE_UTF8))
      }
    try statement.check(code)
  }

  /// - Throws: `StorageError.wrongColumnCount` if a row is incomplete.
  private func checkCount(of rows: Int = 1) throws {
    let found = values.count - waiting * merge.columns.count
    guard found == rows * merge.columns.count else {
      throw StorageError.wrongColumnCount(table: merge.table, expected: merge.columns.count, found: found)
    }
  }

  func finish() throws -> Int {
    try checkCount(of: 0)
    try store()
    return rows
  }
}

/// The texts of the waiting rows, one after the other.
private struct TextBuffer: ~Copyable {
  private(set) var start: UnsafeMutablePointer<CChar>
  private var capacity = 1024
  var count = 0

  init() { start = .allocate(capacity: 1024) }

  deinit { start.deallocate() }

  /// Appends text without its U+0000, and returns the number of bytes.
  mutating func append(_ utf8: UnsafeRawBufferPointer) -> Int {
    guard let source = utf8.baseAddress, !utf8.isEmpty else { return 0 }
    reserve(utf8.count)
    let place = UnsafeMutableRawPointer(start + count)
    guard memchr(source, 0, utf8.count) != nil else {
      place.copyMemory(from: source, byteCount: utf8.count)
      count += utf8.count
      return utf8.count
    }
    let kept = utf8.filter { $0 != 0 }
    kept.withUnsafeBytes { if let source = $0.baseAddress { place.copyMemory(from: source, byteCount: kept.count) } }
    count += kept.count
    return kept.count
  }

  private mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
