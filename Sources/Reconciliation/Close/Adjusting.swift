import Cryptography
import Journal
import Landing
import Payments
import Reports
import Storage

/// Compares closed periods with what is known now, and notes the differences.
extension ReconciliationRun {
  /// The folder of the sealed periods.
  var closedFolder: String { settings.reporting.output + "/closed" }

  /// Whether the run notes adjustments: not a replay, and no derivation that keeps nothing.
  private var notesAdjustments: Bool { publishes && asOf == nil && keepsResults }

  /// Reads the logs of periods and adjustments, and updates the store from them if the run keeps its results.
  ///
  /// - Returns: nil where they cannot be read, which `logGaps` reports.
  func closedState(_ database: any Database) throws -> ClosedState? {
    do {
      let known = try PeriodLog(landing: settings.landing.directory).read()
      let all = try AdjustmentLog(landing: settings.landing.directory).read(for: known)
      let periods = known.asOf(asOf)
      let adjustments = all.filter { line in
        asOf.map { ((try? Instant.parse(line.learnedAt)) ?? .max) <= $0 } ?? true
      }
      if notesAdjustments { try sealedStore(database).catchUp(periods, all) }
      return ClosedState(periods: periods, adjustments: adjustments)
    } catch let error where error is PeriodLogError || error is AdjustmentLogError || error is SealError {
      logger.warning("\(error)")
      return nil
    }
  }

  func sealedStore(_ database: any Database) -> SealedStore { SealedStore(database: database, closed: closedFolder) }

  /// Why closed periods cannot be compared with what is derived, one sentence each.
  func closedGaps() -> [String] {
    let landing = settings.landing.directory
    do {
      let periods = try PeriodLog(landing: landing).read()
      _ = try AdjustmentLog(landing: landing).read(for: periods)
      for line in periods.effective { try Seal.check(line.seal, in: closedFolder) }
    } catch { return ["\(error)"] }
    return []
  }

  /// Compares what was derived with what is sealed, notes every difference as an adjustment, proves that no difference
  /// is left, and passes the adjustments of the range's open period to the reports.
  ///
  /// - Parameter doubt: why nothing can be noted tonight.
  func adjust(_ database: any Database, _ derivation: Derivation, _ closed: inout ClosedState?, doubt: String?) throws {
    guard var state = closed else { return }
    defer { closed = state }
    let isWhole = try !hasHole(database) && logGaps().isEmpty
    state.isCompared = notesAdjustments && doubt == nil && isWhole
    if state.isCompared && !state.periods.isEmpty {
      let added = try adjustments(database, derivation, state)
      try AdjustmentLog(landing: settings.landing.directory).append(added)
      let before = state.adjustments.count
      state.adjustments += added
      let all = state.adjustments
      try database.transaction { try sealedStore(database).note(all, from: before) }
      try prove(database, derivation, state)
    }
    try show(database, state)
  }

  func hasHole(_ database: any Database) throws -> Bool {
    try database.integer("select 1 from landing_fault limit 1") != nil
  }

  /// The time up to which landed records were removed; figures dated before may rest on them.
  func letGoUntil() throws -> Int64? {
    Landing.letGo(try Landing(directory: settings.landing.directory).survey().manifests).until
  }

  /// The same, RFC 3339.
  package func prunedUntil() throws -> String? { try letGoUntil().map { Instant.text($0) } }

  var rulesHash: String { SHA256.hash(settings.rulesText.utf8).hexadecimal }

  func statementsHash() throws -> String { SHA256.hash(try statementsText().utf8).hexadecimal }

  /// Proves per account, currency and figure that sealed and noted amounts equal the derived ones; one line of the
  /// proof each.
  private func prove(_ database: any Database, _ derivation: Derivation, _ state: ClosedState) throws {
    struct Place: Hashable { let provider, account, currency: String }
    var terms: [Place: [(sealed: Int64, noted: Int64, derived: Int64)]] = [:]
    var sums = try SealedSums(state, closedFolder)
    try database.query(
      try SQLStatement(file: "\(resources.sql)/sealed/proof.sql").text, [.integer(derivation.isWhole ? 1 : 0)]
    ) { row in
      let key = SealedSums.Key(
        seal: row.text(0) ?? "",
        place: SealedMovements.Key(
          provider: row.text(1) ?? "", account: row.text(2) ?? "", connectedAccount: row.text(3) ?? "",
          currency: row.text(4) ?? "", figure: row.text(5) ?? "", rowID: ""))
      sums.sums[key, default: (0, 0, 0)].derived = try row.integer(6) ?? 0
    }
    let letGo = try letGoUntil()
    let seals = Dictionary(uniqueKeysWithValues: state.periods.effective.map { ($0.seal.sha256, $0.seal) })
    for (key, sum) in sums.sums {
      guard let seal = seals[key.seal], seal.isComparable(key.place.figure, since: letGo) else { continue }
      let whose = key.place.account.isEmpty ? key.place.connectedAccount : key.place.account
      terms[Place(provider: key.place.provider, account: whose, currency: key.place.currency), default: []].append(sum)
    }
    for (place, sums) in terms {
      let holds = sums.allSatisfy { $0.sealed &+ $0.noted == $0.derived }
      let (sealed, noted, derived) = sums.reduce((0, 0, 0) as (Int64, Int64, Int64)) {
        ($0.0 &+ $1.sealed, $0.1 &+ $1.noted, $0.2 &+ $1.derived)
      }
      let lines = [("sealed", sealed), ("adjustments", noted), ("derived", derived)]
      for (ordinal, (label, amount)) in lines.enumerated() {
        try prove(database, ordinal + 1, place.provider, place.account, place.currency, label, amount, holds: true)
      }
      try prove(
        database, 4, place.provider, place.account, place.currency, "difference", derived &- sealed &- noted,
        holds: holds)
    }
  }

