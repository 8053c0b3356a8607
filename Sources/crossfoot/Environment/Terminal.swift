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
  static func print(_ text: String) throws { try write(harmless(text)) }

  /// The text without characters that move the cursor or turn the direction of writing: ids come from elsewhere.
  static func harmless(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) }
    if isPlain { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 9, 10: true
    case 0..<32, 127..<160, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  private static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    } catch {
      throw Failure(.inputOutput, "cannot write to standard output")
    }
  }

  /// Prints an error message; a failure to do so is ignored.
  static func complain(_ text: String) {
    let lines = harmless(text).split(separator: "\n").map { "crossfoot: \($0)\n" }
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
    try write(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
