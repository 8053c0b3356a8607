import Providers
import Storage

/// Finds what earlier nights left open at a provider, so that it is read again until it cannot change any more.
struct OpenRecords {
  let database: any Database
  let sql: String
  /// Records older than this many seconds are taken as settled.
  static let horizon: Int64 = 45 * 86_400

  /// Ids by stream.
  func find(for provider: any Provider, now: Int64) throws -> [String: [String]] {
    var open: [String: [String]] = [:]
    for stream in provider.streams {
      guard let kind = stream.holds else { continue }
      let statement = try Statement(file: "\(sql)/open/\(kind.rawValue).sql")
      var ids: [String] = []
      try database.read(statement, [.text(provider.name), .integer(now - Self.horizon)]) { ids.append($0.text(0) ?? "") }
      open[stream.name] = ids
    }
    return open
  }

  /// Ids by stream that need not be asked for again.
  func settled(for provider: any Provider, now: Int64) throws -> [String: Set<String>] {
    var settled: [String: Set<String>] = [:]
    for stream in provider.streams {
      guard let kind = stream.settles else { continue }
      let statement = try Statement(file: "\(sql)/open/\(kind.rawValue).sql")
      var ids: Set<String> = []
      try database.read(statement, [.text(provider.name), .integer(now - Self.horizon)]) { ids.insert($0.text(0) ?? "") }
      settled[stream.name] = ids
    }
    return settled
  }
}
