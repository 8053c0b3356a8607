import Foundation

/// A file of JSON lines that is only ever appended to, with each line on the disk before it is acknowledged: for logs
/// that cannot be derived again.
package struct AppendedLines<Line: Codable & Sendable>: Sendable {
  package let path: String

  /// - Parameter path: the file; it and its folder are created with the first line.
  package init(path: String) { self.path = path }

  /// A line that cannot be read: its number from 1, and why.
  package struct Bad: Sendable, Equatable {
    package let line: Int
    package let reason: String
  }

  /// Every line in order, and those that cannot be read; a line that a crash truncated at the end does not count.
  ///
  /// - Throws: the error of the disk; a file that does not exist is empty.
  package func read() throws -> (lines: [Line], bad: [Bad]) {
    var lines: [Line] = []
    var bad: [Bad] = []
    for (index, line) in try LogFile(path: path).lines().lines.enumerated() where !line.isEmpty {
      do { lines.append(try JSONDecoder().decode(Line.self, from: line)) } catch {
        bad.append(Bad(line: index + 1, reason: Self.reason(error)))
      }
    }
    return (lines, bad)
  }

  /// Appends lines; returns once they are on the disk, and leaves the log unchanged on failure.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ lines: [Line]) throws {
    guard !lines.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try LogFile(path: path).append(lines.map { try encoder.encode($0) })
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context): context.codingPath.isEmpty ? "it is not JSON" : context.debugDescription
    case .keyNotFound(let key, _): "it has no \(key.stringValue)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another type"
    default: "it cannot be read"
    }
  }
}
