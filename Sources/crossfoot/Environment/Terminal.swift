import Foundation

/// The two streams: results go to standard output, everything else to standard error.
enum Terminal {
  /// Whether standard output is a terminal, read by a person.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether standard error is a terminal: then progress is shown.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a result.
  ///
  /// - Throws: `Failure` 74 when it cannot be written, e.g. to a full disk.
  static func print(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    } catch {
      throw Failure(.inputOutput, "cannot write to standard output")
    }
  }

  /// Prints an error message; a failure to do so is ignored.
  static func complain(_ text: String) {
    let lines = text.split(separator: "\n").map { "crossfoot: \($0)\n" }
    try? FileHandle.standardError.write(contentsOf: Data(lines.joined().utf8))
  }

  /// Prints a line about what is being done.
  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Writes a value as JSON, keys sorted.
  static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    try print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
