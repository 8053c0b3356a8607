import CSQLite
import Foundation

/// Checks a store for damage, as far as its engine can detect it: PostgreSQL looks after its own files.
package enum StoreHealth {
  /// Up to this size every run compares every page of a store with its checksum; bytes.
  private static let cheapBytes: Int64 = 256 << 20

  /// Compares all pages of a store with their checksums where that is cheap; a full check also examines its structure
  /// and its indexes. A page that is not checked here is compared when it is read.
  ///
  /// - Throws: `StorageError.damaged`.
  package static func check(_ database: any Database, url: String, isFull: Bool) throws {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return }
    if isFull { return try checkStructure(database, path) }
    // After a run that was killed, pages of the file are still in the write-ahead log.
    guard size(path) <= cheapBytes, size(path + "-wal") == 0 else { return }
    let page = csqlite_changed_page(path)
    if page > 0 {
      throw StorageError.damaged(place: path, reason: "page \(page) of the file is not as it was written")
    }
  }

  private static func checkStructure(_ database: any Database, _ path: String) throws {
    var found: String?
    do {
      try database.query("pragma integrity_check(1)") { row in found = row.text(0) }
    } catch let error as StorageError where error.isDamage {
      throw StorageError.damaged(place: path, reason: "SQLite cannot read it")
    }
    if let found, found != "ok" {
      throw StorageError.damaged(place: path, reason: found.split(whereSeparator: \.isNewline).joined(separator: ", "))
    }
  }

  /// Moves a damaged SQLite store out of the way, so that a new one can be made in its place.
  ///
  /// - Returns: the path it was moved to; nil for a store that is not a file.
  /// - Throws: `StorageError.cannotOpen`.
  package static func moveAside(url: String) throws -> String? {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return nil }
    let aside = path + ".damaged"
    for ending in ["", "-wal", "-shm", "-journal"] {
      unlink(aside + ending)
      guard rename(path + ending, aside + ending) == 0 || errno == ENOENT else {
        throw StorageError.cannotOpen(
          place: path, reason: "it cannot be moved away: \(String(cString: strerror(errno)))")
      }
    }
    return aside
  }

  /// Removes the file that `moveAside` kept.
  package static func removeAside(url: String) throws {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return }
    for ending in ["", "-wal", "-shm", "-journal"] { unlink("\(path).damaged\(ending)") }
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
