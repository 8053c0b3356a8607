import Foundation
import Glibc

/// A file of JSON lines that is only ever added to, and on the disk before anybody is told: the logs that cannot be derived again.
package struct AppendedLines<Line: Codable & Sendable>: Sendable {
  package let path: String

  /// - Parameter path: the file; it and its folder are made with the first line.
  package init(path: String) { self.path = path }

  /// A line that cannot be read: its number from 1, and why.
  package struct Bad: Sendable, Equatable {
    package let line: Int
    package let reason: String
  }

  /// Every line in its order, and those that cannot be read.
  ///
  /// - Throws: what the disk says; a file that does not exist holds nothing.
  package func read() throws -> (lines: [Line], bad: [Bad]) {
    guard FileManager.default.fileExists(atPath: path) else { return ([], []) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var lines: [Line] = []
    var bad: [Bad] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
      do { lines.append(try JSONDecoder().decode(Line.self, from: line)) } catch { bad.append(Bad(line: index + 1, reason: Self.reason(error))) }
    }
    return (lines, bad)
  }

  /// Adds lines; returns once the disk has them.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ lines: [Line]) throws {
    guard !lines.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data()
    for line in lines {
      bytes.append(try encoder.encode(line))
      bytes.append(UInt8(ascii: "\n"))
    }
    try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let descriptor = open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // A line that a crash cut short must not swallow the one that comes after it.
    let length = try file.seekToEnd()
    if length > 0 {
      try file.seek(toOffset: length - 1)
      if try file.read(upToCount: 1) != Data([UInt8(ascii: "\n")]) { bytes.insert(UInt8(ascii: "\n"), at: 0) }
    }
    try file.write(contentsOf: bytes)
    try file.synchronize()
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context): context.codingPath.isEmpty ? "it is no JSON" : context.debugDescription
    case .keyNotFound(let key, _): "it has no \(key.stringValue)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another type"
    default: "it cannot be read"
    }
  }
}
