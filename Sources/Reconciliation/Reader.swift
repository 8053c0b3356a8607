import JSON
import Landing
import Logging
import Payments
import Providers
import Storage

/// The stage from landing zone to store: reads every landed file that the store has not read yet, in the order in which it landed.
///
/// Each file is one transaction, so that a kill at any moment leaves whole files. A record that cannot be read is quarantined with file, line,
/// path and reason, and the rest is read.
struct Reader {
  let database: any Database
  let landing: Landing
  /// The reader of each provider, by configured name.
  let readers: [String: any RecordReader]
  /// What each provider says of its streams, by configured name.
  let streams: [String: [StreamDescription]]
  /// The order sources' names.
  let orderSources: Set<String>
  let sql: String
  let logger: Logger

  /// Reads what had landed by `asOf` (everything when nil) and is not in the store yet.
  ///
  /// - Returns: how many records were read.
  @discardableResult
  func catchUp(asOf: Int64? = nil) throws -> Int {
    var known = Set<String>()
    try database.query("select path from landed_file") { row in known.insert(row.text(0) ?? "") }
    var nextID = (try database.integer("select max(file_id) from landed_file") ?? 0) + 1
    let (manifests, unreadable) = try landing.listing(asOf: asOf)
    try keepAside(unreadable)
    try rememberAccounts(manifests)
    var count = 0
    let groups = try RecordGroups(database)
    for manifest in manifests where isOurs(manifest) && !known.contains(manifest.path) {
      count += try read(manifest, id: nextID, groups)
      nextID += 1
    }
    try groups.relabel()
    try database.script(Statement(file: "\(sql)/schema/landed-indexes.sql").text)
    if count > 0 { for table in StoreTable.allCases where !table.isStaging { try database.refreshStatistics(of: table.name) } }
    return count
  }

  private func isOurs(_ manifest: Manifest) -> Bool {
    readers[manifest.provider] != nil || orderSources.contains(manifest.provider)
  }

  /// The source of what is wrong with the landing zone itself.
  static let landingZone = "landing"

  /// A manifest that cannot be read says nothing about its file: it stands in the quarantine until it is mended.
  private func keepAside(_ unreadable: [LandingError]) throws {
    try database.execute("delete from quarantine where landed_file is null")
    for error in unreadable {
      try database.execute(
        "insert into quarantine (source, stream, location, record_id, reason, silences, landed_file) values ($1, $2, $3, $4, $5, 0, null)",
        [.text(Reader.landingZone), "", .text(error.file ?? ""), "", .text("\(error)")])
    }
  }

  /// A provider's own account stands in a stream of its own, which is read before the records that carry it.
  private func rememberAccounts(_ manifests: [Manifest]) throws {
    let parser = JSONParser()
    let sink = StoreSink(database, LandedFile.Lateness(), nil, file: 0)
    for manifest in manifests where manifest.stream == "account" {
      guard let reader = readers[manifest.provider] else { continue }
      let origin = Origin(file: 0, line: 1, observedAt: manifest.observedAt, rangeTo: manifest.pull.rangeTo)
      do {
        try landing.read(manifest) { bytes, _ in
          try parser.parse(bytes, hasPadding: true) { try reader.read($0, stream: "account", from: origin, into: sink) }
        }
      } catch { logger.warning("the account of \(manifest.provider) could not be read: \(error)") }
    }
  }

  private func read(_ manifest: Manifest, id: Int64, _ groups: RecordGroups) throws -> Int {
    try database.transaction {
      let landed = LandedFile(manifest: manifest, id: id)
      let lateness = try landed.lateness(in: database, ledger: ledger(of: manifest))
      let (refusal, tables) = try load(landed, lateness, groups)
      try landed.record(in: database, damage: refusal)
      if readers[manifest.provider] != nil { try LedgerMerge(database: database, sql: sql).run(landed) }
      if tables.contains(.settledNet) { try SettlementDays(database: database, sql: sql).derive(for: manifest.provider) }
      try groups.flush(tables: tables.filter(\.isGrouped), file: id)
      return manifest.objects
    }
  }

  /// The stream by whose watermark a file's rows are late: its own where it carries the ledger or is a folder, else the one that does.
  private func ledger(of manifest: Manifest) -> String? {
    if let folder = streams[manifest.provider]?.first(where: { $0.name == manifest.stream && $0.isFolder }) {
      return folder.datesRows ? folder.name : nil
    }
    let ledgers = (streams[manifest.provider] ?? []).filter { $0.subjects.contains("ledger") }
    guard let own = ledgers.first(where: { $0.name == manifest.stream }) ?? ledgers.first, own.datesRows else { return nil }
    return own.name
  }

  /// Loads the lines of a file.
  ///
  /// - Returns: what is wrong with the file as a whole, if anything is, and the tables that its rows went into.
  private func load(_ landed: LandedFile, _ lateness: LandedFile.Lateness, _ groups: RecordGroups) throws -> (damage: String?, tables: Set<StoreTable>) {
    let sink = StoreSink(database, lateness, groups, file: landed.id)
    var damage: String?
    do {
      try lines(of: landed, into: sink)
    } catch let error as LandingError {
      damage = "\(error)"
      try sink.quarantine(
        Refused(
          source: landed.manifest.provider, stream: landed.manifest.stream, location: landed.manifest.path, recordID: "",
          reason: "\(error)", file: landed.id))
    }
    let tables = sink.tables
    try sink.finish()
    return (damage, tables)
  }

  private func lines(of landed: LandedFile, into sink: StoreSink) throws {
    let parser = JSONParser()
    let bounded = BoundedSink(sink)
    let manifest = landed.manifest
    let reader = readers[manifest.provider]
    let orders = OrderRecords(
      database: database, source: manifest.provider, stream: manifest.stream, hasRivals: orderSources.count > 1)
    try landing.read(manifest) { bytes, line in
      let origin = landed.origin(line: Int64(line))
      do {
        try parser.parse(bytes, hasPadding: true) { record in
          if let reader {
            try reader.read(record, stream: manifest.stream, from: origin, into: bounded)
          } else {
            try orders.read(record, from: origin, into: sink)
          }
        }
      } catch let refused as RefusedRecord {
        logger.warning("\(manifest.provider): \(refused)")
        try sink.quarantine(
          Refused(
            source: manifest.provider, stream: manifest.stream, location: refused.location, recordID: refused.recordID,
            reason: refused.reason, silences: refused.silences, isStray: refused.isStray, file: landed.id))
      } catch let error where !(error is StorageError) {
        logger.warning("\(manifest.path):\(line): \(error)")
        let recordID = try? parser.parse(bytes, hasPadding: true) { try reader?.id(of: $0) ?? $0["id"].optionalString() }
        try sink.quarantine(
          Refused(
            source: manifest.provider, stream: manifest.stream, location: "\(manifest.path):\(line)",
            recordID: (recordID ?? nil) ?? "",
            reason: "\(error)", file: landed.id))
      }
    }
  }
}
