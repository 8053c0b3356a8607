import Decisions
import Payments
import Reports
import Storage

/// The discrepancies of the newest published range, kept in the store: the exception list refers to them, whatever
/// range was derived since.
struct PublishedList {
  let database: any Database

  private static let columns = """
    discrepancy_id, type, subject, severity, severity_rank, state, provider, account, order_id, payment_id, record_id,
      currency, expected_minor, actual_minor, difference_minor, since, first_seen, last_seen, age_days, owner,
      explanation, suggested_action, decision, note, connected_account, counts, condition
    """

  /// The newest published range; nil before the first publication.
  func range(in calendar: BusinessCalendar) throws -> ReportRange? {
    var days: (BusinessDay, BusinessDay)?
    try database.query("select first_day, last_day from published_range") { row in
      guard let first = row.text(0).flatMap(BusinessDay.init), let last = row.text(1).flatMap(BusinessDay.init) else {
        return
      }
      days = (first, last)
    }
    return days.map { ReportRange(from: $0, to: $1, in: calendar) }
  }

  /// Whether no later range is kept that had begun by now: one that had not was published by a clock that was ahead.
  func isNewest(_ range: ReportRange, now: Int64) throws -> Bool {
    let newest = try database.integer("select max(ends_at) from published_range where starts_at <= $1", [.integer(now)])
    return range.endsAt >= newest ?? .min
  }

  /// Keeps the derived discrepancies of a range, unless a later range is kept already.
  func keep(_ range: ReportRange, now: Int64) throws {
    guard try isNewest(range, now: now) else { return }
    try database.empty("published_range")
    try database.empty("published_discrepancy")
    try database.execute(
      """
      insert into published_range (first_day, last_day, starts_at, ends_at, newest_file)
      select $1, $2, $3, $4, coalesce(max(file_id), 0) from landed_file
      """,
      [.text("\(range.firstDay)"), .text("\(range.lastDay)"), .integer(range.startsAt), .integer(range.endsAt)])
    try database.execute(
      "insert into published_discrepancy (\(Self.columns)) select \(Self.columns) from discrepancy")
    try keepBalances()
  }

  private static let balance = "scope, provider, account, connected_account, currency"

  private func keepBalances() throws {
    try database.empty("published_balance")
    try database.execute(
      """
      insert into published_balance (\(Self.balance), figure, amount_minor)
      select \(Self.balance), case moment when 0 then 'opening' else 'closing' end, amount_minor from balance_at
      union all
      select \(Self.balance), figure, amount_minor from range_movement
      """)
  }

  /// Restores the kept balances into the derived tables.
  func restoreBalances() throws {
    try database.execute(
      """
      insert into balance_at (moment, \(Self.balance), amount_minor)
      select case figure when 'opening' then 0 else 1 end, \(Self.balance), amount_minor from published_balance
      where figure in ('opening', 'closing')
      """)
    try database.execute(
      """
      insert into range_movement (\(Self.balance), figure, amount_minor)
      select \(Self.balance), figure, amount_minor from published_balance
      where figure not in ('opening', 'closing')
      """)
  }

  /// Whether nothing was read since the list was kept.
  func isUpToDate() throws -> Bool {
    try database.integer(
      "select 1 from published_range where newest_file = (select coalesce(max(file_id), 0) from landed_file)") != nil
  }

  /// The ids that a discrepancy names; nil where no discrepancy of that id was published.
  func names(ofDiscrepancy id: String) throws -> [String]? {
    var names: [String]?
    try database.query(
      "select order_id, payment_id, record_id from published_discrepancy where discrepancy_id = $1", [.text(id)]
    ) { row in
      names = (0...2).flatMap { IdentifierList.names(in: row.text($0) ?? "").sorted() }
    }
    return names
  }

  /// Restores the kept discrepancies and the range's bounds into the derived tables.
  func restore() throws {
    try database.execute("insert into moment (moment, instant) select 0, starts_at from published_range")
    try database.execute("insert into moment (moment, instant) select 1, ends_at from published_range")
    try restoreDiscrepancies()
  }

  /// Restores the kept discrepancies into the derived tables, in the states that decisions have given them since.
  ///
  /// - Parameter log: the decisions.
  func restoreDiscrepancies(as log: DecisionLog) throws {
    try restoreDiscrepancies()
    let decided = Set(try log.read().decisions.map(\.discrepancyID))
    for item in try ExceptionList(database: database, log: log).items() where decided.contains(item.discrepancyID) {
      try database.execute(
        "update discrepancy set state = $1 where discrepancy_id = $2", [.text(item.state), .text(item.discrepancyID)])
    }
  }

  private func restoreDiscrepancies() throws {
    try database.execute(
      "insert into discrepancy (\(Self.columns)) select \(Self.columns) from published_discrepancy")
  }
}
