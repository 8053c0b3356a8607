import Foundation

/// A file of JSON lines that is only ever added to, and on the disk before it is acknowledged: the logs that cannot be
/// derived again.
package struct AppendedLines<Line: Codable & Sendable>: Sendable {
  package let path: String

  /// - Parameter path: the file; it and its folder are made with the first line.
  package init(path: String) { self.path = path }

  /// A line that cannot be read: its number from 1, and why.
  package struct Bad: Sendable, Equatable {
    package let line: Int
    package let reason: String
  }

  /// Every line in its order, and those that cannot be read; what a crash cut short at the end does not count.
  ///
  /// - Throws: what the disk says; a file that does not exist contains nothing.
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

  /// Adds lines; returns once the disk has them, and leaves the log as it was where it cannot.
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
