/// The errors of the store; their texts contain neither bound values nor passwords.
package enum StorageError: Error, Equatable {
  /// The URL names an unknown engine.
  case unknownScheme(String)
  /// The database cannot be opened or reached; `place` contains no password.
  case cannotOpen(place: String, reason: String)
  /// The store's file is not a database, or incomplete.
  case damaged(place: String, reason: String)
  /// The engine refused or aborted a statement; `code` is SQLSTATE, or SQLite's extended result code.
  case statementFailed(engine: Engine, code: String, message: String, statement: String, line: Int?)
  /// A statement's parameters and the values given for it are not the same set.
  case parameterMismatch(statement: String, expected: String, given: Int)
  /// A column that should contain an integer contains something else.
  case notAnInteger(column: String, found: String)
  /// A row of a bulk load has more or fewer values than columns.
  case wrongColumnCount(table: String, expected: Int, found: Int)
  /// A bulk load was opened outside a transaction.
  case loaderOutsideTransaction(table: String)
  /// A statement that should only read is more than one query; `line` counts from 1.
  case notReadOnly(found: String, line: Int?)
  /// A statement took more time, rows or memory than allowed.
  case limitExceeded(String)
  /// The schema's folder cannot be read.
  case noSchema(folder: String)
  /// The database has objects of the store's names that are another application's.
  case occupied(place: String, found: String)
  /// The database's role may not do what the store needs.
  case notAllowed(place: String, reason: String)
  /// The store was made with other schema files than these.
  case schemaChanged(place: String, file: String, reason: String)
}

extension StorageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownScheme(let scheme):
      "store.url: '\(scheme):' is no store; write sqlite:path/to/file.db, sqlite::memory: or "
        + "postgresql://user@host:5432/database"
    case .cannotOpen(let place, let reason):
      "the store \(place) cannot be opened: \(reason)"
    case .damaged(let place, let reason):
      "the store \(place) is damaged: \(reason); `crossfoot run` and `crossfoot rebuild` derive it again from the "
        + "landing zone"
    case .statementFailed(let engine, let code, let message, let statement, let line):
      "\(engine.rawValue) \(code): \(message)\(line.map { " (line \($0))" } ?? ""), in: \(statement)"
        + (isRightMissing ? "; grant the role of store.url that right, or name another role" : "")
    case .parameterMismatch(let statement, let expected, let given):
      "the statement takes the parameters \(expected), \(given) values were given, in: \(statement)"
    case .notAnInteger(let column, let found):
      "column \(column): expected an integer, found \(found); has a sum overflowed, or is a cast(… as bigint) missing?"
    case .wrongColumnCount(let table, let expected, let found):
      "bulk load into \(table): a row has \(found) values for \(expected) columns"
    case .loaderOutsideTransaction(let table):
      "bulk load into \(table): open it inside a transaction"
    case .notReadOnly(let found, let line):
      "found \(found)\(line.map { " (line \($0))" } ?? ""), expected one query that only reads: select or with"
    case .limitExceeded(let limit):
      "the query took \(limit), which is its limit; read fewer rows, or join on keys"
    case .noSchema(let folder):
      "no schema files (NNN-name.sql) in \(folder); is --resources right?"
    case .occupied(let place, let found):
      "the store \(place) has objects of another application (\(found)); make a schema for crossfoot alone, and name "
        + "it in store.url with ?options=-csearch_path%3Dcrossfoot"
    case .notAllowed(let place, let reason):
      "the store \(place) does not allow it: \(reason); grant the role of store.url that right, or name another role"
    case .schemaChanged(let place, let file, let reason):
      "the store \(place) was made with another schema (\(file) \(reason)): `crossfoot rebuild` makes it again from "
        + "the landing zone"
    }
  }
}

extension StorageError {
  /// Whether the disk is full or cannot be written, or the connection to the database was lost: exit 74 rather than 70.
  ///
  /// PostgreSQL: class 08 (connection), 53 (resources), 57P (shut down, crashed, starting up), 58 (system) of its error
  /// codes.
  package var isInputOutput: Bool {
    guard case .statementFailed(let engine, let code, _, _, _) = self else { return false }
    let classes =
      engine == .postgresql
      ? ["08", "53", "57P", "58"]
      : ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_READONLY"]
    return classes.contains { code.hasPrefix($0) }
  }

  /// Whether the database's role may not do what the store needs; SQLSTATE 42501.
  package var isRightMissing: Bool {
    if case .statementFailed(.postgresql, "42501", _, _, _) = self { true } else { false }
  }

  /// Whether SQLite found its file damaged.
  package var isDamage: Bool {
    switch self {
    case .damaged: true
    case .statementFailed(.sqlite, let code, _, _, _):
      code.hasPrefix("SQLITE_CORRUPT") || code.hasPrefix("SQLITE_NOTADB")
        || code == SQLiteCode.name(SQLiteCode.changedPage)
    default: false
    }
  }
}

/// A statement as shown in errors: its first line that is not a comment, shortened.
struct StatementExcerpt {
  /// At most 80 characters.
  let text: String

  init(_ sql: String) {
    let lines = sql.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
    let first = lines.first { !$0.isEmpty && !$0.hasPrefix("--") } ?? ""
    text = first.count > 80 ? first.prefix(79) + "…" : String(first)
  }

  /// The line, from 1, of a byte offset in the statement.
  static func line(of offset: Int, in sql: String) -> Int {
    1 + sql.utf8.prefix(offset).reduce(into: 0) { count, byte in if byte == UInt8(ascii: "\n") { count += 1 } }
  }
}
