import Decisions
import Foundation
import HTTP
import Journal
import Landing
import Logging
import OrderSources
import Payments
import Providers
import Reports
import Settings
import Storage

/// The stages of a derivation.
package enum RunStage: String, Sendable { case reading, assembling, matching, checking }

/// One reconciliation run, stage by stage: pull, read, assemble, match, check, prove, report.
///
/// After the pull it is a function of landing zone, orders, configuration and version: it never reads the wall clock
/// again.
package struct ReconciliationRun {
  package let settings: Settings
  package let calendar: BusinessCalendar
  package let providers: [any Provider]
  package let orderSources: [any OrderSource]
  package let resources: ResourceFolders
  package var range: ReportRange
  /// The time of the run, Unix seconds.
  package let now: Int64
  package let version: String
  /// Uses only what had landed by then; store and `latest` are left unchanged.
  package var asOf: Int64?
  /// The providers to pull from, by name; nil: all of them.
  package var chosen: Set<String>?
  /// Whether to pull from providers and order sources; otherwise the run uses the landed records.
  package var pulls = true
  /// Whether to write reports; otherwise they are only returned.
  package var publishes = true
  /// The exit status of the run, if known: recorded with the publication.
  package var exitStatus: @Sendable (RunReport) -> Int32? = { _ in nil }
  /// How long to wait for providers, Unix seconds; what was read by then is reported. nil: as often as `retry` in the
  /// configuration allows.
  package var deadline: Int64?
  /// The days to pull, where one pull serves several days; nil: the range.
  package var pulledRange: ReportRange?
  /// Doubts a clock that the landed records contradict.
  package var doubtsClock = false
  /// The user asserts that the clock is right: records that landed by a later one support no claim.
  package var assertsClock = false
  /// Also writes the statements for connected accounts.
  package var writesStatements = false
  package var logger = Logger(label: "crossfoot")
  /// Whether the seals of closed periods are examined; deriving a sealed period does not involve the seals before it.
  var examinesSeals = true
  /// Derives everything rather than only the groups of records that are alive in the range; the reports are the same.
  package var derivesWhole = false
  /// Whether the range is being closed: what became known of earlier periods belongs to its first day, wherever the
  /// newest closed period ends.
  var closes = false
  /// Keeps what later runs need from this one; a comparison of two derivations keeps nothing.
  package var keepsResults = true
  /// How many groups of records are derived at a time.
  package var batchSize = 5000
  /// How many batches are folded in parallel; the reports do not depend on it.
  package var jobs = ProcessInfo.processInfo.activeProcessorCount
  /// Called after each stage of the derivation with the database; tests corrupt rows there.
  package var stageEnded: @Sendable (RunStage, any Database) throws -> Void = { _, _ in }
  package var progress: @Sendable (_ source: String, _ stream: String, _ objects: Int) -> Void = { _, _, _ in }

  package init(
    settings: Settings, calendar: BusinessCalendar, providers: [any Provider], orderSources: [any OrderSource],
    resources: ResourceFolders, range: ReportRange, now: Int64, version: String
  ) {
    self.settings = settings
    self.calendar = calendar
    self.providers = providers
    self.orderSources = orderSources
    self.resources = resources
    self.range = range
    self.now = now
    self.version = version
  }

  /// Runs all stages.
  ///
  /// - Throws: `RunError` when nothing can be published, and the errors of storage, landing and reports.
  package func run() async throws -> RunReport {
    guard publishes && asOf == nil else { return try await runOnce() }
    do { return try await runOnce() } catch { try repairStore(after: error) }
    return try await runOnce()
  }

  private func runOnce() async throws -> RunReport {
    let store = try Store(settings: settings, resources: resources, isReplay: asOf != nil || !publishes)
    defer { store.close() }
    try store.lock()
    try examine(store.database)
    _ = try checks()
    _ = try catalogue(examinedIn: store.database)
    var timings = Timings(logger: logger)
    let doubt = try await bringIn(store.database, &timings)
    try requireLanded(store.database)
    var closed = try closedState(store.database)
    let derivation = try reconcile(store.database, &timings)
    try timings.measure("compare") { try adjust(store.database, derivation, &closed, doubt: doubt) }
    let report = try report(store.database, derivation, doubt, closed, &timings)
    if publishes && asOf == nil && keepsResults {
      try timings.measure("keep") {
        try keep(store.database, derivation, settles: doubt == nil, isCompared: closed?.isCompared ?? false)
      }
    }
    return report
  }

  /// Runs the first stage only.
  ///
  /// - Returns: what could not be read in full, one sentence each.
  package func pullOnly() async throws -> [String] {
    do { return try await pullOnce() } catch { try repairStore(after: error) }
    return try await pullOnce()
  }

  private func pullOnce() async throws -> [String] {
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try store.lock()
    try examine(store.database)
    var timings = Timings(logger: logger)
    let doubt = try await bringIn(store.database, &timings)
    return try sourceCoverage(store.database).gaps + [doubt].compactMap { $0 }
  }

  /// Keeps what the next run, and the commands before it, need from this one.
  ///
  /// - Parameters:
  ///   - settles: whether groups may be considered settled, which is not the case while the clock is in doubt.
  ///   - isCompared: whether the derived records were compared with the sealed ones; nil: the store knows of no seal
  ///     yet.
  func keep(_ database: any Database, _ derivation: Derivation, settles: Bool = true, isCompared: Bool? = nil) throws {
    try database.transaction {
      try OpenRecords(database: database, sql: resources.sql).keep(isWhole: derivation.isWhole, now: now)
      if try settles && PublishedList(database: database).isNewest(range, now: now) {
        try SettledGroups(
          database: database, sql: resources.sql, longestDeadline: settings.longestDeadline,
          rangeEnd: range.endsAt, signature: derivationSignature(database)
        ).keep(isWhole: derivation.isWhole)
        if let isCompared, derivation.isWhole || !isCompared {
          try sealedStore(database).setCompared(isCompared)
        }
      }
      try PublishedList(database: database).keep(range, now: now)
    }
  }

  /// From entries to the verdict, in the derived tables of the connection.
  ///
  /// - Parameter asked: ids whose records are derived too, however long ago they settled.
  func reconcile(_ database: any Database, _ timings: inout Timings, asked: [String] = []) throws -> Derivation {
    let checks = try checks()
    try clearDerived(database)
    return try database.transaction {
      let coverage = try storeInputs(database)
      let check = Check(database: database, definitions: checks, severities: settings.severity, coverage: coverage)
      let balances = Balances(database: database, sql: resources.sql, calendar: calendar, range: range)
      try balances.findBase()
      let isWhole = try timings.measure("assemble") { try chooseGroups(database, asked: asked) }
      try stageEnded(.reading, database)
      let unresolved = try derive(database, isWhole: isWhole, &timings)
      try timings.measure("check") {
        try UnresolvedRecord.report(unresolved, in: database, check)
        try check.run(afterProofs: false)
      }
      try stageEnded(.checking, database)
      try timings.measure("prove") {
        try balances.derive(longestDeadline: settings.longestDeadline)
        try Prove(database: database, sql: resources.sql).run()
        try check.run(afterProofs: true)
      }
      let decisions = try decisionLog().decisions
      try Discrepancies(
        database: database, range: range, calendar: calendar,
        decisions: Dictionary(grouping: decisions, by: \.discrepancyID),
        reader: try readerState(), isWithheld: { try withholds($0, checks, coverage, in: database) },
        isUnknown: { try isUnknown($0, checks, in: database) }, isLost: { coverage.isBroken(of: $0.provider) }
      ).run()
      return Derivation(coverage: coverage, isWhole: isWhole, groups: try countGroups(database, isWhole: isWhole))
    }
  }

  /// Lets the connection see all landed records and no derived ones.
  func clearDerived(_ database: any Database) throws {
    try LandedShadows(database: database, sql: resources.sql).drop()
    try DerivedTables(database: database, sql: resources.sql).empty()
  }

  /// The decisions made by `asOf`, and the lines of the log that cannot be read.
  private func decisionLog() throws -> (decisions: [Decision], bad: [DecisionLog.BadLine]) {
    try DecisionLog(landing: settings.landing.directory).read(asOf: asOf)
  }

  /// Stores the inputs of a derivation besides the records: the range, the configuration, and how far each source is
  /// known.
  func storeInputs(_ database: any Database) throws -> SourceCoverage {
    var coverage = try sourceCoverage(database)
    for sentence in try decisionLog().bad.map({ "\($0)" }) + logGaps() { coverage.add(gap: sentence) }
    try RunInputs(
      database: database, settings: settings, range: range, calendar: calendar, settledLater: settledLater,
      amountSteps: amountSteps
    )
    .store()
    try coverage.store(in: database)
    return coverage
  }

  /// Derives payouts as a whole, then everything else in batches of groups.
  ///
  /// - Returns: the records that could not be derived; they are left out, and all others are derived.
  func derive(_ database: any Database, isWhole: Bool, _ timings: inout Timings) throws -> [UnresolvedRecord] {
    let assemble = Assemble(database: database, sql: resources.sql)
    try timings.measure("assemble") { try assemble.derivePayouts() }
    var unresolved: [UnresolvedRecord] = []
    let batches = try RecordBatches(
      database: database, size: batchSize, table: isWhole ? "record_group" : "alive_group"
    ).all()
    for start in stride(from: 0, to: batches.count, by: max(jobs, 1)) {
      let together = batches[start..<min(start + max(jobs, 1), batches.count)]
      for folded in try timings.measure("assemble", { try assemble.fold(together) }) {
        unresolved += try timings.measure("assemble") { try assemble.write(folded).map(UnresolvedRecord.init) }
        if folded.batch.number == Int64(batches.count) { try stageEnded(.assembling, database) }
        let match = Match(database: database, batch: folded.batch, logger: logger)
        unresolved += try timings.measure("match") { try match.run().map(UnresolvedRecord.init) }
      }
    }
    try timings.measure("match") {
      for statement in try SQLStatement.folder("\(resources.sql)/matched") { try database.run(statement) }
      try DerivedTables(database: database, sql: resources.sql).refreshStatistics()
    }
    try stageEnded(.matching, database)
    return unresolved
  }

  /// The providers whose captures are known from settlement files alone.
  private var settledLater: Set<String> { Set(providers.filter(\.learnsCapturesFromSettlement).map(\.name)) }

  private var amountSteps: [String: [String: Int64]] {
    Dictionary(providers.map { ($0.name, $0.amountSteps) }, uniquingKeysWith: { first, _ in first })
  }

  private func report(
    _ database: any Database, _ derivation: Derivation, _ doubt: String?, _ closed: ClosedState?,
    _ timings: inout Timings
  ) throws -> RunReport {
    var summary = try summary(database, derivation, doubt.map { said(of: $0, closed) })
    let discrepancies = sendsAlerts ? try ReportedDiscrepancy.read(database) : []
    let history = try history(asOf: asOf)
    let (missed, changed) = (history.missedDays(before: range), history.laterDays(changedBy: range))
    let notes = closedNotes(closed)
    for orders in try UnknownOrders.find(in: database, range) { logger.warning("\(orders.sentence)") }
    guard publishes else {
      return RunReport(
        summary: summary, discrepancies: discrepancies, missedDays: missed, changedDays: changed, closedPeriods: notes)
    }
    let run = try reportRun(database)
    logger.debug("stage report: begins")
    let started = Timings.Mark()
    summary.location = try Publication.publish(
      run, summary: summary, from: database, into: settings.reporting.output, asOf: asOf.map(Instant.text),
      today: calendar.day(containing: now)
    ) { files, supersedes in
      timings.add("report", since: started)
      let record = RunRecord(
        night: self, summary: summary, files: files, supersedes: supersedes, timings: timings, missedDays: missed,
        groups: derivation.groups, closedPeriods: notes)
      return try record.json(database)
    }
    let report = RunReport(
      summary: summary, discrepancies: discrepancies, stages: timings.stages.map { ($0.name, $0.milliseconds) },
      missedDays: missed, changedDays: changed, closedPeriods: notes,
      groups: derivation.groups)
    try recordPublication(database, report)
    return report
  }

  /// Whether alerts or metrics list single discrepancies; otherwise they need not be kept.
  private var sendsAlerts: Bool { !settings.alerts.isEmpty || settings.heartbeat.textfile != nil }

  func makeReader(_ database: any Database, _ landing: Landing) throws -> Reader {
    var reader = Reader(
      database: database, landing: landing,
      readers: Dictionary(uniqueKeysWithValues: providers.map { ($0.name, $0.makeReader()) }),
      streams: Dictionary(uniqueKeysWithValues: providers.map { ($0.name, $0.streams) }),
      orderSources: Set(orderSources.map(\.name)), sql: resources.sql,
      logger: logger)
    reader.settings = Dictionary(
      uniqueKeysWithValues: providers.map { ($0.name, $0.readingSettings.joined(separator: "\n")) })
    reader.remembered = try [history(asOf: nil).landed].compactMap { $0 }
    return reader
  }
}
