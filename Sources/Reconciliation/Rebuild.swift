import Decisions
import Foundation
import Landing
import Payments
import Reports
import Storage

/// The result of a rebuild.
package struct Rebuilt: Sendable, Encodable {
  /// The location of the store, without a password.
  package var store: String
  /// How many landed files were read, and the records in them.
  package var landedFiles: Int64
  package var records: Int64
  /// How many records are in quarantine.
  package var refused: Int64
  /// The days that the store was reconciled for.
  package var range: String
  package var decisions: Int
  /// Faults of the landing zone itself, one sentence each.
  package var damage: [String]
  /// How many landed files of the former store no longer exist.
  package var missing: Int

  private enum CodingKeys: String, CodingKey {
    case store, records, refused, range, decisions, damage, missing
    case landedFiles = "landed_files"
  }

  /// The result in one line.
  package var line: String {
    let counts = "\(landedFiles) landed files, \(records) records, \(refused) refused, \(decisions) decisions"
    return "rebuilt \(store) from \(counts); reconciled for \(range)"
  }
}

/// A rebuild that would lose records that the store has.
package enum RebuildError: Error, CustomStringConvertible {
  /// The landing zone is empty.
  case nothingLanded(directory: String)

  package var description: String {
    switch self {
    case .nothingLanded(let directory):
      "landing.directory: nothing has landed in \(directory), so there is nothing to derive a store from; the store "
        + "was left as it is"
    }
  }
}

extension ReconciliationRun {
  /// Derives the whole store again from the landing zone and the decision log, beside the current store, and then
  /// replaces it.
  ///
  /// The new store is reconciled for the days that the former one was reconciled for last, else for those of the newest
  /// publication, else for those of the nightly run. So `explain`, `status` and the exception list answer as before.
  ///
  /// - Throws: `RunError.locked`, `RebuildError`, and the errors of storage, landing and checks; the store is then
  ///   unchanged.
  package func rebuild() throws -> Rebuilt {
    do { return try rebuildOnce() } catch let error as StorageError where error.isDamage { try moveStoreAside(error) }
    return try rebuildOnce()
  }

  private func rebuildOnce() throws -> Rebuilt {
    let landing = Landing(directory: settings.landing.directory)
    let rebuild = try openRebuild(url: settings.store.url.revealed, schemas: resources.sql + "/schema")
    let lock = try StoreLock(landing: settings.landing.directory, database: rebuild.standing)
    defer { lock.release() }
    try examine(rebuild.standing)
    try landing.adopt()
    let all = try landing.listing()
    if all.manifests.isEmpty && all.unreadable.isEmpty {
      throw RebuildError.nothingLanded(directory: settings.landing.directory)
    }
    var night = self
    night.range = formerRange(rebuild.standing) ?? range
    let fresh = try rebuild.fresh
    try night.derive(fresh, landing, remembered: former(rebuild.standing, landing))
    let result = try night.describe(fresh, missing: missing(rebuild.standing, all.manifests))
    try rebuild.swap()
    return result
  }

  /// The links of the landing chain that the former store noted; none where its schema differs.
  private func former(_ database: any Database, _ landing: Landing) -> [ChainLink] {
    (try? LandingFaults(database: database, landing: landing, isOurs: { _ in true }).remembered()) ?? []
  }

  private func derive(_ database: any Database, _ landing: Landing, remembered: [ChainLink]) throws {
    var timings = Timings(logger: logger)
    var reader = try makeReader(database, landing)
    reader.remembered += remembered
    try reader.catchUp(asOf: asOf)
    try DerivedTables(database: database, sql: resources.sql).create()
    try keep(database, reconcile(database, &timings))
  }

  /// The days of the last run, as far as the former store or the publications show; the former schema may be any
  /// version.
  private func formerRange(_ database: any Database) -> ReportRange? {
    var days: (first: BusinessDay, last: BusinessDay)?
    try? database.query("select min(first_day), max(last_day) from published_range") { row in
      if let first = row.text(0).flatMap(BusinessDay.init), let last = row.text(1).flatMap(BusinessDay.init) {
        days = (first, last)
      }
    }
    if let days { return ReportRange(from: days.first, to: days.last, in: calendar) }
    let latest = try? FileManager.default.destinationOfSymbolicLink(atPath: settings.reporting.output + "/latest")
    return latest.flatMap { PublishedRange(name: $0) }.map {
      ReportRange(from: $0.firstDay, to: $0.lastDay, in: calendar)
    }
  }

  /// How many files that the former store had read have left the landing zone since.
  private func missing(_ database: any Database, _ manifests: [Manifest]) -> Int {
    let there = Set(manifests.map(\.path))
    var missing = 0
    try? database.query("select path from landed_file") { row in if !there.contains(row.text(0) ?? "") { missing += 1 }
    }
    return missing
  }

  private func describe(_ database: any Database, missing: Int) throws -> Rebuilt {
    var damage: [String] = []
    try database.query("select reason from landing_fault order by place") { row in damage.append(row.text(0) ?? "") }
    return Rebuilt(
      store: try StoreURL(settings.store.url.revealed).description,
      landedFiles: try database.integer("select count(*) from landed_file") ?? 0,
      records: try database.integer("select cast(coalesce(sum(objects), 0) as bigint) from landed_file") ?? 0,
      refused: try database.integer(
        "select count(*) from (select distinct source, location, record_id from quarantine) q") ?? 0, range: range.name,
      decisions: try DecisionLog(landing: settings.landing.directory).read(asOf: asOf).decisions.count, damage: damage,
      missing: missing)
  }
}
