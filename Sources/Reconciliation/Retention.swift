import Landing
import Payments
import Storage

/// The result of `crossfoot prune`.
package struct Pruned: Sendable, Encodable {
  package var landedFiles = 0
  package var bytes: Int64 = 0
  /// Files that landed before this are beyond the retention period, RFC 3339.
  package var before = ""
  /// Files beyond the retention period that are kept because something rests on them.
  package var kept = 0
  /// The open discrepancy that prevents newer files from being removed, if there is one.
  package var heldBy: String?
  /// Closed periods whose seals rest on the removed files: without these, no bundle of the period can be made.
  package var closedPeriods: [String] = []

  private enum CodingKeys: String, CodingKey {
    case bytes, before, kept
    case landedFiles = "landed_files"
    case closedPeriods = "closed_periods"
    case heldBy = "held_by"
  }

  package var lines: [String] {
    var lines = ["let go: \(landedFiles) landed files, \(bytes) bytes, of what landed before \(before)"]
    if kept > 0 {
      lines.append("\(kept) older files stay: the newest of their stream, or something open rests on them")
    }
    if !closedPeriods.isEmpty {
      lines.append(
        "closed periods rest on them: \(closedPeriods.joined(separator: ", ")); only a bundle made before contains them"
      )
    }
    if let heldBy { lines.append("nothing younger goes: \(heldBy) is open since then; write it off, or resolve it") }
    return lines
  }
}

extension ReconciliationRun {
  /// Removes landed files beyond `landing.retention`, and derives the store again if any were removed.
  ///
  /// - Parameter isDry: only reports what would be removed.
  /// - Throws: `RetentionError`, `RunError.locked`, and the errors of landing and storage.
  package func prune(who: String, isDry: Bool) throws -> Pruned {
    do { return try pruneOnce(who: who, isDry: isDry) } catch { try repairStore(after: error) }
    return try pruneOnce(who: who, isDry: isDry)
  }

  private func pruneOnce(who: String, isDry: Bool) throws -> Pruned {
    guard let retention = settings.landing.retention else { throw RetentionError.notConfigured }
    let pruned = try letGo(before: now - retention, who: who, isDry: isDry)
    if pruned.landedFiles > 0 && !isDry { _ = try rebuild() }
    return pruned
  }

  private func letGo(before: Int64, who: String, isDry: Bool) throws -> Pruned {
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try store.lock()
    try examine(store.database)
    let landing = Landing(directory: settings.landing.directory)
    try landing.adopt()
    try makeReader(store.database, landing).catchUp()
    let survey = try landing.survey()
    guard survey.faults.isEmpty else { throw RetentionError.damaged(survey.faults.count) }
    let reach = try Retention(database: store.database).reach(of: before, longestDeadline: settings.longestDeadline)
    let going = try Retention(database: store.database).going(survey.manifests, before: reach.instant)
    var pruned = Pruned(before: Instant.text(reach.instant), heldBy: reach.heldBy)
    pruned.landedFiles = going.count
    pruned.bytes = going.reduce(0) { $0 + $1.bytes }
    pruned.kept =
      survey.manifests.count { $0.observedAt < reach.instant && !$0.isLetGo && !$0.isOfLandingZone } - going.count
    pruned.closedPeriods = try closedPeriods(restingOn: going, landing, survey)
    if !isDry { try landing.letGo(going, by: .init(at: now, who: who)) }
    return pruned
  }
}

extension ReconciliationRun {
  /// The closed periods of which a bundle can be made now, but not without the files to be removed.
  private func closedPeriods(restingOn going: [Manifest], _ landing: Landing, _ survey: LandingSurvey) throws
    -> [String]
  {
    guard let first = going.compactMap(\.sequence).min() else { return [] }
    let periods = try PeriodLog(landing: landing.directory).read()
    return periods.effective.filter { line in
      guard line.seal.sequence >= first, let seal = try? Seal.read(line.seal, in: closedFolder) else { return false }
      return SealAmendments(seal, landing, survey).removals.isEmpty
    }.map(\.period)
  }
}

/// Decides which landed files may be removed: nothing open rests on them, and coverage then begins later.
struct Retention {
  let database: any Database

