import Glibc

/// A file that is read from its beginning, a piece at a time.
final class StoredFile {
  let path: String
  /// How many bytes have been read.
  private(set) var offset: Int64 = 0
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LandingError.system("open", path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// Reads up to `wanted` bytes, passing them to `body` piece by piece, and returns how many there were.
  func read(_ wanted: Int64 = .max, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int64 {
    var total: Int64 = 0
    while total < wanted {
      let count = Glibc.read(descriptor, buffer.baseAddress, Int(min(Int64(buffer.count), wanted - total)))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw LandingError.system("read", path) }
      if count == 0 { break }
      total += Int64(count)
      offset += Int64(count)
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return total
  }

  /// Goes back to the first byte.
  func rewind() {
    lseek(descriptor, 0, SEEK_SET)
    offset = 0
  }
}
