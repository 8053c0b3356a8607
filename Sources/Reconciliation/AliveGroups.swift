import Reports
import Storage

/// Which groups of records a range derives: all of them, or only those to which something can happen in it (sql/alive).
///
/// A group that is left out contributes to the range only through cumulative sums, and `kept_sum` has its part of them.
struct AliveGroups {
  let database: any Database
  let sql: String

  /// The ids that the user asked about: the records they name are derived too, however long ago they settled.
  var asked: [String] = []

  /// Finds the groups that are alive between two instants, and restricts every statement of the connection to their
  /// records.
  ///
  /// - Throws: `StorageError`, `SQLStatementError`.
  func choose(from start: Int64, to end: Int64) throws {
    try choose { statements in
      for statement in statements {
        if statement.name == Self.rowsOfPayouts {
          try addAsked()
          try addUnnamedRows()
        }
        let bounds = [SQLValue.integer(start), .integer(end)]
        try database.run(
          statement, Array(bounds.prefix(statement.text.contains("$2") ? 2 : statement.text.contains("$1") ? 1 : 0)))
      }
    }
    try KeptSums(database: database).load(settledUntil: start)
    try LandedShadows(database: database, sql: sql).make()
  }

  /// Chooses only the records that the asked ids name, with all rows of the payouts among them.
  ///
  /// - Throws: `StorageError`, `SQLStatementError`.
  func chooseAsked() throws {
    try choose { statements in
      try addAsked()
      try addUnnamedRows()
      for statement in statements.drop(while: { $0.name != Self.rowsOfPayouts }) { try database.run(statement) }
    }
    try LandedShadows(database: database, sql: sql).make()
  }

  /// Refills the tables that list what is derived.
  ///
  /// - Parameter fill: receives the statements of sql/alive in their order.
  private func choose(_ fill: ([SQLStatement]) throws -> Void) throws {
    for table in Self.chosen + ["kept_sum_at"] { try database.empty(table) }
    try fill(try SQLStatement.folder("\(sql)/alive"))
    for table in Self.chosen { try database.refreshStatistics(of: table) }
  }

  private static let chosen = ["alive_group", "alive_payout", "settled_payout"]

  private static let rowsOfPayouts = "rows-of-payouts"

  /// Matches a payout by its own id or bank reference, or by the id of one of its rows.
  private static let isNamed = ["payout_id", "bank_reference", "row_id", "failure_row_id"].map {
    "\($0) in (select name from asked_name)"
  }.joined(separator: " or ")

  /// The instants between which the balances of a range are summed from rows: from the older of the two statements that
  /// its proofs compare to the newest one.
  ///
  /// - Returns: an interval that contains at least the range itself.
  func reach(_ range: ReportRange) throws -> (start: Int64, end: Int64) {
    var reach = (start: range.startsAt, end: range.endsAt)
    try database.read(SQLStatement(file: "\(sql)/balances/05-compared.sql")) { row in
      if let oldest = try row.integer(0) { reach.start = min(reach.start, oldest) }
      if let newest = try row.integer(1) { reach.end = max(reach.end, newest) }
    }
    return reach
  }

  /// Whether any record or payout has one of the asked ids.
  func knowsAsked() throws -> Bool {
    if try !RecordGroups.groups(of: asked, in: database).isEmpty { return true }
    try storeAsked()
    return try database.integer("select 1 from kept_payout where \(Self.isNamed) limit 1") != nil
  }

  private func storeAsked() throws {
    try database.script(
      "create temp table if not exists asked_name as select payout_id as name from kept_payout limit 0")
    try database.empty("asked_name")
    let loader = try database.bulkLoader(into: "asked_name", columns: ["name"])
    for name in Set(asked).sorted() {
      try loader.append(text: name)
      try loader.endRow()
    }
    _ = try loader.finish()
  }

  /// Adds the groups of ledger rows that name a payout which does not name its own row.
  private func addUnnamedRows() throws {
    var payouts: [String] = []
    try database.query(
      """
      select a.payout_id from alive_payout a
      join stated_payout s on s.provider = a.provider and s.payout_id = a.payout_id
      where s.row_id is null
      """
    ) { row in payouts.append(row.text(0) ?? "") }
    for group in try RecordGroups.groups(of: payouts, in: database) { try add(group: group) }
  }

