import Foundation
import Storage
import Synchronization

/// The stages from landed records to fund flows: resolve what happened, then assemble entries, flows and states.
///
/// A batch of groups is read once and written once; everything between is a function of one provider's records.
struct Assemble {
  let database: any Database
  let sql: String

  /// Payouts consist of rows of many groups, so they are derived as a whole before the batches.
  ///
  /// - Throws: `StorageError`, `SQLStatementError`.
  func derivePayouts() throws {
    for statement in try SQLStatement.folder("\(sql)/payouts") { try database.derive(statement) }
    try takeKeptPayouts()
  }

  /// Settled payouts are taken as they were last derived, since not all of their rows are derived in this run.
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

  /// Reads batches and folds their records, several at a time: each result depends on the records of its batch alone.
  ///
  /// - Throws: `StorageError`, `LoadError`.
  func fold(_ batches: ArraySlice<RecordBatch>) throws -> [FoldedBatch] {
    let loaded = try batches.map { batch in
      let loader = LandedLoader(database, batch)
      return LoadedBatch(batch: batch, instants: try loader.snapshots(), records: try loader.load())
    }
    let folded = Mutex<[Int: FoldedBatch]>([:])
    DispatchQueue.concurrentPerform(iterations: loaded.count) { place in
      let result = FoldedBatch(loaded[place])
      folded.withLock { $0[place] = result }
    }
    return folded.withLock { all in loaded.indices.compactMap { all[$0] } }
  }

  /// Writes the results of a batch.
  ///
  /// - Returns: the records that could not be derived; they are left out, and all others are written.
  /// - Throws: `StorageError`, `SQLStatementError`.
  func write(_ folded: FoldedBatch) throws -> [Unresolved] {
    try takeStated(folded.batch)
    try AssemblyWriter(database: database, batch: folded.batch).write(folded.assemblies)
    return folded.assemblies.flatMap(\.unresolved)
  }

  /// Takes over payments, refunds and disputes that are not folded from events.
  private func takeStated(_ batch: RecordBatch) throws {
    for statement in try SQLStatement.folder("\(sql)/stated") {
      let bounds: [SQLValue] = [.integer(batch.groups.lowerBound), .integer(batch.groups.upperBound)]
      try database.run(statement, bounds + (statement.text.contains("$3") ? [.integer(batch.number)] : []))
    }
  }
}

/// The records of a batch, by provider.
struct LoadedBatch: Sendable {
  let batch: RecordBatch
  /// The instants of the snapshots, the opening first.
  let instants: [Int64]
  let records: [ProviderRecords]
}

/// The results derived from the records of a batch.
struct FoldedBatch: Sendable {
  let batch: RecordBatch
  let assemblies: [Assembly]

  init(_ loaded: LoadedBatch) {
    batch = loaded.batch
    assemblies = loaded.records.map { Assembly($0, instants: loaded.instants) }
  }
}
