import Disk
import Foundation
import Glibc

/// A stream's folder, locked by one writer at a time: until it is released or deallocated.
final class StreamFolder {
  let path: String
  private var descriptor: Int32

  /// Creates the folder where it is missing and takes its lock.
  ///
  /// - Throws: `LandingError.busy` when another writer, of this or another program, has locked it.
  init(path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw LandingError.system("create the folder", path)
    }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LandingError.system("open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw LandingError.busy(folder: path) }
  }

  deinit { release() }

  /// Releases the lock for the next writer; unlocked before it is closed, as a program that this one is just starting
  /// may still have the folder open.
  func release() {
    guard descriptor >= 0 else { return }
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  subscript(name: String) -> String { path + "/" + name }

  func has(_ name: String) -> Bool { access(self[name], F_OK) == 0 }

  func remove(_ name: String) throws {
    guard Disk.remove(self[name]) == 0 || errno == ENOENT else { throw LandingError.system("remove", self[name]) }
  }

  /// Renames, and returns once the new name is on the disk.
  func rename(_ name: String, to other: String) throws {
    guard Disk.rename(self[name], to: self[other]) == 0 else { throw LandingError.system("rename", self[name]) }
    guard Disk.synchronise(descriptor) == 0 else { throw LandingError.system("write", path) }
  }
}
