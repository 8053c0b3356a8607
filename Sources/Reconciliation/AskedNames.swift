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
  /// The names to derive for an id that people ask about: its own, or those of what it refers to without being a
  /// record's name (a day, the number of a batch).
  ///
  /// - Returns: empty where no more than the landed records and the kept balances can be known of it (an account, a
  ///   text that is no id).
  func namesToDerive(_ id: String, _ database: any Database) throws -> [String] {
    let published = PublishedList(database: database)
    let names = AskedNames.all(in: id)
    if let named = try names.lazy.compactMap({ try published.names(ofDiscrepancy: $0) }).first { return named }
    let days = names.flatMap { WrittenDay.readings(of: $0) + [$0] }.compactMap { BusinessDay($0) }
    let meant = try names + days.flatMap { try payouts(of: $0, database) }
    try clearDerived(database)
    return try database.transaction {
      let alive = AliveGroups(database: database, sql: resources.sql, asked: meant)
      if try alive.knowsAsked() { return meant }
      _ = try storeInputs(database)
      let search = ExplainSearch(database: database, sql: resources.sql + "/explain", providers: [])
      let found = try search.find(id, configured: providers.map(\.name) + orderSources.map(\.name))
      return found.clusters.flatMap(\.subjects).filter { $0.kind != .account && $0.kind != .connectedAccount }.map(\.id)
    }
  }

  /// Makes a day that is asked about known beside the days of the range.
  func addDays(named id: String, _ database: any Database) throws {
    for day in (WrittenDay.readings(of: id) + [id]).compactMap({ BusinessDay($0) }) {
      let bounds = calendar.bounds(of: day)
      try database.execute(
        "insert into business_day (day, ordinal, starts_at, ends_at) values ($1, -1, $2, $3) on conflict do nothing",
        [.text("\(day)"), .integer(bounds.startsAt), .integer(bounds.endsAt)])
    }
  }

  /// The payouts that were created or paid on a day, or are named after it.
  private func payouts(of day: BusinessDay, _ database: any Database) throws -> [String] {
    let bounds = calendar.bounds(of: day)
    var payouts: [String] = []
    try database.query(
      """
      select payout_id from kept_payout
      where payout_id = $1 or arrival_on = $1 or created_at >= $2 and created_at < $3
      order by provider, payout_id
      """, [.text("\(day)"), .integer(bounds.startsAt), .integer(bounds.endsAt)]
    ) { payouts.append($0.text(0) ?? "") }
    return payouts
  }

  /// Derives only what the ids name, with the discrepancies and balances of the newest publication. A story needs no
  /// more as long as nothing has landed and the configuration has not changed since. Where nothing is to be derived,
  /// the landed records remain visible as a whole.
  ///
  /// - Returns: whether it could be done.
  func deriveAsked(_ database: any Database, _ names: [String], _ timings: inout Timings) throws -> Bool {
    let published = PublishedList(database: database)
    guard !derivesWhole, asOf == nil, try published.range(in: calendar) == range, try published.isUpToDate() else {
      return false
    }
    try clearDerived(database)
    return try database.transaction {
      _ = try storeInputs(database)
      try Balances(database: database, sql: resources.sql, calendar: calendar, range: range).findBase()
      guard try isKept(database) else { return false }
      if !names.isEmpty {
        try AliveGroups(database: database, sql: resources.sql, asked: names).chooseAsked()
        logger.debug("only what is asked about is derived: nothing is new since the newest publication")
        try takeKeptTraits(database)
        _ = try derive(database, isWhole: false, &timings)
      }
      try published.restoreDiscrepancies(as: DecisionLog(landing: settings.landing.directory))
      try published.restoreBalances()
      return true
    }
  }
}
