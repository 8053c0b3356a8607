import Foundation
import Landing
import Storage

/// A store that is damaged, of another version, or not what the landing zone would give: it is derived again, and said.
extension ReconciliationRun {
  /// Whether it is day for looking the whole store through; otherwise only where that is cheap.
  private var isFullCheckDue: Bool { (now / 86_400) % 7 == 0 }

  /// Looks the store through before anything is read from it.
  ///
  /// - Throws: `StorageError.damaged`.
  func examine(_ database: any Database) throws {
    try StoreHealth.check(database, url: settings.store.url.revealed, isFull: isFullCheckDue)
  }

  /// Does what repairs the store after an error.
  ///
  /// - Throws: the error itself where nothing can be done about it.
  func repairStore(after error: any Error) throws {
    switch error {
    case let error as StorageError where error.isDamage: try moveStoreAside(error)
    case StorageError.schemaChanged, is OutdatedStore:
      logger.warning("\(error): derived again from the landing zone")
      do { _ = try rebuild() } catch RebuildError.nothingLanded { throw error }
    default: throw error
    }
  }

  /// Makes room for a new store; the next reader fills it from the landing zone.
  func moveStoreAside(_ error: StorageError) throws {
    try FileManager.default.createDirectory(atPath: settings.landing.directory, withIntermediateDirectories: true)
    guard let lock = try RunLock.take(path: settings.landing.directory + "/.lock") else {
      throw RunError.locked("the landing zone \(settings.landing.directory)")
    }
    defer { withExtendedLifetime(lock) {} }
    guard let aside = try StoreHealth.moveAside(url: settings.store.url.revealed) else { throw error }
    logger.warning("\(error): derived again from the landing zone; the damaged file is kept as \(aside)")
  }
}
