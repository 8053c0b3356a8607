import Files
import Foundation
import Payments

/// A change to a closed period that became known after it was sealed: a line of `adjustments.jsonl`, never changed.
package struct Adjustment: Codable, Sendable, Equatable {
  /// The cause of the change; the raw value is the word in the report.
  package enum Reason: String, Codable, Sendable, CaseIterable {
    case lateRecord = "late_record"
    case changedRecord = "changed_record"
    case withdrawnRecord = "withdrawn_record"
    case decision
    case configuration
    case version
  }

  package var period: String
  /// SHA-256 of the seal concerned.
  var seal: String
  /// RFC 3339: when the run that found it began.
  package var learnedAt: String
  package var reason: Reason
  package var provider, account, connectedAccount, currency: String
  package var paymentID, orderID, recordID: String
  /// The id of the ledger row in the store.
  var rowID: String
  /// A column of roll_forward.csv.
  package var figure: String
  /// Minor units: the sealed amount with all earlier adjustments, the amount derived now, and the difference.
  package var before, after, change: Int64

  private enum CodingKeys: String, CodingKey {
    case period, seal, reason, provider, account, currency, figure, before, after, change
    case learnedAt = "learned_at"
    case connectedAccount = "connected_account"
    case paymentID = "payment_id"
    case orderID = "order_id"
    case recordID = "record_id"
    case rowID = "row_id"
  }
}

/// What is known of a movement that differs from what is sealed; the cause of the difference follows from it.
///
/// A record that landed after the seal is named as the cause before a changed configuration or version: a controller
/// can look it up at the provider.
struct AdjustmentCause: Equatable {
  /// Whether something was sealed or noted under the same place and figure.
  var wasSealed: Bool
  /// Whether its ledger row is still in the store.
  var isThere: Bool
  /// Whether its ledger row still moves money anywhere.
  var counts: Bool
  /// The sequence of the landed file that first had the row.
  var firstLanded: Int64
  /// The sequence of the newest landed file that said something new of the row or of a record derived with it.
  var newestChange: Int64

  /// - Parameter sealedAt: the sequence of the newest landed file that the seal rests on.
  func reason(sealedAt: Int64, isOtherConfiguration: Bool, isOtherVersion: Bool) -> Adjustment.Reason {
    if !wasSealed && firstLanded > sealedAt { return .lateRecord }
    guard isThere else { return .withdrawnRecord }
    if newestChange <= sealedAt {
      if isOtherConfiguration { return .configuration }
      if isOtherVersion { return .version }
    }
    return counts ? .changedRecord : .withdrawnRecord
  }
}

/// The log of adjustments: `adjustments.jsonl` beside the landed records, append-only.
package struct AdjustmentLog: Sendable {
  package static let fileName = "adjustments.jsonl"
  private let file: AppendedLines<Adjustment>

  /// - Parameter landing: the landing zone's folder.
  package init(landing: String) { file = AppendedLines(path: "\(landing)/\(Self.fileName)") }

  /// Every adjustment, in the order in which they became known.
  ///
  /// - Throws: the error of the file system, `AdjustmentLogError` for a line that cannot be read.
  package func read() throws -> [Adjustment] {
    let (lines, bad) = try file.read()
    if let line = bad.first { throw AdjustmentLogError(line: line.line, reason: line.reason) }
    return lines
  }

  /// The same, with at least as many lines as the seals in force rest on.
  func read(for periods: ClosedPeriods) throws -> [Adjustment] {
    let lines = try read()
    if let line = periods.effective.max(by: { $0.seal.adjustments < $1.seal.adjustments }),
      lines.count < line.seal.adjustments
    {
      throw AdjustmentLogError(
        line: lines.count + 1,
        reason: "the log ends here, and the seal of \(line.period) rests on \(line.seal.adjustments) lines of it")
    }
    return lines
  }

  func append(_ lines: [Adjustment]) throws { try file.append(lines) }
}

/// A line of the log of adjustments that cannot be read: sealed figures then cannot be compared with derived ones.
package struct AdjustmentLogError: Error, CustomStringConvertible {
  let line: Int
  let reason: String

  package var description: String {
    "\(AdjustmentLog.fileName):\(line): \(reason); restore the log and its sums from a backup"
  }
}
