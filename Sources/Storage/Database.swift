/// The store: one connection to SQLite or PostgreSQL, both running the same SQL text.
///
/// Not `Sendable`: one task owns it. Values are always bound by number: every `$1` in a statement is the first
/// parameter. Each call takes one statement; a trailing semicolon and comments are allowed.
package protocol Database: AnyObject {
  /// Which engine this is; only schema and diagnostics may ask.
  var engine: Engine { get }

  /// Runs one statement that returns nothing.
  ///
  /// - Returns: the rows inserted, updated or deleted.
  /// - Throws: `StorageError`.
  @discardableResult
  func execute(_ sql: String, _ parameters: [SQLValue]) throws -> Int

  /// Runs one `select` and passes on its rows as they arrive: memory does not grow with their number.
  ///
  /// The row is valid only inside the closure, in which other statements may run on the same database. Do not change
  /// the table that is being read: SQLite may or may not return the new rows.
  ///
  /// - Throws: `StorageError`, or what the closure throws, which ends the reading.
  func query(_ sql: String, _ parameters: [SQLValue], _ row: (any Row) throws -> Void) throws

  /// Runs one `select` from any author: it cannot write, and is ended if it exceeds the limits.
  ///
  /// Inside the closure the database may be written on SQLite; on PostgreSQL only its existing temporary tables, such
  /// as one in which a bulk load with keys collects its rows.
  ///
  /// - Throws: `StorageError.notReadOnly` and `.limitExceeded`, and what `query` without limits throws.
  func query(_ sql: String, _ parameters: [SQLValue], within limits: ReadLimits, _ row: (any Row) throws -> Void) throws

  /// Runs several statements without parameters, for the schema.
  func script(_ sql: String) throws

  /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// A transaction inside a transaction is a savepoint.
  @discardableResult
  func transaction<R>(_ body: () throws -> R) throws -> R

  /// Opens a bulk load into a table; only inside `transaction`, where several may be open at a time.
  ///
  /// - Parameters:
  ///   - columns: the columns that every row fills, in the order of the appends.
  ///   - keys: the columns of a unique key; a row whose key exists already replaces the given columns, the last row of
  ///     a key wins, and no key column may be null. Without keys rows are only inserted, and a duplicate is an error. A
  ///     column `changed_in` is replaced only where the row has other content (`BulkStatement.changeColumn`).
  func bulkLoader(into table: String, columns: [String], replacing keys: [String]) throws -> any BulkLoader

  /// Opens a bulk load that keeps existing rows with the same key: `flush` returns how many rows were inserted.
  ///
  /// - Returns: nil where the engine cannot determine this before the end (COPY cannot): such rows have to be staged in
  ///   a table of their own.
  func bulkLoader(into table: String, columns: [String], ifNew keys: [String]) throws -> (any NewRowLoader)?

  /// Takes the named lock for the life of this connection; returns false if another run has it.
  ///
  /// SQLite locks `<database>.lock`, whatever the name (a database in memory is always free); PostgreSQL takes an
  /// advisory lock of the schema.
  func tryLock(_ name: String) throws -> Bool

  /// Releases the named lock; does nothing where it is not held.
  func unlock(_ name: String) throws
}

extension Database {
  /// Runs one statement without parameters that returns nothing.
  @discardableResult
  package func execute(_ sql: String) throws -> Int { try execute(sql, []) }

  /// Checks the text alone of a statement that should only read.
  ///
  /// - Throws: `StorageError.notReadOnly`.
  package func examine(_ sql: String) throws { try ReadOnlyText.check(sql) }

  /// Runs one `select` without parameters.
  package func query(_ sql: String, _ row: (any Row) throws -> Void) throws { try query(sql, [], row) }

  /// Opens a bulk load that only inserts.
  package func bulkLoader(into table: String, columns: [String]) throws -> any BulkLoader {
    try bulkLoader(into: table, columns: columns, replacing: [])
  }

  /// The first column of the first row as an integer; nil without a row or where it is null.
  package func integer(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int64? {
    var found: Int64??
    try query(sql, parameters) { row in if found == nil { found = .some(try row.integer(0)) } }
    return found ?? nil
  }

  /// The first column of the first row as text; nil without a row or where it is null.
  package func text(_ sql: String, _ parameters: [SQLValue] = []) throws -> String? {
    var found: String??
    try query(sql, parameters) { row in if found == nil { found = .some(row.text(0)) } }
    return found ?? nil
  }
}

/// The engines of the store; the raw value is the name of the engine's schema folder.
package enum Engine: String, CaseIterable, Sendable {
  case sqlite, postgresql
}

/// A value bound to a parameter: the store has no floats and no booleans (0 and 1 are integers).
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  /// UTF-8 text; U+0000 is removed because PostgreSQL cannot store it.
  case text(String)
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(nilLiteral: ()) { self = .null }
  /// Null where the optional is nil.
  package init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
  /// Null where the optional is nil.
  package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
}

/// One row of a result, valid only while the closure that received it runs.
package protocol Row: AnyObject {
  /// The names of the columns, in order.
  var names: [String] { get }
  /// Whether the column, counted from 0, is null.
  func isNull(_ column: Int) -> Bool
  /// The column as an integer, nil where it is null.
  ///
  /// - Throws: `StorageError.notAnInteger` for any other type, such as the float that SQLite makes of an overflowing
  ///   sum.
  func integer(_ column: Int) throws -> Int64?
  /// The column as text, nil where it is null; an integer as its digits.
  func text(_ column: Int) -> String?
  /// The column's UTF-8 without a copy, valid until the next row; nil where it is null.
  func utf8(_ column: Int) -> UnsafeRawBufferPointer?
}

extension Row {
  /// The column's UTF-8 without a copy, valid inside the closure only; where it is null, returns nil without calling
  /// the body.
  @inlinable package func withUTF8Text<R>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    try utf8(column).map(body)
  }
}

/// A bulk load: append values column by column, end each row, and call `finish`; without `finish` nothing is loaded.
package protocol BulkLoader: AnyObject {
  /// Appends an integer to the row.
  func append(integer: Int64) throws
  /// Appends text to the row; U+0000 is removed.
  func append(text: String) throws
  /// Appends text that is valid UTF-8 already, without building a string; U+0000 is removed.
  func append(utf8: UnsafeRawBufferPointer) throws
  /// Appends a null to the row.
  func appendNull() throws
  /// Ends the row.
  ///
  /// - Throws: `StorageError.wrongColumnCount` when it has not one value per column; the engine's error about the row
  ///   (here, or at `flush` or `finish`).
  func endRow() throws
  /// Loads the remaining rows, and returns the number of rows that were appended.
  func finish() throws -> Int
}

/// A bulk load that keeps existing rows with the same key.
package protocol NewRowLoader: BulkLoader {
  /// Loads the waiting rows, and returns how many of the rows since the last call were inserted.
  func flush() throws -> Int
}

extension BulkLoader {
  /// Appends an integer, or a null.
  package func append(integer: Int64?) throws {
    if let integer { try append(integer: integer) } else { try appendNull() }
  }

  /// Appends text, or a null.
  package func append(text: String?) throws {
    if let text { try append(text: text) } else { try appendNull() }
  }

  /// Appends a value.
  package func append(_ value: SQLValue) throws {
    switch value {
    case .null: try appendNull()
    case .integer(let integer): try append(integer: integer)
    case .text(let text): try append(text: text)
    }
  }
}
