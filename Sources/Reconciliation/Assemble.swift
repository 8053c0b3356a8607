import Storage

/// The stages from landed records to fund flows: resolve what happened, then assemble entries, flows and states.
///
/// A batch of groups is read once and written once; everything between is a function of one provider's records.
struct Assemble {
  let database: any Database
  let sql: String

  /// Payouts are made of rows of many groups: they are derived before the batches, whole.
  ///
  /// - Throws: `StorageError`, `StatementError`.
  func derivePayouts() throws {
    for statement in try Statement.folder("\(sql)/payouts") { try database.derive(statement) }
    try takeKeptPayouts()
  }

  /// Payouts that are settled stand as they were derived last: not all of their rows are derived now.
  private func takeKeptPayouts() throws {
    let columns = StoreTable.statedPayout.columns.joined(separator: ", ")
    try database.execute(
      """
      delete from payout where exists (
        select 1 from settled_payout x where x.provider = payout.provider and x.payout_id = payout.payout_id)
      """)
    try database.execute(
      """
      insert into payout (\(columns)) select \(columns) from kept_payout k where exists (
        select 1 from settled_payout x where x.provider = k.provider and x.payout_id = k.payout_id)
      """)
  }

  /// - Returns: what could not be derived; it is left out, and the rest is not.
  /// - Throws: `StorageError`, `StatementError`, `LoadError`.
  func run(_ batch: RecordBatch) throws -> [Unresolved] {
    let loader = LandedLoader(database, batch)
    let instants = try loader.snapshots()
    let assemblies = try loader.load().map { Assembly($0, instants: instants) }
    try takeStated(batch)
    try AssemblyWriter(database: database, batch: batch).write(assemblies)
    return assemblies.flatMap(\.unresolved)
  }

  /// Payments, refunds and disputes that are not folded from events.
  private func takeStated(_ batch: RecordBatch) throws {
    for statement in try Statement.folder("\(sql)/stated") {
      let bounds: [SQLValue] = [.integer(batch.groups.lowerBound), .integer(batch.groups.upperBound)]
      try database.run(statement, bounds + (statement.text.contains("$3") ? [.integer(batch.number)] : []))
    }
  }
}
