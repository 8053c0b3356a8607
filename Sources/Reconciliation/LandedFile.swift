import Landing
import Payments
import Storage

/// A landed file on its way into the store: its ordinal there, and what its manifest claims.
struct LandedFile {
  let manifest: Manifest
  let id: Int64

  func origin(line: Int64) -> Origin {
    Origin(file: id, line: line, observedAt: manifest.observedAt, rangeTo: manifest.pull.rangeTo)
  }

  /// Records the file in the store; one that is damaged or was removed makes no claim.
  func record(in database: any Database, damage: String?) throws {
    let pull = manifest.pull
    try database.execute(
      """
      insert into landed_file (file_id, path, source, stream, observed_at, window_from, window_to, covers_from,
        watermark, range_from, range_to,
        complete, reason, objects, sha256, known_until, sequence, manifest_sha256, is_in_doubt)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
      """,
      [
        .integer(id), .text(manifest.path), .text(pull.provider), .text(pull.stream), .integer(manifest.observedAt),
        .integer(pull.windowFrom), .integer(pull.windowTo), .integer(pull.coversFrom),
        .integer(manifest.knownUntil ?? pull.watermark),
        .integer(pull.rangeFrom),
        .integer(pull.rangeTo), .integer(manifest.complete && damage == nil && !manifest.isLetGo ? 1 : 0),
        SQLValue(damage ?? (manifest.isLetGo ? "let go: landing.retention" : manifest.reason)),
        .integer(Int64(manifest.objects)), .text(manifest.sha256),
        .integer(damage == nil && !manifest.isLetGo ? manifest.knownUntil ?? 0 : 0),
        .integer(manifest.sequence ?? 0), .text(manifest.manifestSHA256),
        .integer(manifest.clockInDoubt == true ? 1 : 0),
      ])
  }

  /// The time span that earlier pulls of the stream had covered: a row within it that was not there before is late.
  struct Lateness {
    var coversFrom: Int64?
    var watermark: Int64?

    /// The watermark that had already covered the instant; nil: a row booked then is in time.
    func covered(_ bookedAt: Int64) -> Int64? {
      guard let watermark, let coversFrom, bookedAt < watermark, bookedAt >= coversFrom else { return nil }
      return watermark
    }
  }

  /// - Parameter ledger: the stream by whose watermark the rows of this file are late; nil: none of them ever is.
  func lateness(in database: any Database, ledger: String?) throws -> Lateness {
    var lateness = Lateness()
    guard let ledger else { return lateness }
    try database.query(
      """
      select min(covers_from), max(watermark) from landed_file
      where source = $1 and complete = 1 and is_in_doubt = 0 and stream = $2
      """, [.text(manifest.provider), .text(ledger)]
    ) { row in
      lateness = Lateness(coversFrom: try row.integer(0), watermark: try row.integer(1))
    }
    return lateness
  }
}

/// Merges the ledger rows of a file with those of earlier files: changed ones and new ones (sql/landed).
struct LedgerMerge {
  let database: any Database
  let sql: String

  func run(_ landed: LandedFile) throws {
    guard try database.integer("select 1 from ledger_row_read limit 1") != nil else { return }
    let rangeTo = SQLValue.integer(landed.manifest.pull.rangeTo)
    let observedAt = SQLValue.integer(landed.manifest.observedAt)
    for statement in try SQLStatement.folder("\(sql)/landed") {
      try database.run(statement, statement.name == "changed" ? [observedAt, rangeTo] : [])
    }
    try database.empty("ledger_row_read")
    try database.empty("posting_read")
  }
}

/// The rows derived from the movements of a settlement day: its payout to the bank, and the remainder from rounding
/// (sql/days).
struct SettlementDays {
  let database: any Database
  let sql: String

  /// Derives the days again that have rows in a landed file.
  func derive(for provider: String, file: Int64) throws {
    for statement in try SQLStatement.folder("\(sql)/days") {
      try database.run(statement, [.text(provider), .integer(file)])
    }
  }
}
