import Files
import Foundation
import Landing
import Payments

/// A landed file that somebody gave up: a line of `lost.jsonl` beside the landed records.
struct LostFile: Codable, Sendable {
  /// RFC 3339.
  var at: String
  var who: String
  /// The landed file, or its number where nothing names it.
  var place: String
  /// What was wrong with it.
  var found: String
}

/// What is lost of the landing zone for good: it makes no night incomplete any more, and no claim rests on it.
package struct LostFiles: Sendable {
  package static let fileName = "lost.jsonl"
  private let file: AppendedLines<LostFile>

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = AppendedLines(path: "\(landing)/\(Self.fileName)") }

  /// - Throws: what the disk says.
  func places() throws -> Set<String> { Set(try file.read().lines.map(\.place)) }

  func giveUp(_ faults: [LandingFault], who: String, at now: Int64) throws {
    try file.append(faults.map { LostFile(at: Instant.text(now), who: who, place: $0.place, found: "\($0.error)") })
  }
}
