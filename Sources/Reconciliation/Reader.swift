import HTTP
import JSON
import Landing
import Logging
import Payments
import Providers
import Storage

/// The stage from landing zone to store: reads every landed file that the store has not read yet, in landing order.
///
/// Each file is one transaction, so a process killed at any time leaves whole files. A record that cannot be read is
/// quarantined with file, line, path and reason, and the rest is read.
struct Reader {
  let database: any Database
  let landing: Landing
  /// The reader of each provider, by configured name.
  let readers: [String: any RecordReader]
  /// The streams that each provider describes, by configured name.
  let streams: [String: [StreamDescription]]
  /// The order sources' names.
  let orderSources: Set<String>
  let sql: String
  let logger: Logger
  /// The settings by which each provider's lines are read, by configured name.
  var settings: [String: String] = [:]

  /// What others than the store noted of the landing chain.
  var remembered: [ChainLink] = []

  /// Reads what had landed by `asOf` (everything when nil) and is not in the store yet, and records files that are not
  /// as they were landed.
  ///
  /// - Parameter examined: further files to compare with their hashes, besides those that are read.
  /// - Returns: how many records were read.
  /// - Throws: `OutdatedStore`, and what storage and landing throw.
  @discardableResult
  func catchUp(asOf: Int64? = nil, examining examined: (Manifest) -> Bool = { _ in false }) throws -> Int {
    var known: [String: String] = [:]
    try database.query("select path, sha256 from landed_file") { row in known[row.text(0) ?? ""] = row.text(1) ?? "" }
    var nextID = (try database.integer("select max(file_id) from landed_file") ?? 0) + 1
    let faults = LandingFaults(database: database, landing: landing, isOurs: { isOurs(source: $0) })
    let survey = try landing.survey(remembered: faults.remembered() + remembered)
    let manifests = survey.manifests.filter { manifest in asOf.map { manifest.observedAt <= $0 } ?? true }
    if let changed = manifests.first(where: { $0.amendment != nil && $0.sha256 != known[$0.path, default: $0.sha256] })
    {
      let what = changed.isLetGo ? "was let go" : "had a text erased"
      throw OutdatedStore(description: "\(changed.path) \(what), and its records as they were are in the store")
    }
    try rememberAccounts(manifests)
    try compareSettings()
    var count = 0
    let groups = try RecordGroups(database)
    let clock = LandingClock(database: database)
    var doubted: Manifest?
    for manifest in manifests where isOurs(source: manifest.provider) && known[manifest.path] == nil {
      if let last = doubted, last.batch != manifest.batch { try clock.settle(last) }
      count += try read(try clock.ordered(manifest), id: nextID, groups)
      doubted = manifest.clockInDoubt == true ? manifest : nil
      nextID += 1
    }
    if let doubted { try clock.settle(doubted) }
    try faults.replace(by: survey, asOf: asOf, examined: examined)
    try groups.relabel()
    try database.script(SQLStatement(file: "\(sql)/schema/landed-indexes.sql").text)
    if count > 0 {
      for table in StoreTable.allCases where !table.isStaging { try database.refreshStatistics(of: table.name) }
    }
    return count
  }

  /// Compares the settings by which lines were read with the present ones, and keeps those of new providers.
  ///
  /// Rows that were read while nothing named their account are read again as soon as something does.
  private func compareSettings() throws {
    for (source, configured) in settings.sorted(by: { $0.key < $1.key }) {
      let kept = try database.text("select settings from read_setting where source = $1", [.text(source)])
      let lacksAccount = readers[source]?.lacksAccount ?? false
      let present = lacksAccount ? configured + "\naccount not known" : configured
      if kept == present || lacksAccount && kept == configured { continue }
      let rows = "select 1 from landed_file where source = $1 and objects > 0 limit 1"
      let hasRead = try database.integer(rows, [.text(source)]) != nil
      if kept != nil && hasRead {
        throw OutdatedStore(description: "the settings by which records of \(source) are read have changed")
      }
      try database.execute("delete from read_setting where source = $1", [.text(source)])
      try database.execute(
        "insert into read_setting (source, settings) values ($1, $2)", [.text(source), .text(present)])
    }
  }

  private func isOurs(source: String) -> Bool { readers[source] != nil || orderSources.contains(source) }

  /// The source name for faults of the landing zone itself.
  static let landingZone = "landing"

