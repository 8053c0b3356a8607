import Foundation

/// A file read from its beginning to its end, without holding it in memory.
package final class SourceFile {
  /// Its name without folders, as it stands in `quarantine.csv`.
  package let name: String
  private let descriptor: Int32

  /// - Throws: `FileProblem`.
  package init(path: String) throws(FileProblem) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw FileProblem() }
  }

  deinit { close(descriptor) }

  /// Puts the next bytes into the buffer and returns how many; 0 at the end.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw FileProblem() }
    }
  }
}

/// The system's reason why a file cannot be used.
package struct FileProblem: Error, CustomStringConvertible {
  package let description: String

  /// Takes the reason from `errno`.
  init() {
    description = "cannot be read: \(String(cString: strerror(errno)))"
  }
}
