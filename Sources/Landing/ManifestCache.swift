import Foundation
import Glibc
import Synchronization

/// The manifests that this program has read: a nightly run lists the landing zone several times, and decoding the
/// manifests of years takes seconds each time.
enum ManifestCache {
  /// Identifies an unchanged file: writing it changes its times.
  struct Identity: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let bytes: Int64
    private let written: [Int]
    /// Whether it was written long enough ago that another write would get another time: the system's clock for files
    /// ticks in milliseconds.
    fileprivate let isSettled: Bool

    init?(_ path: String) {
      var (status, now) = (stat(), timespec())
      guard stat(path, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
      (device, inode, bytes) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
      let (changed, modified) = (status.st_ctim, status.st_mtim)
      written = [changed.tv_sec, changed.tv_nsec, modified.tv_sec, modified.tv_nsec]
      let age = (now.tv_sec - changed.tv_sec) * 1_000_000_000 + now.tv_nsec - changed.tv_nsec
      isSettled = age > 100_000_000
    }

    static func == (one: Identity, other: Identity) -> Bool {
      one.inode == other.inode && one.device == other.device && one.bytes == other.bytes && one.written == other.written
    }
  }

  /// A manifest with more pages takes more memory than caching is worth.
  private static let mostPages = 100
  private static let known = Mutex<[String: (identity: Identity, manifest: Manifest)]>([:])

  static func manifest(_ path: String, _ identity: Identity) -> Manifest? {
    known.withLock { $0[path] }.flatMap { $0.identity == identity ? $0.manifest : nil }
  }

  static func keep(_ manifest: Manifest, _ path: String, _ identity: Identity) {
    guard identity.isSettled, manifest.pages.count <= mostPages else { return }
    known.withLock { $0[path] = (identity, manifest) }
  }
}
