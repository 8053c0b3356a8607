import Payments
import Reports
import Storage

/// A provider's statement of an account's balance.
private struct BalanceStatement {
  let landedFile: Int64
  /// The instant that it refers to, and when it was pulled; Unix seconds.
  let observedAt: Int64
  let pulledAt: Int64
}

/// The balances at both ends of the range, what the providers state there, and the items that make up the closing
/// balance (sql/balances).
struct Balances {
  let database: any Database
  let sql: String
  let calendar: BusinessCalendar
  let range: ReportRange

  /// Finds the statement that each account is counted from. Must run before groups are chosen, since kept sums rest on
  /// it.
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

  /// Whether the first statement of an account includes rows that became visible only after it. Some providers'
  /// balances do, others include visible rows only. The second statement decides, and the answer is kept; until there
  /// is one, such rows are taken as not included.
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
    try database.run(SQLStatement(file: "\(sql)/balances/22-stated-by-batches.sql"))
    try database.run(SQLStatement(file: "\(sql)/balances/24-range.sql"))
    try database.derive(SQLStatement(file: "\(sql)/balances/25-paid-rows.sql"))
    try itemise(longestDeadline)
  }

  /// Itemises the closing balance. Business days come from the calendar, which knows the length of each.
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