  private func prove(
    _ database: any Database, _ ordinal: Int, _ provider: String, _ account: String, _ currency: String,
    _ label: String, _ amount: Int64, holds: Bool
  ) throws {
    try database.execute(
      """
      insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
      values ('sealed_periods', $1, $2, $3, $4, '', $5, $6, $7)
      """,
      [
        .integer(Int64(ordinal)), .text(provider), .text(account), .text(currency), .text(label), .integer(amount),
        .integer(holds ? 1 : 0),
      ])
  }

  /// The noted adjustments that belong to the open period of the range, with the positions of their lines in the log,
  /// and whether the range begins where the newest closed period ends.
  private func belonging(_ state: ClosedState) -> (lines: [(place: Int, line: Adjustment)], isFirstDay: Bool) {
    let ours = state.periods.seal(holding: range)
    let seals = Dictionary(uniqueKeysWithValues: state.periods.effective.map { ($0.seal.sha256, $0.seal) })
    let lines = state.adjustments.enumerated().filter { place, line in
      guard let seal = seals[line.seal], seal.endsAt <= range.startsAt else { return false }
      return state.periods.listing(adjustment: place)?.seal.sha256 == ours?.seal.sha256
    }
    let begins =
      ours.map(\.seal.startsAt) ?? (seals.isEmpty ? nil : closes ? range.startsAt : firstOpenStart(state.periods))
    return (lines.map { (place: $0.offset, line: $0.element) }, begins == range.startsAt)
  }

  /// When the first day begins of which nothing is closed: periods that were closed in another time zone may end within
  /// a day.
  private func firstOpenStart(_ periods: ClosedPeriods) -> Int64? {
    guard let openFrom = periods.openFrom else { return nil }
    let bounds = calendar.bounds(of: calendar.day(containing: openFrom))
    return bounds.startsAt == openFrom ? openFrom : bounds.endsAt
  }

  /// Fills the table that the reports read.
  func show(_ database: any Database, _ state: ClosedState) throws {
    let (lines, isFirstDay) = belonging(state)
    for (place, line) in lines {
      try database.execute(
        """
        insert into prior_period_adjustment (place, period, learned_at, provider, account, connected_account, currency,
          payment_id, order_id, record_id, reason, figure, before_minor, after_minor, change_minor, is_first_day)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        [
          .integer(Int64(place)), .text(line.period), .integer((try? Instant.parse(line.learnedAt)) ?? 0),
          .text(line.provider), .text(line.account), .text(line.connectedAccount), .text(line.currency),
          .text(line.paymentID), .text(line.orderID), .text(line.recordID), .text(line.reason.rawValue),
          .text(line.figure), .integer(line.before), .integer(line.after), .integer(line.change),
          .integer(isFirstDay ? 1 : 0),
        ])
    }
  }

  /// The adjustments that a journal of the range books: all those of the open period, on its first day.
  func journalAdjustments() throws -> [JournalAdjustment] {
    let landing = settings.landing.directory
    let periods = try PeriodLog(landing: landing).read()
    let all = try AdjustmentLog(landing: landing).read(for: periods).filter { line in
      asOf.map { ((try? Instant.parse(line.learnedAt)) ?? .max) <= $0 } ?? true
    }
    let state = ClosedState(periods: periods.asOf(asOf), adjustments: all)
    let (lines, isFirstDay) = belonging(state)
    if let openFrom = state.periods.openFrom, range.startsAt < openFrom, openFrom < range.endsAt {
      logger.warning(
        """
        the range begins before \(calendar.day(containing: openFrom)), the first open day: its closed days are shown \
        as derived today, and no adjustments are booked
        """
      )
    }
    guard isFirstDay else { return [] }
    return lines.map { _, line in
      JournalAdjustment(
        period: line.period, provider: line.provider, account: line.account, connectedAccount: line.connectedAccount,
        currency: line.currency, figure: line.figure, changeMinor: line.change, recordID: line.recordID,
        paymentID: line.paymentID, orderIDs: line.orderID)
    }
  }

  /// The doubt about the clock, with what it means for closed periods.
  func said(of doubt: String, _ closed: ClosedState?) -> String {
    closed?.periods.isEmpty ?? true
      ? doubt : doubt + "; what changes closed periods is noted by the next run whose clock is not in doubt"
  }

  /// The closed periods that contain days of the range.
  func closedNotes(_ state: ClosedState?) -> [ClosedNote] {
    guard let state else { return [] }
    return state.periods.effective.filter { $0.seal.startsAt < range.endsAt && range.startsAt < $0.seal.endsAt }.map {
      line in
      ClosedNote(
        period: line.period, closedAt: line.at,
        adjustments: state.adjustments.count { $0.seal == line.seal.sha256 })
    }
  }
}
