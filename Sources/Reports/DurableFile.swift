import CXLSXWriter
import Foundation

/// A new file that is on the disk once it is finished: written, flushed and closed, with every step checked.
final class DurableFile {
  let path: String
  private var descriptor: Int32
  private let isFlushed: Bool

  /// - Parameter isFlushed: whether `finish` waits for the disk; one of very many files is flushed with the others, by
  ///   `flushAll`.
  /// - Throws: `ReportError` when the file exists or cannot be created.
  init(path: String, isFlushed: Bool = true) throws(ReportError) {
    self.path = path
    self.isFlushed = isFlushed
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw ReportError(errno, path) }
  }

  /// Opens an existing file, such as a test's device that is always full.
  init(existing path: String) throws(ReportError) {
    self.path = path
    isFlushed = true
    descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportError(errno, path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ReportError) {
    try Self.write(bytes, to: descriptor, path: path)
  }

  /// Writes all of the bytes to an open file; errors name `path`.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(ReportError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw ReportError(errno, path)
      }
      rest = rest.dropFirst(written)
    }
  }

  func finish() throws(ReportError) {
    if isFlushed { guard fsync(descriptor) == 0 else { throw ReportError(errno, path) } }
    let closed = close(descriptor)
    descriptor = -1
    guard closed == 0 else { throw ReportError(errno, path) }
  }

  /// Flushes a file that others wrote, or the entries of a folder.
  static func flush(_ path: String) throws(ReportError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportError(errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw ReportError(errno, path) }
  }

  /// Flushes everything that was written to the file system of a folder: cheaper than one flush for each of very many
  /// files.
  static func flushAll(_ folder: String) throws(ReportError) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportError(errno, folder) }
    defer { close(descriptor) }
    guard syncfs(descriptor) == 0 else { throw ReportError(errno, folder) }
  }
}

extension ReportError {
  /// The system's error about a path.
  init(_ code: Int32, _ path: String) {
    self =
      code == ENOSPC || code == EDQUOT
      ? .diskFull(path: path) : .cannotWrite(path: path, reason: String(cString: strerror(code)))
  }
}
