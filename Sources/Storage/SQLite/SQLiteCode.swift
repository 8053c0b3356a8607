import CSQLite

/// The names of SQLite's result codes, as in its manual (sqlite.org/rescode.html).
enum SQLiteCode {
  /// A page with a wrong checksum: SQLITE_IOERR_DATA, a macro that Swift does not import.
  static let changedPage = SQLITE_IOERR | (32 << 8)
  static let changedPageReason = "a page of the file is not as it was written"

  private static let names: [Int32: String] = [
    SQLITE_ERROR: "SQLITE_ERROR", SQLITE_PERM: "SQLITE_PERM", SQLITE_BUSY: "SQLITE_BUSY",
    SQLITE_LOCKED: "SQLITE_LOCKED",
    SQLITE_NOMEM: "SQLITE_NOMEM", SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
    SQLITE_IOERR: "SQLITE_IOERR",
    SQLITE_CORRUPT: "SQLITE_CORRUPT", SQLITE_FULL: "SQLITE_FULL", SQLITE_CANTOPEN: "SQLITE_CANTOPEN",
    SQLITE_TOOBIG: "SQLITE_TOOBIG",
    SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT", SQLITE_MISMATCH: "SQLITE_MISMATCH", SQLITE_MISUSE: "SQLITE_MISUSE",
    SQLITE_NOTADB: "SQLITE_NOTADB",
  ]

  /// The primary code's name, followed by the extended code's number where there is one.
  static func name(_ extended: Int32) -> String {
    let primary = extended & 0xff
    let name = names[primary] ?? "SQLITE_\(primary)"
    return extended == primary ? name : "\(name)/\(extended >> 8)"
  }
}
