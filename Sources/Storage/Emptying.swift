extension Database {
  /// Removes every row of a table, in the way that is quick on each engine.
  package func empty(_ table: String) throws {
    try execute(engine == .postgresql ? "truncate table \(table)" : "delete from \(table)")
  }

  /// Lets the planner know what the tables hold now; after a bulk change it would otherwise guess.
  package func refreshStatistics(of table: String = "") throws {
    try execute("analyze \(table)")
  }
}
