import Providers
import Storage

/// What earlier nights left open at a provider, so that it is read again until it cannot change any more.
struct OpenRecords {
  let database: any Database
  let sql: String
  /// Records older than this many seconds are taken as settled.
  static let horizon: Int64 = 45 * 86_400

  /// Ids by stream.
  func find(for provider: any Provider, now: Int64) throws -> [String: [String]] {
    var open: [String: [String]] = [:]
    for stream in provider.streams {
      if let kind = stream.holds { open[stream.name] = try ids(of: kind.rawValue, at: provider.name, now) }
    }
    return open
  }

  /// Ids by stream that need not be asked for again.
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

  /// Keeps what the derived tables say is open, in place of what was kept before.
  func keep() throws {
    try database.empty("open_record")
    let kinds = OpenRecord.allCases.map(\.rawValue) + SettledRecord.allCases.map(\.rawValue)
    for kind in kinds {
      let statement = try Statement(file: "\(sql)/open/\(kind).sql")
      let loader = try database.bulkLoader(into: "open_record", columns: ["provider", "kind", "record_id", "created_at"])
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
}
