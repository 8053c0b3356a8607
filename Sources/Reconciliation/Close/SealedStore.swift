import Payments
import Storage

/// The store's copy of the closed periods: it is derived from the logs and the sealed folders, and can be discarded
/// with the store.
struct SealedStore {
  let database: any Database
  /// The folder `closed` in the output folder of the reports.
  let closed: String

  /// Updates the store from the logs.
  ///
  /// - Throws: `StorageError`, `SealError` where a sealed folder cannot be read.
  func catchUp(_ periods: ClosedPeriods, _ adjustments: [Adjustment]) throws {
    try database.transaction {
      var noted = Int(try database.integer("select lines from noted_adjustment") ?? 0)
      if noted > adjustments.count {
        // The log is older than the store, as after a restored backup: all of it is read again.
        for table in Self.tables { try database.empty(table) }
        noted = 0
      }
      let known = try seals()
      let wanted = Set(periods.effective.map(\.seal.sha256))
      for seal in known.subtracting(wanted) {
        for table in ["closed_period", "sealed_movement", "sealed_sum"] {
          try database.execute("delete from \(table) where seal = $1", [.text(seal)])
        }
      }
      for line in periods.effective where !known.contains(line.seal.sha256) {
        try Seal.check(line.seal, in: closed)
        try add(line, isCompared: false)
        try load(line.seal)
        for adjustment in adjustments.prefix(noted) where adjustment.seal == line.seal.sha256 {
          try apply(adjustment)
        }
      }
      try note(adjustments, from: noted)
    }
  }

  private static let tables = ["closed_period", "sealed_movement", "sealed_sum", "noted_adjustment"]

  /// Whether a run has compared all derived records with every seal.
  func isCompared() throws -> Bool {
    try database.integer("select 1 from closed_period where is_compared = 0 limit 1") == nil
  }

  /// Records whether a run has compared them.
  func setCompared(_ isCompared: Bool) throws {
    try database.execute("update closed_period set is_compared = $1", [.integer(isCompared ? 1 : 0)])
  }

  /// Adds the lines of the log from a position on.
  func note(_ adjustments: [Adjustment], from place: Int) throws {
    let known = try seals()
    for adjustment in adjustments.dropFirst(place) where known.contains(adjustment.seal) { try apply(adjustment) }
    try database.empty("noted_adjustment")
    try database.execute("insert into noted_adjustment (lines) values ($1)", [.integer(Int64(adjustments.count))])
  }

  func add(_ line: PeriodLine, isCompared: Bool) throws {
    let seal = line.seal
    try database.execute(
      """
      insert into closed_period (seal, period, covers_from, starts_at, ends_at, sequence, is_compared)
      values ($1, $2, $3, $4, $5, $6, $7)
      """,
      [
        .text(seal.sha256), .text(line.period), .integer(seal.coversFrom), .integer(seal.startsAt),
        .integer(seal.endsAt), .integer(seal.sequence), .integer(isCompared ? 1 : 0),
      ])
  }

  /// Loads the movements of a seal from its files.
  func load(_ seal: PeriodLine.Seal) throws {
    let loader = try database.bulkLoader(
      into: "sealed_movement",
      columns: [
        "provider", "row_id", "seal", "account", "connected_account", "currency", "figure", "record_id", "payment_id",
        "order_id", "amount_minor", "is_made",
      ], replacing: [])
    var sums: [SealedMovements.Key: Int64] = [:]
    try SealedMovements.read("\(closed)/\(seal.folder)") { record in
      for (key, sum) in record {
        for text in [
          key.provider, key.rowID, seal.sha256, key.account, key.connectedAccount, key.currency, key.figure,
          sum.recordID, sum.paymentID, sum.orderID,
        ] {
          try loader.append(text: text)
        }
        try loader.append(integer: sum.amountMinor)
        try loader.append(integer: sum.isMade ? 1 : 0)
        try loader.endRow()
        var place = key
        place.rowID = ""
        sums[place, default: 0] += sum.amountMinor
      }
    }
    _ = try loader.finish()
    for (key, minor) in sums { try add(minor, seal.sha256, key) }
  }

  private func apply(_ line: Adjustment) throws {
    try database.execute(
      """
      insert into sealed_movement (provider, row_id, seal, account, connected_account, currency, figure, record_id,
        payment_id, order_id, amount_minor, is_made)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
        coalesce((select 1 from ledger_row l where l.provider = $1 and l.row_id = $2 and l.row_no < 0), 0))
      on conflict (provider, row_id, seal, account, connected_account, currency, figure) do update set
        amount_minor = sealed_movement.amount_minor + excluded.amount_minor
      """,
      [
        .text(line.provider), .text(line.rowID), .text(line.seal), .text(line.account), .text(line.connectedAccount),
        .text(line.currency), .text(line.figure), .text(line.recordID), .text(line.paymentID), .text(line.orderID),
        .integer(line.change),
      ])
    try add(
      line.change, line.seal,
      SealedMovements.Key(
        provider: line.provider, account: line.account, connectedAccount: line.connectedAccount,
        currency: line.currency, figure: line.figure, rowID: ""))
  }

  private func add(_ minor: Int64, _ seal: String, _ key: SealedMovements.Key) throws {
    try database.execute(
      """
      insert into sealed_sum (seal, provider, account, connected_account, currency, figure, amount_minor)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (seal, provider, account, connected_account, currency, figure) do update set
        amount_minor = sealed_sum.amount_minor + excluded.amount_minor
      """,
      [
        .text(seal), .text(key.provider), .text(key.account), .text(key.connectedAccount), .text(key.currency),
        .text(key.figure), .integer(minor),
      ])
  }

  private func seals() throws -> Set<String> {
    var seals: Set<String> = []
    try database.query("select seal from closed_period") { row in seals.insert(row.text(0) ?? "") }
    return seals
  }
}