  private func add(group: Int64) throws {
    try database.execute(
      "insert into alive_group (group_no) values ($1) on conflict (group_no) do nothing", [.integer(group)])
  }

  /// Adds what the asked ids name; runs before the rows of payouts are added, since an id may name a payout.
  private func addAsked() throws {
    guard !asked.isEmpty else { return }
    // Settlement days have rows of their own, which are in no group.
    try add(group: 0)
    for group in try RecordGroups.groups(of: asked, in: database) { try add(group: group) }
    try storeAsked()
    try database.execute(
      """
      insert into alive_payout (provider, payout_id)
      select provider, payout_id from kept_payout where \(Self.isNamed)
      union
      select provider, payout_id from payout_step where row_id in (select name from asked_name)
      on conflict (provider, payout_id) do nothing
      """)
  }
}

/// Temporary tables with the names of the landed ones that contain only the records of the alive groups. Every
/// statement of the connection reads them without being aware of it.
struct LandedShadows {
  let database: any Database
  let sql: String

  private var tables: [String] { StoreTable.allCases.filter(\.isGrouped).map(\.name) }

  /// Creates and fills the tables.
  ///
  /// - Throws: `StorageError`, `SQLStatementError`.
  func make() throws {
    let landed = try landedSchema()
    for table in tables {
      try copy(table, of: landed)
      try database.execute(
        "insert into \(table) select t.* from alive_group a join \(landed).\(table) t on t.group_no = a.group_no")
    }
    try copy("posting", of: landed)
    try database.execute(
      "insert into posting select p.* from ledger_row l join \(landed).posting p on p.row_no = l.row_no")
    try rebind()
    // PostgreSQL copies the indexes with the table.
    if database.engine == .sqlite { try database.script(SQLStatement(file: "\(sql)/schema/landed-indexes.sql").text) }
    for table in tables + ["posting"] { try database.refreshStatistics(of: table) }
  }

  /// Drops the tables, so that the connection sees all records again.
  func drop() throws {
    guard try areThere() else { return }
    try dropViews()
    for table in tables + ["posting"] { try database.script("drop table \(temporary).\(table)") }
    try makeViews()
  }

  private func areThere() throws -> Bool {
    let question =
      switch database.engine {
      case .sqlite: "select 1 from temp.sqlite_master where type = 'table' and name = 'ledger_row'"
      case .postgresql: "select 1 where to_regclass('pg_temp.ledger_row') is not null"
      }
    return try database.integer(question) != nil
  }

  private var temporary: String { database.engine == .sqlite ? "temp" : "pg_temp" }

  /// The schema that the landed tables are in.
  private func landedSchema() throws -> String {
    switch database.engine {
    case .sqlite: "main"
    case .postgresql: try database.text("select quote_ident(current_schema())") ?? "public"
    }
  }

  private func copy(_ table: String, of landed: String) throws {
    switch database.engine {
    case .sqlite:
      let made =
        try database.text("select sql from main.sqlite_master where type = 'table' and name = $1", [.text(table)]) ?? ""
      try database.script("create temp table" + made.dropFirst("create table".count))
    case .postgresql:
      try database.script("create temp table \(table) (like \(landed).\(table) including defaults including indexes)")
    }
  }

  /// Recreates the views: PostgreSQL binds a view to the tables that it was created with.
  private func rebind() throws {
    guard database.engine == .postgresql else { return }
    try dropViews()
    try makeViews()
  }

  private func dropViews() throws {
    for script in try views().reversed() {
      let names = script.text.matches(of: /create temp view (\w+)/).map { String($0.output.1) }
      for name in names.reversed() { try database.script("drop view \(name)") }
    }
  }

  private func makeViews() throws { for script in try views() { try database.script(script.text) } }

  private func views() throws -> [SQLStatement] {
    try SQLStatement.folder("\(sql)/schema/\(database.engine.rawValue)/run").filter {
      $0.text.contains("create temp view")
    }
  }
}
