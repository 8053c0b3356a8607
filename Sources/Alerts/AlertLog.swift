import Files
import Foundation
import Payments

/// A line of `alerts.jsonl`: a message that is about to be sent, or its result.
struct AlertLine: Codable, Sendable {
  enum Outcome: String, Codable, Sendable {
    /// About to be sent: without a later line with the same key, the program ended before the receiver's answer came.
    case sending
    case sent
    /// Not delivered: the next run sends its changes.
    case failed
    /// Possibly delivered: repeated unchanged, under the same key.
    case lost
  }
  /// RFC 3339.
  var at: String
  /// The channel's stable name, which is not its address.
  var channel: String
  /// The idempotency key, or the Message-ID's left half.
  var key: String
  var outcome: Outcome
  var rangeEnd: Int64?
  /// The changes in it; for `sending` only.
  var changes: [Change]?
  /// The message as it is rendered; for `sending` only.
  var digest: Digest?

  private enum CodingKeys: String, CodingKey {
    case at, channel, key, outcome, changes, digest
    case rangeEnd = "range_end"
  }
}

/// What has been delivered to one channel so far.
struct DeliveryHistory: Sendable {
  struct Fact: Sendable {
    var change: Change
    var rangeEnd: Int64
  }
  /// The newest change of each discrepancy and of each range's verdict, by id.
  private(set) var facts: [String: Fact] = [:]
  /// The number of messages ever delivered: part of the next key.
  private(set) var count = 0
  /// Messages whose answer was lost, oldest first.
  private(set) var unanswered: [AlertLine] = []

  init(_ lines: [AlertLine], channel: String) {
    var open: [String: AlertLine] = [:]
    var order: [String] = []
    for line in lines where line.channel == channel {
      switch line.outcome {
      case .sending:
        if open.updateValue(line, forKey: line.key) == nil { order.append(line.key) }
      case .failed: open[line.key] = nil
      case .lost: break
      case .sent:
        if let sent = open.removeValue(forKey: line.key) { add(sent) }
      }
    }
    unanswered = order.reduce(into: []) { found, key in
      if let line = open.removeValue(forKey: key) { found.append(line) }
    }
  }

  /// Adds the changes of a delivered message.
  mutating func add(_ line: AlertLine) {
    count += 1
    for change in line.changes ?? [] { facts[change.id] = Fact(change: change, rangeEnd: line.rangeEnd ?? 0) }
  }
}

/// The log of alerts: `alerts.jsonl` beside the landed records.
///
/// Together with the landed records and the decisions, it is what cannot be derived again
/// (docs/contract.md section 5.9). One program at a time uses it.
package final class AlertLog {
  package static let fileName = "alerts.jsonl"
  private let file: AppendedLines<AlertLine>
  private var lock: Int32 = -1

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = AppendedLines(path: landing + "/" + Self.fileName) }

  /// Unlocked before it is closed: a program that this one is just starting may still have the file open.
  deinit {
    guard lock >= 0 else { return }
    _ = flock(lock, LOCK_UN)
    close(lock)
  }

  /// Locks the log for this program; false while another has it.
  func seize() throws -> Bool {
    try FileManager.default.createDirectory(
      atPath: (file.path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    lock = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
    guard lock >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return flock(lock, LOCK_EX | LOCK_NB) == 0
  }

  /// All lines that can be read, and a sentence for each one that cannot.
  func read() throws -> (lines: [AlertLine], warnings: [String]) {
    let torn = try LogFile(path: file.path).mend()
    let (lines, bad) = try file.read()
    return (
      lines,
      [torn].compactMap { $0 }
        + bad.map { "\(Self.fileName):\($0.line): \($0.reason); its alerts may be repeated" }
    )
  }

  func append(_ line: AlertLine) throws { try file.append([line]) }
}
