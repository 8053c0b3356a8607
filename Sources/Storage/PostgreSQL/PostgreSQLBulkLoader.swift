/// Loads rows into a table of PostgreSQL by COPY, a megabyte at a time, so that several loads and other statements can
/// alternate on one connection.
///
/// With keys the rows are collected in a temporary table and merged at the end: COPY itself cannot replace rows. The
/// table is created for the first row, because most loads of a quiet night have none and creating a table costs more
/// than its rows. Rows with keys cannot be loaded while a read-only statement is open: no table can be created then.
final class PostgreSQLBulkLoader: BulkLoader {
  private static let capacity = 1 << 20
  private let connection: PostgreSQLConnection
  private let merge: BulkStatement
  private let waiting: String?
  private var isWaitingThere = false
  private let copy: String
  private var buffer = CopyBuffer()
  private var column = 0
  private var rows = 0

  init(table: String, columns: [String], keys: [String], waiting: String, on connection: PostgreSQLConnection) throws {
    self.connection = connection
    merge = BulkStatement(table: table, columns: columns, keys: keys)
    self.waiting = keys.isEmpty ? nil : waiting
    copy =
      keys.isEmpty
      ? "copy \(BulkStatement.quoted(table)) (\(BulkStatement.list(columns))) from stdin"
      : "copy \(waiting) (\(BulkStatement.list(columns)), bulk_ordinal) from stdin"
  }

  func append(integer: Int64) {
    beginValue()
    buffer.append(integer: integer)
  }

  func append(text: String) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
  }

  func append(utf8: UnsafeRawBufferPointer) {
    beginValue()
    buffer.append(utf8: utf8)
  }

  func appendNull() {
    beginValue()
    buffer.appendNull()
  }

  private func beginValue() {
    if column > 0 { buffer.endValue() }
    column += 1
  }

  func endRow() throws {
    try checkCount(merge.columns.count)
    rows += 1
    if waiting != nil { append(integer: Int64(rows)) }
    column = 0
    buffer.endRow()
    if buffer.bytes.count > Self.capacity { try flush() }
  }

  private func checkCount(_ expected: Int) throws {
    if column != expected {
      throw StorageError.wrongColumnCount(table: merge.table, expected: merge.columns.count, found: column)
    }
  }

  private func flush() throws {
    if buffer.bytes.isEmpty { return }
    try makeWaitingTable()
    try buffer.bytes.withUnsafeBytes { try connection.copy(copy, $0) }
    buffer.bytes.removeAll(keepingCapacity: true)
  }

  private func makeWaitingTable() throws {
    guard let waiting, !isWaitingThere else { return }
    _ = try connection.run(
      """
      create temporary table \(waiting) on commit drop as
        select \(BulkStatement.list(merge.columns)), cast(0 as bigint) as bulk_ordinal
        from \(BulkStatement.quoted(merge.table)) limit 0
      """)
    isWaitingThere = true
  }

  func finish() throws -> Int {
    try checkCount(0)
    try flush()
    guard let waiting, isWaitingThere else { return rows }
    let keys = BulkStatement.list(merge.keys)
    _ = try connection.run(
      """
      insert \(merge.into) select distinct on (\(keys)) \(BulkStatement.list(merge.columns)) from \(waiting)
      order by \(keys), bulk_ordinal desc \(merge.onConflict)
      """)
    _ = try connection.run("drop table \(waiting)")
    return rows
  }
}

/// Rows in COPY's text format: values separated by tabs, rows by newlines, `\N` for null.
struct CopyBuffer {
  var bytes: [UInt8] = []

  mutating func append(integer: Int64) {
    var digits = String(integer)
    digits.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends text, with COPY's special characters escaped and without U+0000.
  mutating func append(utf8: UnsafeRawBufferPointer) {
    if !utf8.contains(where: { $0 < 0x10 || $0 == UInt8(ascii: "\\") }) { return bytes.append(contentsOf: utf8) }
    for byte in utf8 { appendEscaped(byte) }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case 0: break
    case UInt8(ascii: "\t"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
    case UInt8(ascii: "\n"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
    case UInt8(ascii: "\r"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
    case UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\\")])
    default: bytes.append(byte)
    }
  }

  mutating func appendNull() { bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "N")]) }
  mutating func endValue() { bytes.append(UInt8(ascii: "\t")) }
  mutating func endRow() { bytes.append(UInt8(ascii: "\n")) }
}
