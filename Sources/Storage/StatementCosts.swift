import Synchronization

/// What each statement took of its engine, in steps that are the same on every machine; counted where a test asks.
///
/// SQLite counts the steps of its virtual machine (SQLITE_STMTSTATUS_VM_STEP). PostgreSQL counts the rows that a
/// statement reads from tables (pg_stat_xact_user_tables), within transactions only.
package final class StatementCosts: Sendable {
  /// Who counts; nil: nobody.
  @TaskLocal package static var current: StatementCosts?

  private let steps = Mutex<[String: Int64]>([:])
  private let plans = Mutex<[String: String]>([:])
  /// From so many steps of one statement on its plan is kept.
  private let explainedFrom: Int64

  /// - Parameter explainedFrom: steps of one statement on SQLite from which on its plan is kept.
  package init(explainedFrom: Int64 = .max) { self.explainedFrom = explainedFrom }

  /// Steps so far, by the statement's text.
  package var all: [String: Int64] { steps.withLock { $0 } }

  /// How SQLite carried a statement out, a line a step; nil where it was not kept.
  package func plan(of sql: String) -> String? { plans.withLock { $0[sql] } }

  func add(_ sql: String, _ count: Int64, plan: () -> String = { "" }) {
    steps.withLock { $0[sql, default: 0] += count }
    if count >= explainedFrom {
      let plan = plan()
      plans.withLock { $0[sql] = plan }
    }
  }
}
