import Foundation
import Storage

/// The tables that a run derives. They are temporary tables of its connection, so no run leaves results for its range
/// in the store.
struct DerivedTables {
  let database: any Database
  let sql: String

  /// Creates the tables, empty.
  ///
  /// - Throws: `SQLStatementError.unreadable`, `StorageError`.
  func create() throws {
    for script in try scripts() { try database.script(script.text) }
  }

  /// Empties the tables for another derivation on the same connection. New tables are empty already, and truncating
  /// each takes PostgreSQL time.
  func empty() throws {
    guard try database.integer("select 1 from moment limit 1") != nil else { return }
    for table in try names() { try database.empty(table) }
  }

  /// Updates the planner's statistics about them.
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
