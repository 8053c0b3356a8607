import Files
import Foundation

/// The decision log: `decisions.jsonl` beside the landed records, one decision per line, append-only, and on the disk
/// before it is acknowledged.
///
/// Like the landed records and the log of alerts, it cannot be derived again (docs/contract.md section 5.9).
package struct DecisionLog: Sendable {
  package static let fileName = "decisions.jsonl"
  package let path: String

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) {
    path = landing + "/" + Self.fileName
  }

  /// A line that is not a decision.
  package struct BadLine: Error, Sendable, Equatable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String {
      "\(DecisionLog.fileName):\(line): \(reason); correct the line, or remove it: until then the decision is ignored"
    }
  }

  /// Every decision in the order in which it was made, and the lines that are not decisions.
  ///
  /// - Parameter asOf: only what had been decided by then, Unix seconds.
  /// - Throws: the error of the file system; a log that does not exist is empty.
  package func read(asOf: Int64? = nil) throws -> (decisions: [Decision], bad: [BadLine]) {
    let (decisions, bad) = try AppendedLines<Decision>(path: path).read()
    return (
      decisions.filter { decision in asOf.map { decision.at <= $0 } ?? true },
      bad.map { BadLine(line: $0.line, reason: $0.reason) }
    )
  }

  /// Adds decisions; returns once they are on the disk.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ decisions: [Decision]) throws {
    try AppendedLines<Decision>(path: path).append(decisions)
  }
}
