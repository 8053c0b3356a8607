import Providers
import Storage

/// Records that earlier nights left open at a provider, which are read again until they can no longer change.
struct OpenRecords {
  let database: any Database
  let sql: String
  /// Records older than this many seconds are considered settled.
  static let horizon: Int64 = 45 * 86_400

  /// Ids by stream.
  func find(for provider: any Provider, now: Int64) throws -> [String: [String]] {
    var open: [String: [String]] = [:]
    for stream in provider.streams {
      if let kind = stream.holds { open[stream.name] = try ids(of: kind.rawValue, at: provider.name, now) }
    }
    return open
  }

  /// Ids by stream that need not be requested again.
  func settled(for provider: any Provider, now: Int64) throws -> [String: Set<String>] {
    var settled: [String: Set<String>] = [:]
    for stream in provider.streams {
      if let kind = stream.settles { settled[stream.name] = Set(try ids(of: kind.rawValue, at: provider.name, now)) }
    }
    return settled
  }

  private func ids(of kind: String, at provider: String, _ now: Int64) throws -> [String] {
    var ids: [String] = []
    try database.query(
      """
      select record_id from open_record
      where provider = $1 and kind = $2 and (created_at is null or created_at >= $3) order by record_id
      """, [.text(provider), .text(kind), .integer(now - Self.horizon)]
    ) { ids.append($0.text(0) ?? "") }
    return ids
  }

  /// Keeps the records that the derived tables show as open, replacing what was kept of the same records before.
  ///
  /// - Parameters:
  ///   - isWhole: everything was derived, so nothing else is open.
  ///   - now: Unix seconds; records older than the horizon are no longer requested.
  func keep(isWhole: Bool, now: Int64) throws {
    if isWhole { try database.empty("open_record") } else { try forgetDerived(now) }
    let kinds = OpenRecord.allCases.map(\.rawValue) + SettledRecord.allCases.map(\.rawValue)
    for kind in kinds {
      let statement = try SQLStatement(file: "\(sql)/open/\(kind).sql")
      let loader = try database.bulkLoader(
        into: "open_record", columns: ["provider", "kind", "record_id", "created_at"],
        replacing: ["provider", "kind", "record_id"])
      try database.read(statement) { row in
        try loader.append(text: row.text(0) ?? "")
        try loader.append(text: kind)
        try loader.append(text: row.text(1) ?? "")
        try loader.append(integer: try row.integer(2))
        try loader.endRow()
      }
      _ = try loader.finish()
    }
  }

  /// Removes the records of the derived groups, which are judged again; the others are kept.
  private func forgetDerived(_ now: Int64) throws {
    try database.execute("delete from open_record where created_at < $1", [.integer(now - Self.horizon)])
    try database.execute(
      """
      delete from open_record where exists (
        select 1
        from (
          select p.provider, p.payment_id as record_id from payment p
          union select p.provider, p.payment_id from stated_payment p
          union select l.provider, l.payment_id from ledger_row l where l.payment_id is not null
          union select r.provider, r.refund_id from refund r
          union select d.provider, d.dispute_id from dispute d
          union select i.provider, i.intent_id from intent i
          union
          select y.provider, y.payout_id from payout y
          where not exists (select 1 from settled_payout x where x.provider = y.provider and x.payout_id = y.payout_id)
        ) a
        where a.provider = open_record.provider and a.record_id = open_record.record_id)
      """)
  }
}
