import Foundation
import Landing
import Storage

/// Repairs a store that is damaged, of another version, or does not match the landing zone: it is derived again, and
/// this is logged.
extension ReconciliationRun {
  /// Whether the store is due for a full check; on other days it is checked only where that is cheap.
  private var isFullCheckDue: Bool { (now / 86_400) % 7 == 0 }

  /// Checks the store before anything is read from it.
  ///
  /// - Throws: `StorageError.damaged`.
  func examine(_ database: any Database) throws {
    try StoreHealth.check(database, url: settings.store.url.revealed, isFull: isFullCheckDue)
  }

  /// Repairs the store after an error.
  ///
  /// - Throws: the error itself where it cannot be repaired.
  func repairStore(after error: any Error) throws {
    switch error {
    case let error as StorageError where error.isDamage: try moveStoreAside(error)
    case StorageError.schemaChanged, is OutdatedStore:
      logger.warning("\(error): derived again from the landing zone")
      do { _ = try rebuild() } catch RebuildError.nothingLanded { throw error }
    default: throw error
    }
  }

  /// Moves the store aside for a new one, which the next reader fills from the landing zone.
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
