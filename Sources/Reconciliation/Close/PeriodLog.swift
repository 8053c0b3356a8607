import Cryptography
import Files
import Foundation
import Payments
import Reports

/// The log of periods: `periods.jsonl` beside the landed records, append-only, with a line for each close and each
/// reopening. Each line contains the hash of the line before it.
package struct PeriodLog: Sendable {
  package static let fileName = "periods.jsonl"
  private let file: LogFile

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = LogFile(path: "\(landing)/\(Self.fileName)") }

  /// Every close and every reopening.
  ///
  /// - Throws: the error of the file system, `PeriodLogError` for a line that cannot be read; a missing log is empty.
  package func read() throws -> ClosedPeriods {
    var lines: [PeriodLine] = []
    for (index, bytes) in try file.lines().lines.enumerated() {
      do { lines.append(try JSONDecoder().decode(PeriodLine.self, from: bytes)) } catch {
        throw PeriodLogError(line: index + 1, reason: "no line of this log")
      }
    }
    return ClosedPeriods(lines)
  }

  /// The position of a line, from 0.
  func place(of line: PeriodLine) throws -> Int { try read().lines.lastIndex(of: line) ?? -1 }

  /// Adds a line; returns once it is on the disk.
  func append(_ line: PeriodLine) throws {
    var line = line
    line.previous = try newestHash()
    try file.append([try Self.encode(line)])
  }

  /// Lines that do not contain the hash of the line before them, numbered from 1, each with a sentence.
  func chainFaults() throws -> [(line: Int, sentence: String)] {
    var faults: [(Int, String)] = []
    var before = ""
    for (index, bytes) in try file.lines().lines.enumerated() {
      let place = "\(Self.fileName):\(index + 1)"
      if let line = try? JSONDecoder().decode(PeriodLine.self, from: bytes) {
        if line.previous != before {
          faults.append((index + 1, "\(place): found another hash of the line before it than that line has"))
        }
      } else {
        faults.append((index + 1, "\(place): found no line of this log"))
      }
      before = SHA256.hash(bytes).hexadecimal
    }
    return faults
  }

  /// The lines with the hashes of their predecessors updated, after a text was erased from one of them.
  static func linked(_ lines: [Data]) throws -> [Data] {
    var linked: [Data] = []
    for bytes in lines {
      var line = try JSONDecoder().decode(PeriodLine.self, from: bytes)
      line.previous = linked.last.map { SHA256.hash($0).hexadecimal } ?? ""
      linked.append(try encode(line))
    }
    return linked
  }

  private func newestHash() throws -> String {
    try file.lines().lines.last.map { SHA256.hash($0).hexadecimal } ?? ""
  }

  private static func encode(_ line: PeriodLine) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line)
  }
}

/// A line of the log of periods that cannot be read: nothing can be claimed about closed periods then.
package struct PeriodLogError: Error, CustomStringConvertible {
  let line: Int
  let reason: String

  package var description: String {
    "\(PeriodLog.fileName):\(line): \(reason); restore the log and its sums from a backup"
  }
}

/// A line of `periods.jsonl`.
struct PeriodLine: Codable, Sendable, Equatable {
  enum Action: String, Codable, Sendable { case close, reopen }

  var action: Action
  var period: String
  /// RFC 3339.
  var at: String
  var who: String
  var reviewedBy: String?
  var note: String?
  /// The seal that the line makes or revokes.
  var seal: Seal
  /// SHA-256 of the line before it; empty on the first.
  var previous = ""

  /// The part of a seal that a line records.
  struct Seal: Codable, Sendable, Equatable {
    /// SHA-256 of seal.json.
    var sha256: String
    /// The number of the close, from 1.
    var number: Int
    /// The folder below `closed`.
    var folder: String
    /// Unix seconds; what is dated before `startsAt` and from `coversFrom` on belongs to its opening.
    var coversFrom, startsAt, endsAt: Int64
    /// The last sequence number of the landing chain that the seal rests on.
    var sequence: Int64
    /// The number of lines of `adjustments.jsonl` at the time.
    var adjustments: Int
    /// SHA-256 of the configuration that figures depend on, and of the version with its statements.
    var rules, statements: String

    /// Whether a figure cannot rest on a removed record, given its time span.
    func isComparable(_ figure: String, since letGo: Int64?) -> Bool {
      letGo.map { (figure == "opening" ? coversFrom : startsAt) >= $0 } ?? true
    }

    private enum CodingKeys: String, CodingKey {
      case sha256, number, folder, sequence, adjustments, rules, statements
      case coversFrom = "covers_from"
      case startsAt = "starts_at"
      case endsAt = "ends_at"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case action, period, at, who, note, seal, previous
    case reviewedBy = "reviewed_by"
  }
}

/// The closed periods, according to the log of periods.
package struct ClosedPeriods: Sendable {
  let lines: [PeriodLine]
  /// The seals in force, in the order of their days, which is the order in which they were made.
  let effective: [PeriodLine]

  init(_ lines: [PeriodLine]) {
    self.lines = lines
    var standing: [PeriodLine] = []
    for line in lines {
      standing.removeAll { $0.seal.sha256 == line.seal.sha256 }
      if line.action == .close { standing.append(line) }
    }
    effective = standing
  }

  package var isEmpty: Bool { effective.isEmpty }

  /// The closed periods at an instant, Unix seconds.
  func asOf(_ moment: Int64?) -> ClosedPeriods {
    guard let moment else { return self }
    return ClosedPeriods(lines.filter { (try? Instant.parse($0.at)).map { $0 <= moment } ?? false })
  }

  /// The seal of a period; nil where it is not closed.
  func seal(of period: String) -> PeriodLine? { effective.last { $0.period == period } }

  /// The seal of the period that a range begins in; nil where that period is open.
  func seal(holding range: ReportRange) -> PeriodLine? {
    effective.first { $0.seal.startsAt <= range.startsAt && range.startsAt < $0.seal.endsAt }
  }

  /// Every seal ever made, the newest last.
  var closings: [PeriodLine] { lines.filter { $0.action == .close } }

  /// The end of the newest closed period: the first open instant.
  var openFrom: Int64? { effective.last?.seal.endsAt }

  /// The seal that lists a line of the log of adjustments, by the line's position from 0; nil: none so far.
  func listing(adjustment place: Int) -> PeriodLine? { effective.first { $0.seal.adjustments > place } }
}
