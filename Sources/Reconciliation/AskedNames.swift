import Decisions
import Payments
import Storage

enum AskedNames {
  /// The names that an id may contain: `provider:row:0` is an entry of `row`, and ids may contain colons themselves.
  static func all(in id: String) -> [String] {
    let parts = id.split(separator: ":", maxSplits: 7, omittingEmptySubsequences: false)
    var names = [id]
    for first in parts.indices {
      for last in first..<parts.endIndex { names.append(parts[first...last].joined(separator: ":")) }
    }
    return names.filter { !$0.isEmpty }
  }
}

extension RecordGroups {
  /// The groups of the records that bear any of these names.
  static func groups(of names: [String], in database: any Database) throws -> [Int64] {
    guard !names.isEmpty else { return [] }
    try database.script("create temp table if not exists asked_identifier (hash bigint primary key)")
    try database.empty("asked_identifier")
    let loader = try database.bulkLoader(into: "asked_identifier", columns: ["hash"])
    for hash in Set(names.map { TextHash.identifier($0) }).sorted() {
      try loader.append(integer: hash)
      try loader.endRow()
    }
    _ = try loader.finish()
    var groups: [Int64] = []
    try database.query(
      """
      select distinct coalesce(m.to_no, i.group_no)
      from asked_identifier a
      join identifier i on i.hash = a.hash
      left join merged_group m on m.from_no = i.group_no
      """
    ) { groups.append(try $0.integer(0) ?? 0) }
    return groups.sorted()
  }
}

extension ReconciliationRun {
  /// Derives only what the ids name, with the discrepancies of the newest publication. A story needs no more as long as
  /// nothing has landed and the configuration has not changed since.
  ///
  /// - Returns: whether it could be done.
  func deriveAsked(_ database: any Database, _ names: [String], _ timings: inout Timings) throws -> Bool {
    let published = PublishedList(database: database)
    guard !derivesWhole, asOf == nil, try published.range(in: calendar) == range, try published.isUpToDate() else {
      return false
    }
    let asked = try names.lazy.compactMap { try published.names(ofDiscrepancy: $0) }.first
    // A day names whatever was created, paid or settled on it.
    guard !(asked ?? names).contains(where: { BusinessDay($0) != nil || !WrittenDay.readings(of: $0).isEmpty }) else {
      return false
    }
    try clearDerived(database)
    return try database.transaction {
      _ = try storeInputs(database)
      try Balances(database: database, sql: resources.sql, calendar: calendar, range: range).findBase()
      let alive = AliveGroups(database: database, sql: resources.sql, asked: asked ?? names)
      guard try isKept(database), try asked != nil || alive.knowsAsked() else { return false }
      try alive.chooseAsked()
      logger.debug("only what is asked about is derived: nothing is new since the newest publication")
      try takeKeptTraits(database)
      _ = try derive(database, isWhole: false, &timings)
      try published.restoreDiscrepancies(as: DecisionLog(landing: settings.landing.directory))
      return true
    }
  }
}
