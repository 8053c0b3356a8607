import Foundation
import Storage

/// The tables that a run derives: temporary ones of its connection, so that no run leaves the store in the state of its
/// range.
struct DerivedTables {
  let database: any Database
  let sql: String

  /// Makes them, empty.
  ///
  /// - Throws: `SQLStatementError.unreadable`, `StorageError`.
  func create() throws {
    for script in try scripts() { try database.script(script.text) }
  }

  /// Empties them, for another derivation on the same connection; new ones are empty, and truncating each takes
  /// PostgreSQL its time.
  func empty() throws {
    guard try database.integer("select 1 from moment limit 1") != nil else { return }
    for table in try names() { try database.empty(table) }
  }

  /// Lets the planner know what they hold.
  func refreshStatistics() throws { for table in try names() { try database.refreshStatistics(of: table) } }

  private func names() throws -> [String] {
    try scripts().flatMap { $0.text.matches(of: /create temp table (\w+)/).map { String($0.output.1) } }
  }

  private func scripts() throws -> [SQLStatement] {
    try SQLStatement.folder("\(sql)/schema/\(database.engine.rawValue)/run") + [
      SQLStatement(file: "\(sql)/schema/run-indexes.sql")
    ]
  }
}
