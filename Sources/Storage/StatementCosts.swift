import Synchronization

/// The cost of each statement, in engine steps that are the same on every machine; counted where a test asks for it.
///
/// SQLite counts the steps of its virtual machine (SQLITE_STMTSTATUS_VM_STEP). PostgreSQL counts the rows that a
/// statement reads from tables (pg_stat_xact_user_tables), within transactions only.
package final class StatementCosts: Sendable {
  /// The counter in use; nil: costs are not counted.
  @TaskLocal package static var current: StatementCosts?

  private let steps = Mutex<[String: Int64]>([:])
  private let plans = Mutex<[String: String]>([:])
  /// A statement's plan is kept from this number of steps on.
  private let explainedFrom: Int64

  /// - Parameter explainedFrom: the number of SQLite steps from which on a statement's plan is kept.
  package init(explainedFrom: Int64 = .max) { self.explainedFrom = explainedFrom }

  /// Steps so far, by the statement's text.
  package var all: [String: Int64] { steps.withLock { $0 } }

  /// How SQLite executed a statement, one line for each step; nil where the plan was not kept.
  package func plan(of sql: String) -> String? { plans.withLock { $0[sql] } }

  func add(_ sql: String, _ count: Int64, plan: () -> String = { "" }) {
    steps.withLock { $0[sql, default: 0] += count }
    if count >= explainedFrom {
      let plan = plan()
      plans.withLock { $0[sql] = plan }
    }
  }
}
