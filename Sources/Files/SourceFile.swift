import CZlib
import Foundation

/// A file read from beginning to end, without holding it in memory. A file compressed with gzip is decompressed while
/// it is read.
package final class SourceFile {
  /// Its name without folders, as in `quarantine.csv`.
  package let name: String
  private let descriptor: Int32
  /// Decompresses a gzip file; nil for every other one.
  private let inflater: gzFile?

  /// - Throws: `FileProblem`.
  package init(path: String) throws(FileProblem) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw FileProblem() }
    if let problem = Self.whyNoFile(descriptor) {
      close(descriptor)
      throw FileProblem("cannot be read: \(problem)")
    }
    inflater = Self.isCompressed(descriptor) ? gzopen(path, "rb") : nil
  }

  deinit {
    if let inflater { gzclose_r(inflater) }
    close(descriptor)
  }

  /// What it is if it is no file; nil: a file.
  private static func whyNoFile(_ descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "Is a directory"
    default: return "it is a pipe or a device, and not a file"
    }
  }

  /// Whether it begins with the two bytes of every gzip file.
  private static func isCompressed(_ descriptor: Int32) -> Bool {
    var magic: [UInt8] = [0, 0]
    return pread(descriptor, &magic, 2, 0) == 2 && magic == [0x1f, 0x8b]
  }

  /// Puts the next bytes into the buffer and returns how many; 0 at the end.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
    if let inflater { return try inflate(inflater, buffer) }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw FileProblem() }
    }
  }

  /// A compressed file that is truncated or corrupt is refused.
  private func inflate(_ inflater: gzFile, _ buffer: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
    let count = gzread(inflater, buffer.baseAddress, UInt32(min(buffer.count, 1 << 30)))
    var fault: Int32 = Z_OK
    _ = gzerror(inflater, &fault)
    guard count >= 0, fault == Z_OK || fault == Z_STREAM_END else {
      throw FileProblem("cannot be unpacked: it is cut off or no gzip file")
    }
    return Int(count)
  }
}

/// The system's reason why a file cannot be used.
package struct FileProblem: Error, CustomStringConvertible {
  package let description: String

  /// Takes the reason from `errno`.
  init() {
    description = "cannot be read: \(String(cString: strerror(errno)))"
  }

  init(_ description: String) { self.description = description }
}
