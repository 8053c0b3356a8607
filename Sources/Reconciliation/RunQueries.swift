import Decisions
import Journal
import Landing
import Payments
import Reports
import Storage

/// Queries that people and other programs make between two runs: stories, journals, the exception list, the state of
/// the sources.
extension ReconciliationRun {
  /// The story of one id, or the answer to give if there is none.
  ///
  /// - Parameter isNewest: the newest published range, if there is one, rather than the days of the run.
  package func explain(_ id: String, isNewest: Bool) throws -> Story.Answer {
    let store = try Store(settings: settings, resources: resources, isReplay: asOf != nil)
    defer { store.close() }
    if asOf != nil {
      try makeReader(store.database, Landing(directory: settings.landing.directory)).catchUp(asOf: asOf)
    }
    var night = self
    if isNewest { night.range = try PublishedList(database: store.database).range(in: calendar) ?? range }
    var timings = Timings(logger: logger)
    // The records of an id may have settled long ago.
    let names = try night.namesToDerive(id, store.database)
    if try !night.deriveAsked(store.database, names, &timings) {
      _ = try night.reconcile(store.database, &timings, asked: names)
    }
    try night.addDays(named: id, store.database)
    let explain = Explain(
      database: store.database, resources: resources, configured: providers.map(\.name) + orderSources.map(\.name),
      providers: (chosen ?? []).sorted())
    switch try explain.answer(about: id) {
    case .story(var story):
      story.decisions = try decisions(about: id)
      return .story(story)
    case .nothing(let near, _):
      if let story = try closed(id) { return .story(story) }
      return .nothing(near: near, hasRun: try store.database.integer("select 1 from landed_file limit 1") != nil)
    case let answer: return answer
    }
  }

  /// What the reports said of a discrepancy that is in none of the derived days any more, and what people decided.
  private func closed(_ id: String) throws -> Story? {
    guard id.hasPrefix("d_"), let row = try history(asOf: asOf).closedRow(id) else { return nil }
    var story = Story(id: id)
    story.discrepancies = [
      Story.Problem(
        discrepancyID: id, type: row.type, severity: row.severity, state: "resolved",
        firstSeen: calendar.day(containing: row.since).description, explanation: row.explanation,
        suggestedAction: row.suggestedAction)
    ]
    story.decisions = try decisions(about: id)
    return story
  }

  /// The entries of the range as journals, from the landed records.
  ///
  /// - Parameter write: receives each piece of text of a format, in order, one format after the other.
  package func exportJournals(_ formats: [JournalFormat], _ write: (JournalFormat, String) throws -> Void) throws {
    let store = try Store(settings: settings, resources: resources, isReplay: asOf != nil)
    defer { store.close() }
    try store.lock()
    var timings = Timings(logger: logger)
    try makeReader(store.database, Landing(directory: settings.landing.directory)).catchUp(asOf: asOf)
    try requireLanded(store.database)
    var night = self
    night.derivesWhole = true
    _ = try night.reconcile(store.database, &timings)
    let export = JournalExport(
      database: store.database, folder: resources.sql + "/journal", calendar: calendar,
      accounts: JournalAccounts(settings.journal),
      startsAt: range.startsAt, endsAt: range.endsAt, adjustments: try journalAdjustments())
    for format in formats { try export.write(format, title: "Crossfoot \(range.name)") { try write(format, $0) } }
  }

  /// Runs the body with the exception list: the discrepancies of the newest published range, or of the days of the run.
  package func withExceptionList<Result>(isNewest: Bool, _ body: (ExceptionList) throws -> Result) throws -> Result {
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try list(store.database, isNewest: isNewest)
    var exceptions = ExceptionList(database: store.database, log: DecisionLog(landing: settings.landing.directory))
    exceptions.published = try history(asOf: nil)
    return try body(exceptions)
  }

  /// Why what is shown is in no report; nil where it is in one.
  package func isInNoReport(isNewest: Bool) throws -> String? {
    let history = try history(asOf: nil)
    if history.publications.isEmpty { return "nothing has been reconciled yet; `crossfoot run` does it" }
    if isNewest { return nil }
    var day = range.firstDay
    while day <= range.lastDay {
      if !history.covers(day) { return "no report covers \(day): this is what the records landed so far make of it" }
      day = day.advanced(by: 1)
    }
    return nil
  }

  /// The last runs, how far each source is complete, and what is open in the newest published range or in the days of
  /// the run.
  package func status(isNewest: Bool) throws -> StatusRecord {
    let store = try Store(settings: settings, resources: resources, isReplay: false)
    defer { store.close() }
    try list(store.database, isNewest: isNewest)
    return try Status(
      database: store.database, output: settings.reporting.output, landing: settings.landing.directory,
      yesterday: calendar.day(containing: now).advanced(by: -1), providers: chosen
    ).record()
  }

  /// Fills the derived discrepancies: from the publication, or by deriving the days of the run.
  private func list(_ database: any Database, isNewest: Bool) throws {
    if isNewest { return try PublishedList(database: database).restore() }
    var timings = Timings(logger: logger)
    _ = try reconcile(database, &timings)
  }
}
