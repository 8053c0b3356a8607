import Files
import Foundation
import Payments

/// A nightly run, whether it published a report or not: a line of `runs.jsonl` beside the landed records.
package struct RunLine: Codable, Sendable, Equatable {
  /// RFC 3339: when it began.
  package var at: String
  /// `2026-03-01`, or `2026-03-01_2026-03-31`.
  package var range: String
  package var exitStatus: Int32
  /// nil where nothing was published.
  package var verdict: String?
  /// Why nothing was published.
  package var reason: String?

  /// - Parameter at: when the run began, Unix seconds.
  package init(at: Int64, range: String, exitStatus: Int32, verdict: String? = nil, reason: String? = nil) {
    self.at = Instant.text(at)
    (self.range, self.exitStatus, self.verdict, self.reason) = (range, exitStatus, verdict, reason)
  }

  private enum CodingKeys: String, CodingKey {
    case at, range, verdict, reason
    case exitStatus = "exit_status"
  }
}

/// All runs so far, including those that published nothing. It is for people to read; no report depends on it.
package struct RunHistory: Sendable {
  package static let fileName = "runs.jsonl"
  private let landing: String
  private var file: AppendedLines<RunLine> { AppendedLines(path: "\(landing)/\(Self.fileName)") }

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { self.landing = landing }

  /// Adds a run; does nothing if the landing zone does not exist.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ run: RunLine) throws {
    guard FileManager.default.fileExists(atPath: landing) else { return }
    try file.append([run])
  }

  /// The newest runs, oldest first; lines that cannot be read are left out.
  func newest(_ count: Int) throws -> [RunLine] { Array(try file.read().lines.suffix(count)) }
}
