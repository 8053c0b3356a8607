import HTTP
import Landing
import OrderSources
import Providers
import Storage

/// The stages before the derivation: sources into the landing zone, landing zone into the store.
extension ReconciliationRun {
  /// Pulls from the sources into the landing zone, and reads the landing zone into the store.
  ///
  /// - Returns: why the clock of the run is in doubt; nil if it is not, or if the sources have shown records of its
  ///   days.
  func bringIn(_ database: any Database, _ timings: inout Timings) async throws -> String? {
    var landing = Landing(directory: settings.landing.directory)
    if asOf == nil && publishes {
      try landing.adopt()
      try mendLogs()
    }
    try timings.measure("catch up") { try makeReader(database, landing).catchUp(asOf: asOf) }
    guard pulls else {
      if asOf == nil && publishes {
        try timings.measure("read") { try makeReader(database, landing).catchUp(examining: isExaminedTonight) }
      }
      return nil
    }
    let doubt = doubtsClock ? try RunClock(database).doubt(at: now) : nil
    landing = try landing.forRun(clockInDoubt: doubt != nil ? true : assertsClock ? false : nil)
    landing.disregarded = try RunClock.disregarded(database).union(LostFiles(landing: landing.directory).places())
    try await pull(database, landing, &timings)
    try timings.measure("read") { try makeReader(database, landing).catchUp(asOf: asOf, examining: isExaminedTonight) }
    guard let doubt, try RunClock.isInDoubt(database) else { return nil }
    logger.warning("\(doubt)")
    return doubt
  }

  /// Every landed file is compared with its hash once in four weeks.
  private func isExaminedTonight(_ manifest: Manifest) -> Bool { ((manifest.sequence ?? 0) - now / 86_400) % 28 == 0 }

  private func pull(_ database: any Database, _ landing: Landing, _ timings: inout Timings) async throws {
    let open = OpenRecords(database: database, sql: resources.sql)
    let asked = providers.filter { chosen?.contains($0.name) ?? true }
    let left = try Dictionary(uniqueKeysWithValues: asked.map { ($0.name, try open.find(for: $0, now: now)) })
    let settled = try Dictionary(uniqueKeysWithValues: asked.map { ($0.name, try open.settled(for: $0, now: now)) })
    let stage = PullStage(
      landing: landing, providers: asked, orders: orderSources, rangeFrom: (pulledRange ?? range).startsAt,
      rangeTo: (pulledRange ?? range).endsAt, now: now, progress: progress)
    let outcome = try await timings.measure("pull") {
      try await RunDeadline.$instant.withValue(deadline) { try await stage.run(open: left, settled: settled) }
    }
    for (name, pulled) in outcome.providers.sorted(by: { $0.key < $1.key }) {
      for stream in pulled.streams where stream.isComplete { logger.debug("\(name)/\(stream.stream): read in full") }
      for stream in pulled.streams where !stream.isComplete {
        logger.warning("\(name)/\(stream.stream): \(stream.reason ?? "not read in full")")
      }
    }
    for (name, delivered) in outcome.orders.sorted(by: { $0.key < $1.key }) {
      if !delivered.unknownColumns.isEmpty {
        logger.notice("\(name): columns that are not read: \(delivered.unknownColumns.joined(separator: ", "))")
      }
      if !delivered.isComplete { logger.warning("\(name): \(delivered.reason ?? "not read in full")") }
    }
    try RunError.refuse(outcome.providers)
  }
}
