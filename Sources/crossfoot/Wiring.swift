import Foundation
import Landing
import Logging
import OrderSources
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import Storage

/// Connects the commands with the modules: every call from the command line into a run is made here.
enum Wiring {
  /// The kinds of providers that a configuration may name.
  static var providerKinds: [String] { ProviderList.kinds }

  /// Creates a provider from its entry in the configuration.
  ///
  /// - Throws: `SettingsError` for keys of its own that are wrong or unknown.
  static func makeProvider(_ entry: ProviderEntry) throws -> any Provider {
    do { return try ProviderList.make(entry) } catch let error where !(error is SettingsError) {
      throw Failure(.configuration, "provider \(entry.name): \(error)")
    }
  }

  /// The nightly run: pull, read, reconcile, report, alert.
  static func run(_ order: RunOrder, at workplace: CommandContext) async throws -> ExitStatus {
    await alertOfStart(order, at: workplace)
    let report: RunReport
    do {
      report = try await reconcile(order, at: workplace)
    } catch {
      await alert(Failure(error), order, of: FallbackAlertSettings(workplace.settings))
      throw error
    }
    let status = exitStatus(of: report, failOn: order.failOn)
    record(order, status, verdict: report.verdict.rawValue, landing: workplace.settings.landing.directory)
    for note in report.closedPeriods {
      let count = note.adjustments == 1 ? "1 adjustment" : "\(note.adjustments) adjustments"
      Terminal.complain("\(note.period) was closed on \(note.closedAt.prefix(10)), \(count) since")
    }
    let shown = Result { try Output.show(report, status: status, order) }
    Logger(label: "crossfoot").debug("stage alert: begins")
    await alert(report, status: status, order, at: workplace)
    try shown.get()
    return status
  }

  private static func reconcile(_ order: RunOrder, at workplace: CommandContext) async throws -> RunReport {
    defer { Progress.end() }
    var night = try makeNight(order.range, now: order.now, workplace)
    night.asOf = order.asOf
    night.pulls = order.pulls
    (night.doubtsClock, night.assertsClock) = (!order.clockIsRight, order.clockIsRight)
    night.publishes = !order.isDry
    if let days = order.pulledRange {
      night.pulledRange = ReportRange(from: days.first, to: days.last, in: workplace.calendar)
    }
    night.deadline = order.deadline
    night.derivesWhole = order.derivesWhole
    if let jobs = order.jobs { night.jobs = jobs }
    night.exitStatus = { exitStatus(of: $0, failOn: order.failOn).rawValue }
    night.writesStatements = order.statements
    night.chosen = Set(workplace.chosen.map(\.name))
    night.progress = Progress.show
    return try await night.run()
  }

  /// The first stage alone.
  static func pull(
    _ range: DayRange, now: Int64, clockIsRight: Bool, output: LoggingOptions, at workplace: CommandContext
  )
    async throws
    -> ExitStatus
  {
    var night = try makeNight(range, now: now, workplace)
    (night.doubtsClock, night.assertsClock) = (!clockIsRight, clockIsRight)
    night.chosen = Set(workplace.chosen.map(\.name))
    night.progress = Progress.show
    let gaps = try await night.pullOnly()
    Progress.end()
    if output.format == .json {
      try Terminal.printJSON(Pulled(range: range.description, isComplete: gaps.isEmpty, reasons: gaps))
    } else if !output.quiet || !gaps.isEmpty {
      try Terminal.print(
        (["pulled \(range)"] + (gaps.isEmpty ? ["everything was read in full"] : gaps)).joined(separator: "\n  "))
    }
    return gaps.isEmpty ? .clean : .incomplete
  }

  private struct Pulled: Encodable {
    let range: String
    let isComplete: Bool
    /// What could not be read in full, one sentence each.
    let reasons: [String]
  }

  /// The reports again.
  static func report(_ order: RunOrder, at workplace: CommandContext) async throws -> ExitStatus {
    try await run(order, at: workplace)
  }

  /// Rebuilds the whole store; 2 if something of the landing zone could not be read.
  static func rebuild(asOf: Int64?, output: LoggingOptions, at workplace: CommandContext) throws -> ExitStatus {
    var night = try yesterday(workplace)
    night.asOf = asOf
    let rebuilt = try night.rebuild()
    for sentence in rebuilt.damage { Terminal.complain("warning: \(sentence)") }
    if rebuilt.missing > 0 {
      Terminal.complain(
        "warning: \(rebuilt.missing) landed files that the former store knew are not in the landing zone any more")
    }
    let isWhole = rebuilt.damage.isEmpty
    if output.format == .json {
      try Terminal.printJSON(rebuilt)
    } else if !output.quiet || !isWhole {
      try Terminal.print(rebuilt.line)
    }
    return isWhole ? .clean : .incomplete
  }

  /// Verifies the landing zone; 2 if something is not as it was landed.
  static func verify(givesUp: Bool, who: String?, output: LoggingOptions, at workplace: CommandContext) throws
    -> ExitStatus
  {
    let found = try yesterday(workplace).verify(givesUp: givesUp ? who ?? NSUserName() : nil)
    if output.format == .json {
      try Terminal.printJSON(found)
    } else if !output.quiet || !found.isWhole {
      try Terminal.print(found.lines.joined(separator: "\n"))
    }
    return found.isWhole ? .clean : .incomplete
  }

  /// Reports the current status; 1 if the newest report is older than the given limit.
  static func status(
    maxAge: Int64?, days: DayOption, output: LoggingOptions, at workplace: CommandContext, providers: [String]
  ) async throws -> ExitStatus {
    let now = Int64.now
    var night = try night(of: days, workplace, now: now)
    if !providers.isEmpty { night.chosen = Set(providers) }
    let record = try night.status(isNewest: days.isNewest)
    let isTooOld = maxAge.map { record.isOlder(than: $0, now: now) } ?? false
    if output.format == .json {
      try Terminal.printJSON(record)
    } else if !output.quiet || isTooOld {
      try Terminal.print(record.lines.joined(separator: "\n"))
    }
    if isTooOld {
      Terminal.complain("the newest report is of \(record.newestReportAt ?? "no run yet"), older than --max-age allows")
    }
    return isTooOld ? .discrepancies : .clean
  }

  /// The run of the given day, else of yesterday.
  static func night(of days: DayOption, _ workplace: CommandContext, now: Int64 = .now) throws -> ReconciliationRun {
    guard let day = days.date else { return try yesterday(workplace, now: now) }
    return try makeNight(DayRange(first: day, last: day), now: now, workplace)
  }

  static func yesterday(_ workplace: CommandContext, now: Int64 = .now) throws -> ReconciliationRun {
    let day = workplace.calendar.day(containing: now).advanced(by: -1)
    return try makeNight(DayRange(first: day, last: day), now: now, workplace)
  }

  static func makeNight(_ range: DayRange, now: Int64, _ workplace: CommandContext) throws -> ReconciliationRun {
    ReconciliationRun(
      settings: workplace.settings, calendar: workplace.calendar, providers: workplace.providers,
      orderSources: try OrderSourceList.make(workplace.settings.orders),
      resources: ResourceFolders(root: workplace.resources.folder),
      range: ReportRange(from: range.first, to: range.last, in: workplace.calendar), now: now, version: Version.text)
  }

  /// 2 before 1 before 0: docs/contract.md section 1.
  static func exitStatus(of report: RunReport, failOn: FailOn) -> ExitStatus {
    if report.verdict == .incomplete { return .incomplete }
    guard let limit = Severity(rawValue: failOn.rawValue) else { return .clean }
    return report.has(atLeast: limit) ? .discrepancies : .clean
  }
}
