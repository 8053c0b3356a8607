import Glibc
import Synchronization

/// The calls by which landing zone and logs become durable, in one place, so that a test can make each of them fail.
///
/// Each does what the system call of that name does, and reports errors in the same way: by its result and `errno`.
package enum Disk {
  /// What happens instead of a call.
  package enum Fault: Sendable, CaseIterable {
    /// Nothing is done; the error is that of a full disk.
    case full
    /// Nothing is done; the error is that of a broken disk.
    case broken
    /// A write gets half of its bytes to the disk, and fails; any other call fails as on a broken disk.
    case torn
    /// The program ends: neither this call nor any after it is done.
    case kill
    /// The program ends in the middle of a write.
    case killTorn
  }

  /// Which call fails in which way; a test passes it to the tasks that it runs.
  package final class Plan: Sendable {
    private let fault: Fault
    private let place: Int
    private let state = Mutex<(calls: Int, isDead: Bool)>((0, false))

    /// - Parameter place: the call that fails, from 0.
    package init(_ fault: Fault, at place: Int) { (self.fault, self.place) = (fault, place) }

    /// How many calls there have been.
    package var calls: Int { state.withLock(\.calls) }

    fileprivate func next() -> Fault? {
      state.withLock { state in
        defer { state.calls += 1 }
        if state.isDead { return .kill }
        guard state.calls == place else { return nil }
        state.isDead = fault == .kill || fault == .killTorn
        return fault
      }
    }
  }

  @TaskLocal package static var plan: Plan?

  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let fault = plan?.next() else { return Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    if fault == .torn || fault == .killTorn { _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count / 2) }
    errno = fault == .full ? ENOSPC : EIO
    return -1
  }

  package static func synchronise(_ descriptor: Int32) -> Int32 { perform { fsync(descriptor) } }

  package static func cut(_ descriptor: Int32, to length: Int64) -> Int32 {
    perform { ftruncate(descriptor, off_t(length)) }
  }

  package static func rename(_ path: String, to other: String) -> Int32 { perform { Glibc.rename(path, other) } }

  package static func remove(_ path: String) -> Int32 { perform { unlink(path) } }

  private static func perform(_ call: () -> Int32) -> Int32 {
    guard let fault = plan?.next() else { return call() }
    errno = fault == .full ? ENOSPC : EIO
    return -1
  }
}
