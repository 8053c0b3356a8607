extension Database {
  /// Removes every row of a table, in the way that is quick on each engine.
  package func empty(_ table: String) throws {
    try execute(engine == .postgresql ? "truncate table \(table)" : "delete from \(table)")
  }

  /// Lets the planner know what a table holds now; after a bulk change it would otherwise guess.
  package func refreshStatistics(of table: String) throws {
    // SQLite looks at a sample only: the whole of a large table would cost more than the plan is worth.
    if engine == .sqlite { try script("pragma analysis_limit = 1000") }
    try execute("analyze \(table)")
  }
}
