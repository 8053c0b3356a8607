import Payments
import Reports
import Storage

/// A provider's statement of what it holds.
private struct BalanceStatement {
  let landedFile: Int64
  /// Of which moment it speaks, and when it was asked for; Unix seconds.
  let observedAt: Int64
  let pulledAt: Int64
}

/// The balances at both ends of the range, what the providers state there, and what the closing is made of
/// (sql/balances).
struct Balances {
  let database: any Database
  let sql: String
  let calendar: BusinessCalendar
  let range: ReportRange

  /// The statement that each account is counted from; before groups are chosen, since kept sums rest on it.
  ///
  /// - Throws: `StorageError`, `SQLStatementError`.
  func findBase() throws {
    var statements: [[String]: [BalanceStatement]] = [:]
    try database.read(SQLStatement(file: "\(sql)/balances/10-base.sql")) { row in
      let found = BalanceStatement(
        landedFile: try row.integer(2) ?? 0, observedAt: try row.integer(3) ?? 0, pulledAt: try row.integer(4) ?? 0)
      statements[[row.text(0) ?? "", row.text(1) ?? ""], default: []].append(found)
    }
    try database.empty("balance_base")
    for (owner, found) in statements.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try database.execute(
        """
        insert into balance_base (provider, account, landed_file, at, pulled_at, holds_late)
        values ($1, $2, $3, $4, $5, $6)
        """,
        owner.map(SQLValue.text) + [
          .integer(found[0].landedFile), .integer(found[0].observedAt), .integer(found[0].pulledAt),
          .integer(try holdsLate(owner, found) ? 1 : 0),
        ])
    }
  }

  /// Whether the first statement of an account contains rows that became visible only after it: some balances do,
  /// others are of what their rows show. The second statement reports, and is asked once; until it is there, they are
  /// not in it.
  private func holdsLate(_ owner: [String], _ found: [BalanceStatement]) throws -> Bool {
    guard found.count > 1 else { return false }
    let known = try database.text(
      "select value from kept_trait where provider = $1 and trait = $2",
      [.text(owner[0]), .text("balance:\(owner[1])")])
    if let known { return known == "late" }
    var agreeing: (late: Int64, known: Int64) = (0, 0)
    let (first, second) = (found[0], found[1])
    try database.read(
      SQLStatement(file: "\(sql)/balances/12-late.sql"),
      owner.map(SQLValue.text)
        + [
          first.observedAt, first.pulledAt, second.observedAt, second.pulledAt, first.landedFile, second.landedFile,
        ].map(SQLValue.integer)
    ) { row in agreeing = (try row.integer(0) ?? 0, try row.integer(1) ?? 0) }
    return agreeing.late > agreeing.known
  }

  /// - Parameter longestDeadline: how long after its last fact a deadline of a group can pass, seconds.
  /// - Throws: `StorageError`, `SQLStatementError`.
  func derive(longestDeadline: Int64) throws {
    try database.run(SQLStatement(file: "\(sql)/balances/15-balances.sql"))
    try database.refreshStatistics(of: "balance_at")
    try database.run(SQLStatement(file: "\(sql)/balances/20-stated.sql"))
    try database.derive(SQLStatement(file: "\(sql)/balances/25-paid-rows.sql"))
    try itemise(longestDeadline)
  }

  /// Business days come from the calendar, which knows how long each was.
  private func itemise(_ longestDeadline: Int64) throws {
    let texts = 9
    let loader = try database.bulkLoader(
      into: "closing_item",
      columns: [
        "ordinal", "scope", "provider", "account", "connected_account", "currency", "kind", "payment_id", "order_id",
        "record_id", "amount_minor", "since", "age_days",
      ])
    var ordinal: Int64 = 0
    try database.read(SQLStatement(file: "\(sql)/balances/30-closing-items.sql"), [.integer(longestDeadline)]) { row in
      ordinal += 1
      try loader.append(integer: ordinal)
      for column in 0..<texts { try loader.append(text: row.text(column) ?? "") }
      try loader.append(integer: row.integer(texts) ?? 0)
      let day = try row.integer(texts + 1).map { calendar.day(containing: $0) }
      try loader.append(text: day?.description)
      try loader.append(integer: day.map { range.lastDay.date.dayNumber - $0.date.dayNumber })
      try loader.endRow()
    }
    _ = try loader.finish()
  }
}
