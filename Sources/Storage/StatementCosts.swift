import Synchronization

/// What each statement took of its engine, in steps that are the same on every machine; counted where a test asks.
///
/// SQLite counts the steps of its virtual machine (SQLITE_STMTSTATUS_VM_STEP). PostgreSQL counts the rows that a
/// statement reads from tables (pg_stat_xact_user_tables), within transactions only.
package final class StatementCosts: Sendable {
  /// Who counts; nil: nobody.
  @TaskLocal package static var current: StatementCosts?

  private let steps = Mutex<[String: Int64]>([:])

  package init() {}

  /// Steps so far, by the statement's text.
  package var all: [String: Int64] { steps.withLock { $0 } }

  func add(_ sql: String, _ count: Int64) { steps.withLock { $0[sql, default: 0] += count } }
}
