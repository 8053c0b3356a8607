import Cryptography
import Foundation
import Storage

/// The SHA-256 of a SQLite store's file as the last run left it, in `<store>.sum`: SQLite itself sees only whether its
/// structure holds, not whether a digit in a row is another one.
enum StoreSum {
  private static func place(_ url: String) throws -> (store: String, sum: String)? {
    guard case .sqlite(let path) = try StoreURL(url), path != ":memory:" else { return nil }
    return (path, path + ".sum")
  }

  /// Compares the file with its sum, where there is one; then it is going to be written, and has none.
  ///
  /// - Throws: `StorageError.damaged`.
  static func take(url: String) throws {
    guard let place = try place(url), let sum = FileManager.default.contents(atPath: place.sum) else { return }
    guard sum == (try? hash(place.store)) else {
      throw StorageError.damaged(place: place.store, reason: "its bytes are not those that the last run left")
    }
    unlink(place.sum)
  }

  /// Notes the sum of a file that only the holder of the run lock writes; without one nothing is compared.
  static func note(_ database: any Database, url: String) throws {
    guard let place = try place(url) else { return }
    var isBusy = true
    try database.query("pragma wal_checkpoint(truncate)") { row in isBusy = try row.integer(0) != 0 }
    guard !isBusy else { return }
    let next = place.sum + ".next"
    try hash(place.store).write(to: URL(fileURLWithPath: next))
    chmod(next, 0o640)
    rename(next, place.sum)
  }

  private static func hash(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var hash = SHA256()
    while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(piece) }
    return Data((hash.finalize().hexadecimal + "\n").utf8)
  }
}
