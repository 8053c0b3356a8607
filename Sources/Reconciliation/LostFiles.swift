import Files
import Foundation
import Landing
import Payments

/// A landed file that was given up as lost: a line of `lost.jsonl` beside the landed records.
struct LostFile: Codable, Sendable {
  /// RFC 3339.
  var at: String
  var who: String
  /// The landed file, or its number where nothing names it.
  var place: String
  /// What was wrong with it.
  var found: String
}

/// The landed files that are lost for good: they no longer make a night incomplete, and no claim rests on them.
package struct LostFiles: Sendable {
  package static let fileName = "lost.jsonl"
  private let file: AppendedLines<LostFile>

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = AppendedLines(path: "\(landing)/\(Self.fileName)") }

  /// - Throws: the error of the file system.
  func places() throws -> Set<String> { Set(try file.read().lines.map(\.place)) }

  func giveUp(_ faults: [LandingFault], who: String, at now: Int64) throws {
    try file.append(faults.map { LostFile(at: Instant.text(now), who: who, place: $0.place, found: "\($0.error)") })
  }
}
