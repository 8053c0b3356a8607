import Foundation
import Settings
import Storage

/// The folders of the installation's SQL and reports.
package struct ResourceFolders: Sendable {
  package let sql: String
  package let reports: String

  package init(root: String) {
    sql = root + "/sql"
    reports = root + "/reports"
  }
}

/// The store of a run: the configured one, or a temporary one for a replay.
final class Store {
  let database: any Database
  private let temporary: String?
  private let landing: String
  private let isReplay: Bool
  private var runLock: StoreLock?

  init(settings: Settings, resources: ResourceFolders, isReplay: Bool) throws {
    landing = settings.landing.directory
    self.isReplay = isReplay
    if isReplay {
      let folder = NSTemporaryDirectory() + "crossfoot-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      temporary = folder
      database = try openDatabase(url: "sqlite:\(folder)/replay.db", schemas: resources.sql + "/schema")
    } else {
      temporary = nil
      database = try openDatabase(url: settings.store.url.revealed, schemas: resources.sql + "/schema")
    }
    try DerivedTables(database: database, sql: resources.sql).create()
  }

  /// Takes the run lock: on the landing zone, which one host owns, and in the database.
  ///
  /// - Throws: `RunError.locked`.
  func lock() throws {
    guard !isReplay else { return }
    runLock = try StoreLock(landing: landing, database: database)
  }

  func close() {
    // The pages of the write-ahead log are moved into the file, whose checksums outlast those of the log.
    if runLock != nil, database.engine == .sqlite { try? database.script("pragma wal_checkpoint(truncate)") }
    runLock = nil
    if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
  }
}

/// The run lock: on the landing zone, which one host owns, and in the database. It ends with the process, however that
/// ends.
final class StoreLock {
  private var landing: RunLock?

  /// - Throws: `RunError.locked`.
  init(landing directory: String, database: any Database) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard let file = try RunLock.take(path: directory + "/.lock") else {
      throw RunError.locked("the landing zone \(directory)")
    }
    landing = file
    guard try database.tryLock("run") else { throw RunError.locked("the store") }
  }

  /// Releases the landing zone; the database's lock ends with its connection.
  func release() { landing = nil }
}
