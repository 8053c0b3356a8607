import Foundation

/// A temporary file without a name in any folder: nothing is left of it, however the process ends.
final class UnnamedFile {
  private let directory: String
  private let descriptor: Int32

  /// - Throws: `ReportError` where it cannot be created.
  init(in directory: String) throws(ReportError) {
    self.directory = directory
    var template = Array("\(directory)/.crossfoot-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw ReportError(errno, directory) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ReportError) {
    try DurableFile.write(bytes, to: descriptor, path: directory)
  }

  /// Fills the buffer from `offset` on, as far as there are bytes.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ReportError) -> Int {
    var count: Int
    repeat {
      count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw ReportError(errno, directory) }
    return count
  }
}
