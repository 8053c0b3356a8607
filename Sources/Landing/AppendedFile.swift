import Disk
import Glibc

/// A file that is written at its end only, and made durable on request.
final class AppendedFile {
  let path: String
  private var descriptor: Int32

  /// Opens or creates the file and cuts it to its first `length` bytes.
  init(path: String, cutTo length: Int64) throws {
    descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o640)
    self.path = path
    guard descriptor >= 0 else { throw LandingError.system("open", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw LandingError.system("examine", path) }
    // A device cannot be cut.
    if status.st_mode & S_IFMT == S_IFREG, Disk.cut(descriptor, to: length) != 0 {
      throw LandingError.system("cut", path)
    }
    lseek(descriptor, 0, SEEK_END)
  }

  deinit { close() }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Disk.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if written < 0 && errno == EINTR { continue }
      guard written >= 0 else { throw LandingError.system("write", path) }
      rest = rest.dropFirst(written)
    }
  }

  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try append($0) }
  }

  /// Returns once the data is on the disk.
  func synchronise() throws {
    guard Disk.synchronise(descriptor) == 0 || errno == EINVAL else { throw LandingError.system("write", path) }
  }

  func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }
}