  /// The latest instant before which files may be removed: claims that something is missing need all files landed
  /// since.
  func reach(of before: Int64, longestDeadline: Int64) throws -> (instant: Int64, heldBy: String?) {
    var (oldest, id): (Int64?, String?) = (nil, nil)
    try database.query(
      """
      select discrepancy_id, since from published_discrepancy where condition <> 'resolved' and state <> 'written_off'
      order by since, discrepancy_id limit 1
      """
    ) { row in (id, oldest) = (row.text(0), try row.integer(1)) }
    guard let oldest, oldest - longestDeadline < before else { return (before, nil) }
    return (oldest - longestDeadline, id)
  }

  /// The files to remove, of those that landed before an instant.
  func going(_ manifests: [Manifest], before: Int64) throws -> [Manifest] {
    let needed = try needed(after: before)
    var newest: [String: String] = [:]
    for manifest in manifests where manifest.complete { newest[manifest.folder] = manifest.path }
    let whole = try streamsOfBatches()
    var stopped: Set<String> = []
    var going: [Manifest] = []
    for manifest in manifests where !manifest.isLetGo && !manifest.isOfLandingZone {
      let stays =
        manifest.observedAt >= before || newest[manifest.folder] == manifest.path || needed(manifest.path)
        || stopped.contains(manifest.folder)
      // Numbered batches must have no gap between two that are kept.
      if stays && whole.contains(manifest.folder) { stopped.insert(manifest.folder) }
      if !stays { going.append(manifest) }
    }
    return going
  }

  /// Whether a file is not in the store, or records that had not settled by an instant rest on it.
  private func needed(after instant: Int64) throws -> (String) -> Bool {
    var known: Set<String> = []
    try database.query("select path from landed_file") { row in known.insert(row.text(0) ?? "") }
    var ids: Set<Int64> = []
    let isAlive = "(g.group_no is null or g.settled_at is null or g.is_touched = 1 or g.settled_at > $1)"
    var questions = StoreTable.allCases.filter { $0.isGrouped && $0.columns.contains("landed_file") }.map { table in
      """
      select distinct t.landed_file from \(table.name) t left join record_group g on g.group_no = t.group_no
      where \(isAlive)
      """
    }
    questions.append(
      """
      select distinct p.landed_file from stated_payout p
      left join kept_payout_life l on l.provider = p.provider and l.payout_id = p.payout_id
      where l.settled_at is null or l.settled_at > $1
      """)
    for question in questions {
      try database.query(question, [.integer(instant)]) { row in ids.insert(try row.integer(0) ?? 0) }
    }
    for table in ["quarantine", "credential"] {
      try database.query("select distinct landed_file from \(table) where landed_file is not null") { row in
        ids.insert(try row.integer(0) ?? 0)
      }
    }
    var needed: Set<String> = []
    try database.query("select file_id, path from landed_file") { row in
      if ids.contains(try row.integer(0) ?? 0) { needed.insert(row.text(1) ?? "") }
    }
    return { needed.contains($0) || !known.contains($0) }
  }

  /// The folders of streams that deliver numbered batches.
  private func streamsOfBatches() throws -> Set<String> {
    var folders: Set<String> = []
    for table in ["settlement_batch", "announced_batch"] {
      try database.query(
        "select distinct f.path from \(table) b join landed_file f on f.file_id = b.landed_file"
      ) { row in folders.insert((row.text(0) ?? "").split(separator: "/").prefix(2).joined(separator: "/")) }
    }
    return folders
  }
}

/// Why nothing is removed.
extension ReconciliationRun {
  /// Refuses days of which landed files were removed: what is left of them makes other figures. What landed on a day is
  /// taken to be of the days before it.
  ///
  /// - Throws: `RetentionError.letGo`.
  func requireLanded(_ database: any Database) throws {
    let until = try database.integer("select max(observed_at) from landed_file where sha256 = ''")
    guard let until, range.firstDay < calendar.day(containing: until) else { return }
    throw RetentionError.letGo(days: range.name, until: Instant.text(until))
  }
}

package enum RetentionError: Error, CustomStringConvertible {
  case notConfigured
  case damaged(Int)
  /// Landed files that the days rest on were removed; RFC 3339, up to when.
  case letGo(days: String, until: String)

  package var description: String {
    switch self {
    case .notConfigured:
      "landing.retention: found none, expected a duration such as 400d; without it everything is kept"
    case .damaged(let count):
      "found \(count) faults in the landing zone, expected none; `crossfoot verify` names them and says what to do"
    case .letGo(let days, let until):
      "\(days) rests on landed files that `crossfoot prune` has let go (what landed up to \(until)): it cannot be "
        + "worked out again; the reports that were published stay as they are"
    }
  }
}
