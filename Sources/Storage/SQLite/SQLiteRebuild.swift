import CSQLite
import Foundation

/// A new SQLite file beside the current one, `<path>.rebuild`, whose pages replace those of the current one in one
/// transaction of SQLite's own backup.
///
/// If the file were renamed instead, its write-ahead log would be applied to the new file, and a reader who had it open
/// could lose what is written next.
final class SQLiteRebuild: StoreRebuild {
  private let store: SQLiteDatabase
  private let schemas: String
  private let freshPath: String
  private var made: SQLiteDatabase?

  init(path: String, schemas: String) throws {
    store = try SQLiteDatabase(path: path)
    self.schemas = schemas
    freshPath = path == ":memory:" ? path : path + ".rebuild"
  }

  deinit {
    made = nil
    removeFresh()
  }

  var standing: any Database { store }

  var fresh: any Database {
    get throws {
      if let made { return made }
      removeFresh()
      let new = try SQLiteDatabase(path: freshPath)
      try Migrations(folder: "\(schemas)/\(Engine.sqlite.rawValue)", place: freshPath).apply(to: new)
      made = new
      return new
    }
  }

  func swap() throws {
    guard let made else { return }
    try store.replace(with: made)
    // The rest of the log is moved into the file as soon as no reader uses the old pages any more: now, or later.
    try store.script("pragma wal_checkpoint(truncate)")
  }

  private func removeFresh() {
    guard freshPath != ":memory:" else { return }
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(freshPath + ending) }
  }
}

extension SQLiteDatabase {
  /// Copies every page of another database, in one transaction.
  ///
  /// - Throws: `StorageError.statementFailed`; the content is then unchanged.
  fileprivate func replace(with other: SQLiteDatabase) throws {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw failure(sqlite3_extended_errcode(handle))
    }
    let step = sqlite3_backup_step(backup, -1)
    let finish = sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE, finish == SQLITE_OK else { throw failure(step == SQLITE_DONE ? finish : step) }
  }

  private func failure(_ code: Int32) -> StorageError {
    .statementFailed(
      engine: .sqlite, code: SQLiteCode.name(code), message: String(cString: sqlite3_errstr(code)),
      statement: "backup into \(path)", line: nil)
  }
}
