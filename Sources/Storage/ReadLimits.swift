/// The limits of one statement that only reads.
///
/// The time runs from the request for the first row to the handling of the last. Memory is that of the engine in this
/// process (SQLite); on PostgreSQL, whose server has its own limits, a row is at most one mebibyte.
package struct ReadLimits: Sendable, Hashable {
  package var seconds: Int64
  package var rows: Int64
  package var mebibytes: Int64

  package init(seconds: Int64, rows: Int64, mebibytes: Int64) {
    self.seconds = seconds
    self.rows = rows
    self.mebibytes = mebibytes
  }

  /// For a team's own checks and reports.
  package static let team = ReadLimits(seconds: 60, rows: 1_000_000, mebibytes: 128)
  /// For our own statements, which are tested: even the largest night must finish.
  package static let ours = ReadLimits(seconds: 86_400, rows: .max, mebibytes: 0)

  /// Whether the engine's memory is limited.
  var limitsMemory: Bool { mebibytes > 0 }
}

/// Counts what a statement has used.
final class ReadMeter {
  let limits: ReadLimits
  private let deadline: ContinuousClock.Instant
  private var rows: Int64 = 0

  init(_ limits: ReadLimits) {
    self.limits = limits
    deadline = .now + .seconds(limits.seconds)
  }

  var isLate: Bool { ContinuousClock.now >= deadline }

  /// - Throws: `StorageError.limitExceeded`.
  func countRow() throws {
    rows += 1
    if rows > limits.rows { throw StorageError.limitExceeded("more than \(limits.rows) rows") }
    if rows % 1024 == 0, isLate { throw late }
  }

  var late: StorageError { .limitExceeded("more than \(limits.seconds) seconds") }
  var large: StorageError { .limitExceeded("more than \(limits.mebibytes) MiB of memory") }
}
