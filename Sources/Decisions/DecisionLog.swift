import Foundation
import Glibc

/// The decision log: `decisions.jsonl` beside the landed records, a decision a line, only ever added to, and on the disk before anybody is told.
///
/// With the landed records and the log of alerts it is what cannot be derived again (contracts.md section 5).
package struct DecisionLog: Sendable {
  package static let fileName = "decisions.jsonl"
  package let path: String

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) {
    path = landing + "/" + Self.fileName
  }

  /// A line that is no decision.
  package struct BadLine: Error, Sendable, Equatable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String {
      "\(DecisionLog.fileName):\(line): \(reason); mend the line, or remove it: until then that decision does not count"
    }
  }

  /// Every decision in the order in which it was made, and the lines that are none.
  ///
  /// - Parameter asOf: only what had been decided by then, Unix seconds.
  /// - Throws: what the disk says; a log that does not exist holds nothing.
  package func read(asOf: Int64? = nil) throws -> (decisions: [Decision], bad: [BadLine]) {
    guard FileManager.default.fileExists(atPath: path) else { return ([], []) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var decisions: [Decision] = []
    var bad: [BadLine] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
      do {
        let decision = try JSONDecoder().decode(Decision.self, from: line)
        if asOf.map({ decision.at <= $0 }) ?? true { decisions.append(decision) }
      } catch {
        bad.append(BadLine(line: index + 1, reason: Self.reason(error)))
      }
    }
    return (decisions, bad)
  }

  /// Adds decisions; returns once the disk has them.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ decisions: [Decision]) throws {
    guard !decisions.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data()
    for decision in decisions {
      bytes.append(try encoder.encode(decision))
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