  /// Loads each provider's own account, which has a stream of its own and is read before the records that refer to it:
  /// the newest account record that can be read counts.
  private func rememberAccounts(_ manifests: [Manifest]) throws {
    let parser = JSONParser()
    let sink = StoreSink(database, LandedFile.Lateness(), nil, file: 0)
    var known: Set<String> = []
    for manifest in manifests.reversed() where manifest.stream == "account" && manifest.objects > 0 {
      guard let reader = readers[manifest.provider], !known.contains(manifest.provider) else { continue }
      let origin = Origin(file: 0, line: 1, observedAt: manifest.observedAt, rangeTo: manifest.pull.rangeTo)
      do {
        try landing.read(manifest) { bytes, _ in
          try parser.parse(bytes, hasPadding: true) { try reader.read($0, stream: "account", from: origin, into: sink) }
        }
        known.insert(manifest.provider)
      } catch { logger.warning("the account of \(manifest.provider) could not be read: \(error)") }
    }
  }

  private func read(_ manifest: Manifest, id: Int64, _ groups: RecordGroups) throws -> Int {
    try database.transaction {
      let landed = LandedFile(manifest: manifest, id: id)
      let lateness = try landed.lateness(in: database, ledger: ledger(of: manifest))
      let (refusal, tables) = try load(landed, lateness, groups)
      try landed.record(in: database, damage: refusal.map { "\($0)" })
      if let refusal { try note(refusal, of: manifest, id: id) }
      if readers[manifest.provider] != nil { try LedgerMerge(database: database, sql: sql).run(landed) }
      if tables.contains(.settledNet) {
        try SettlementDays(database: database, sql: sql).derive(for: manifest.provider, file: id)
      }
      try groups.flush(tables: tables.filter(\.isGrouped), file: id)
      return manifest.objects
    }
  }

  /// Records that a file could not be read: it makes no claims, and is read again when it is whole.
  private func note(_ error: LandingError, of manifest: Manifest, id: Int64) throws {
    let fault = LandingFault(
      file: manifest.path, sequence: manifest.sequence, link: manifest.link, isOfFile: true, error: error)
    try database.execute("delete from landing_fault where place = $1", [.text(fault.place)])
    try LandingFaults.insert(fault, source: manifest.provider, id: id, isRead: false, in: database)
  }

  /// The stream by whose watermark a file's rows are late: its own if it carries the ledger or is a folder, otherwise
  /// the stream that carries the ledger.
  private func ledger(of manifest: Manifest) -> String? {
    if let folder = streams[manifest.provider]?.first(where: { $0.name == manifest.stream && $0.isFolder }) {
      return folder.datesRows ? folder.name : nil
    }
    let ledgers = (streams[manifest.provider] ?? []).filter { $0.subjects.contains("ledger") }
    guard let own = ledgers.first(where: { $0.name == manifest.stream }) ?? ledgers.first, own.datesRows else {
      return nil
    }
    return own.name
  }

  /// Loads the lines of a file.
  ///
  /// - Returns: what is wrong with the file as a whole, if anything, and the tables that its rows went into.
  private func load(_ landed: LandedFile, _ lateness: LandedFile.Lateness, _ groups: RecordGroups) throws -> (
    damage: LandingError?, tables: Set<StoreTable>
  ) {
    let sink = StoreSink(database, lateness, groups, file: landed.id)
    var damage: LandingError?
    do {
      try lines(of: landed, into: sink)
    } catch let error as LandingError {
      damage = error
      try sink.quarantine(
        Refused(
          source: landed.manifest.provider, stream: landed.manifest.stream, location: landed.manifest.path,
          recordID: "",
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
            reason: refused.reason, withholdsClaims: refused.withholdsClaims, isStray: refused.isStray, file: landed.id)
        )
      } catch let error where !(error is StorageError) {
        let reason = Addresses.hidden(in: "\(error)")
        logger.warning("\(manifest.path):\(line): \(reason)")
        let recordID = try? parser.parse(bytes, hasPadding: true) {
          try reader?.id(of: $0) ?? $0["id"].optionalString()
        }
        try sink.quarantine(
          Refused(
            source: manifest.provider, stream: manifest.stream, location: "\(manifest.path):\(line)",
            recordID: (recordID ?? nil) ?? "", reason: reason, file: landed.id))
      }
    }
  }
}
