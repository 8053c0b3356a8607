import Foundation

/// Whether a store is whole, as far as its engine can determine: PostgreSQL looks after its own files.
package enum StoreHealth {
  /// Up to this size a store is looked through by every run; bytes.
  private static let cheapBytes: Int64 = 256 << 20

  /// Looks a store through: its structure where that is cheap, and its indexes as well where asked for.
  ///
  /// - Parameter isFull: whatever its size, and against its indexes.
  /// - Throws: `StorageError.damaged`.
  package static func check(_ database: any Database, url: String, isFull: Bool) throws {
    guard case .sqlite(let path) = try StoreURL(url) else { return }
    guard isFull || size(path) <= cheapBytes else { return }
    var found: String?
    do {
      try database.query(isFull ? "pragma integrity_check(1)" : "pragma quick_check(1)") { row in found = row.text(0) }
    } catch let error as StorageError where error.isDamage {
      throw StorageError.damaged(place: path, reason: "SQLite cannot read it")
    }
    if let found, found != "ok" {
      throw StorageError.damaged(place: path, reason: found.split(whereSeparator: \.isNewline).joined(separator: ", "))
    }
  }

  /// Moves a damaged SQLite store out of the way, so that a new one can be made in its place.
  ///
  /// - Returns: where it is kept; nil for a store that is no file.
  /// - Throws: `StorageError.cannotOpen`.
  package static func moveAside(url: String) throws -> String? {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return nil }
    let aside = path + ".damaged"
    unlink(path + ".sum")
    for ending in ["", "-wal", "-shm", "-journal"] {
      unlink(aside + ending)
      guard rename(path + ending, aside + ending) == 0 || errno == ENOENT else {
        throw StorageError.cannotOpen(
          place: path, reason: "it cannot be moved away: \(String(cString: strerror(errno)))")
      }
    }
    return aside
  }

  /// Removes what `moveAside` kept.
  package static func removeAside(url: String) throws {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return }
    for ending in ["", "-wal", "-shm", "-journal"] { unlink("\(path).damaged\(ending)") }
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
