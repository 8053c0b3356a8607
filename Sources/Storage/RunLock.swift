import Foundation

/// A lock on a file beside the database; it ends with the process, however that ends.
package final class RunLock {
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Takes the lock; nil when another run holds it.
  ///
  /// - Throws: `StorageError.cannotOpen` when the file cannot be made.
  package static func take(path: String) throws -> RunLock? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw StorageError.cannotOpen(place: path, reason: String(cString: strerror(errno))) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return RunLock(descriptor: descriptor) }
    close(descriptor)
    return nil
  }

  /// Unlocked before it is closed: a process that this one is just starting may still have the file open.
  deinit {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
