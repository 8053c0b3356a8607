import Decisions
import Foundation
import Landing
import Payments
import Reports
import Storage

/// An order to close a period: who closes it, and how.
package struct CloseOrder: Sendable {
  package var period: Period
  package var preparedBy: String
  package var reviewedBy: String?
  package var note: String?
  /// Closes in spite of obstacles, and records them in the seal.
  package var overrides = false
  /// Only reports the obstacles.
  package var onlyChecks = false

  package init(period: Period, preparedBy: String, reviewedBy: String? = nil, note: String? = nil) {
    (self.period, self.preparedBy, self.reviewedBy, self.note) = (period, preparedBy, reviewedBy, note)
  }
}

/// The result of closing a period.
package struct Closing: Sendable, Encodable {
  package var period: String
  package var isClosed = false
  /// The obstacles, one sentence each.
  package var reasons: [String] = []
  /// Remarks that do not prevent closing.
  package var remarks: [String] = []
  /// Where the sealed files are; nil: it was not closed.
  package var folder: String?
  /// SHA-256 of seal.json.
  package var seal: String?

  private enum CodingKeys: String, CodingKey {
    case period, reasons, remarks, folder, seal
    case isClosed = "closed"
  }
}

extension ReconciliationRun {
  /// Derives a period from the landed records and seals it, or reports why it cannot be closed.
  ///
  /// - Throws: `RunError.locked`, and the errors of storage, landing, logs and reports; nothing is sealed then.
  package func close(_ order: CloseOrder) throws -> Closing {
    var night = self
    night.range = order.period.range
    (night.pulls, night.writesStatements, night.examinesSeals, night.closes) = (false, true, false, true)
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try store.lock()
    return try night.close(order, store.database)
  }

  private func close(_ order: CloseOrder, _ database: any Database) throws -> Closing {
    let landing = Landing(directory: settings.landing.directory)
    let log = PeriodLog(landing: landing.directory)
    if !order.onlyChecks {
      try landing.adopt()
      try mendLogs()
      if let finished = try finishInterrupted(order, log) { return finished }
    }
    let periods = try log.read()
    var closing = Closing(period: order.period.name)
    if let hard = refusal(order, periods) {
      closing.reasons = [hard]
      return closing
    }
    try makeReader(database, landing).catchUp()
    var night = self
    night.keepsResults = !order.onlyChecks
    night.derivesWhole = periods.openFrom != order.period.range.startsAt
    var closed = try night.closedState(database)
    var timings = Timings(logger: logger)
    let derivation = try night.reconcile(database, &timings)
    let obstacles = CloseObstacles(
      night: night, database: database, coverage: derivation.coverage, history: try history(asOf: nil))
    closing.reasons = try obstacles.all()
    do { try requireLanded(database) } catch let error as RetentionError { closing.reasons.append("\(error)") }
    closing.remarks = remarks(order, periods)
    guard !order.onlyChecks, closing.reasons.isEmpty || order.overrides else { return closing }
    try night.adjust(database, derivation, &closed, doubt: nil)
    try database.execute("delete from proof_line where proof = 'sealed_periods'")
    guard let state = closed else { return closing }
    let maker = SealMaker(
      night: night, database: database, derivation: derivation, state: state, overridden: closing.reasons)
    let line = try maker.make(order)
    try log.append(line)
    (closing.isClosed, closing.seal, closing.folder) = (true, line.seal.sha256, "\(closedFolder)/\(line.seal.folder)")
    try database.transaction {
      let isCompared = try state.isCompared && sealedStore(database).isCompared()
      try sealedStore(database).add(line, isCompared: isCompared)
      try sealedStore(database).load(line.seal)
    }
    return closing
  }

  /// Obstacles that no note can override.
  private func refusal(_ order: CloseOrder, _ periods: ClosedPeriods) -> String? {
    let (name, range) = (order.period.name, order.period.range)
    if let line = periods.seal(of: name) {
      return
        "\(name) was closed on \(line.at.prefix(10)) by \(line.who); "
        + "`crossfoot reopen \(name) --note …` opens it again"
    }
    if range.endsAt > now { return "\(name) ends at \(Instant.text(range.endsAt)), which is in the future" }
    if let openFrom = periods.openFrom, range.startsAt < openFrom, let newest = periods.effective.last {
      return "\(newest.period) is closed up to \(Instant.text(openFrom)): periods are closed in order; "
        + "reopen \(newest.period) first"
    }
    return nil
  }

  private func remarks(_ order: CloseOrder, _ periods: ClosedPeriods) -> [String] {
    guard let before = order.period.before(settings), !periods.isEmpty, periods.seal(of: before) == nil else {
      return []
    }
    return ["the period before, \(before), is open: its movements are part of the opening of \(order.period.name)"]
  }

  /// Finishes a close that was interrupted between writing its folder and its line in the log: the folder is complete.
  private func finishInterrupted(_ order: CloseOrder, _ log: PeriodLog) throws -> Closing? {
    let periods = try log.read()
    let listed = Set(periods.closings.map(\.seal.folder))
    let folder = SealMaker.folder(of: order.period.name, periods)
    let path = "\(closedFolder)/\(folder)"
    guard !listed.contains(folder), FileManager.default.fileExists(atPath: path) else { return nil }
    let (seal, sha256) = try Seal.read(path)
    let isOurs =
      seal.period == order.period.name && seal.number == periods.closings.count + 1
      && seal.previous == periods.closings.last?.seal.sha256 ?? "" && seal.faults(in: path).isEmpty
    guard isOurs else {
      throw SealError.changed(path)
    }
    try log.append(seal.line(sha256: sha256, folder: folder))
    var closing = Closing(period: seal.period)
    (closing.isClosed, closing.seal, closing.folder, closing.reasons) = (true, sha256, path, seal.overridden)
    closing.remarks = ["the close of \(seal.sealedAt) by \(seal.preparedBy) was interrupted and is finished now"]
    return closing
  }

  /// Revokes a seal without deleting it.
  ///
  /// - Throws: `PeriodError`, `RunError.locked`, and the error of the log's file.
  package func reopen(_ period: String, who: String, note: String) throws {
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try store.lock()
    try mendLogs()
    let log = PeriodLog(landing: settings.landing.directory)
    let periods = try log.read()
    guard let line = periods.seal(of: period) else { throw PeriodError.notClosed(period) }
    guard let newest = periods.effective.last, newest == line else {
      throw PeriodError.notNewest(period, newest: periods.effective.last?.period ?? "")
    }
    if let until = try letGoUntil(), calendar.day(containing: line.seal.startsAt) < calendar.day(containing: until) {
      throw RetentionError.letGo(days: period, until: Instant.text(until))
    }
    try log.append(
      PeriodLine(
        action: .reopen, period: period, at: Instant.text(now), who: who, note: note, seal: line.seal))
  }

  /// The adjustments of a closed period since its seal.
  ///
  /// - Throws: `PeriodError.notClosed`, and the errors of the logs.
  package func adjustments(of period: String) throws -> (closedAt: String, adjustments: [Adjustment]) {
    let landing = settings.landing.directory
    let periods = try PeriodLog(landing: landing).read()
    guard let line = periods.asOf(asOf).seal(of: period) else { throw PeriodError.notClosed(period) }
    let all = try AdjustmentLog(landing: landing).read(for: periods).filter { adjustment in
      adjustment.seal == line.seal.sha256
        && (asOf.map { ((try? Instant.parse(adjustment.learnedAt)) ?? .max) <= $0 } ?? true)
    }
    return (line.at, all)
  }
}
