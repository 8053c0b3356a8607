import Landing
import Storage

/// The store does not match the landing zone and must be derived again.
package struct OutdatedStore: Error, CustomStringConvertible {
  package let description: String
}

/// Faults of the landing zone: files that are not as they were landed, as the store records them. Claims that rest on
/// such a file are withheld from its place on, even if its records were read while it was whole.
struct LandingFaults {
  let database: any Database
  let landing: Landing
  /// Whether a source is configured.
  let isOurs: (String) -> Bool

  /// A row of `landing_fault` from an earlier run.
  private struct Kept {
    let place: String
    let isRead: Bool
  }

  /// The landing chain as the store noted it: a file that is not there any more is missing, even at the chain's end.
  func remembered() throws -> [ChainLink] {
    var links: [ChainLink] = []
    try database.query(
      """
      select sequence, path, manifest_sha256, observed_at, covers_from, window_to from landed_file
        where manifest_sha256 <> ''
      union all
      select sequence, place, manifest_sha256, observed_at, covers_from, window_to from landing_fault
        where manifest_sha256 <> ''
      order by 1
      """
    ) { row in
      links.append(
        ChainLink(
          sequence: try row.integer(0) ?? 0, file: row.text(1) ?? "", sha256: row.text(2) ?? "",
          observedAt: try row.integer(3) ?? 0,
          coversFrom: try row.integer(4) ?? 0, windowTo: try row.integer(5) ?? 0))
    }
    return links
  }

  /// Replaces the recorded faults by the present ones; files that were damaged before are read again.
  ///
  /// - Parameter examined: manifests whose files are to be compared with their hashes.
  /// - Throws: `OutdatedStore` where a file is whole again but its records are not in the store.
  func replace(by survey: LandingSurvey, asOf: Int64?, examined: (Manifest) -> Bool) throws {
    let kept = Dictionary(uniqueKeysWithValues: try kept().map { ($0.place, $0) })
    var faults = survey.faults.filter { fault in asOf.map { (fault.link?.observedAt ?? 0) <= $0 } ?? true }
    let named = Set(faults.map(\.place))
    for manifest in survey.manifests where !named.contains(manifest.path) {
      guard kept[manifest.path] != nil || examined(manifest) else { continue }
      if let fault = landing.fault(in: manifest) { faults.append(fault) }
    }
    let lost = try LostFiles(landing: landing.directory).places()
    faults.removeAll { lost.contains($0.place) }
    try refuseGivenUp(lost.subtracting(survey.manifests.map(\.path)))
    let places = Set(faults.map(\.place)).union(lost)
    let unread = kept.values.filter { !$0.isRead && !places.contains($0.place) }.map(\.place).sorted()
    let present = Set(survey.manifests.map(\.path))
    if let mended = unread.first(where: present.contains) {
      throw OutdatedStore(description: "\(mended) is whole again, and its records are not in the store")
    }
    try database.transaction {
      try database.execute("delete from quarantine where landed_file is null")
      try database.execute(
        "delete from quarantine where exists (select 1 from landing_fault f where f.location = quarantine.location "
          + "and f.source = quarantine.source)"
      )
      for place in kept.keys.sorted() where !unread.contains(place) {
        try database.execute("delete from landing_fault where place = $1", [.text(place)])
      }
      // What no link of the chain names any more, as after the loss of the whole folder, is still lost.
      for place in unread {
        try database.execute(
          """
          insert into quarantine (source, stream, location, record_id, reason, silences, landed_file)
          select case source when '' then $2 else source end, stream, location, '', reason, 1, null
          from landing_fault where place = $1
          on conflict do nothing
          """, [.text(place), .text(Reader.landingZone)])
      }
      for fault in faults { try note(fault, kept[fault.place]) }
    }
  }

  /// Throws if the store has records of files whose manifests were given up: no store derived from now on contains
  /// them.
  private func refuseGivenUp(_ gone: Set<String>) throws {
    for place in gone.sorted() {
      let id = try database.integer("select file_id from landed_file where path = $1", [.text(place)])
      if id != nil { throw OutdatedStore(description: "\(place) was given up, and its records are in the store") }
    }
  }

  private func kept() throws -> [Kept] {
    var kept: [Kept] = []
    try database.query("select place, is_read from landing_fault") { row in
      kept.append(Kept(place: row.text(0) ?? "", isRead: try row.integer(1) == 1))
    }
    return kept
  }

  private func note(_ fault: LandingFault, _ kept: Kept?) throws {
    let id = try fault.file.flatMap {
      try database.integer("select file_id from landed_file where path = $1", [.text($0)])
    }
    let source = fault.source.flatMap { isOurs($0) ? $0 : nil }
    try LandingFaults.insert(fault, source: fault.source, id: id, isRead: kept?.isRead ?? (id != nil), in: database)
    try database.execute(
      "insert into quarantine (source, stream, location, record_id, reason, silences, landed_file) values ($1, $2, "
        + "$3, $4, $5, 1, $6) on conflict do nothing",
      [
        .text(source ?? Reader.landingZone), .text(fault.stream ?? ""), .text(fault.error.file ?? fault.place), "",
        .text("\(fault.error)"),
        id.map(SQLValue.integer) ?? .null,
      ])
  }

  /// - Parameters:
  ///   - source: nil: it may be any.
  ///   - id: the landed file, where the store knows it; else claims end before the next file that it knows.
  static func insert(_ fault: LandingFault, source: String?, id: Int64?, isRead: Bool, in database: any Database) throws
  {
    let later = try database.integer(
      "select min(file_id) from landed_file where sequence > $1", [.integer(fault.sequence ?? 0)])
    let next = try later ?? (database.integer("select max(file_id) from landed_file") ?? 0) + 1
    let link = fault.link
    try database.execute(
      """
      insert into landing_fault (place, source, stream, from_file, observed_at, covers_from, window_to, sequence,
        manifest_sha256, is_read,
        location, reason)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      on conflict do nothing
      """,
      [
        .text(fault.place), .text(source ?? ""), .text(fault.stream ?? ""), .integer(id ?? next),
        .integer(link?.observedAt ?? 0),
        .integer(link?.coversFrom ?? 0), .integer(link?.windowTo ?? .max), .integer(fault.sequence ?? 0),
        .text(link?.sha256 ?? ""),
        .integer(isRead ? 1 : 0), .text(fault.error.file ?? fault.place), .text("\(fault.error)"),
      ])
  }
}
