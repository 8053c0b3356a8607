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

/// Where the commands meet the rooms: every call from the command line into the night stands here, and nowhere else.
enum Wiring {
  /// The kinds of providers that a configuration may name.
  static var providerKinds: [String] { ProviderList.kinds }

  /// Makes a provider of its entry in the configuration.
  ///
  /// - Throws: `SettingsError` for keys of its own that are wrong or unknown.
  static func makeProvider(_ entry: ProviderEntry) throws -> any Provider { try ProviderList.make(entry) }

  /// The night: pull, read, reconcile, report, alert.
  static func run(_ order: RunOrder, at workplace: Workplace) async throws -> ExitStatus {
    let report: NightReport
    do {
      report = try await reconcile(order, at: workplace)
    } catch {
      await tell(Failure(error), order, of: Audible(workplace.settings))
      throw error
    }
    let status = exitStatus(of: report, failOn: order.failOn)
    let shown = Result { try Output.show(report, status: status, order.output) }
    await tell(report, status: status, order, at: workplace)
    try shown.get()
    return status
  }

  private static func reconcile(_ order: RunOrder, at workplace: Workplace) async throws -> NightReport {
    defer { Progress.end() }
    var night = try makeNight(order.range, now: order.now, workplace)
    night.asOf = order.asOf
    night.pulls = order.pulls
    night.publishes = !order.isDry
    night.writesStatements = order.statements
    night.chosen = Set(workplace.chosen.map(\.name))
    night.progress = Progress.show
    return try await night.run()
  }

  /// The first stage alone.
  static func pull(_ range: DayRange, isNamedRange: Bool, now: Int64, output: LoggingOptions, at workplace: Workplace)
    async throws
    -> ExitStatus
  {
    var night = try makeNight(range, now: now, workplace)
    night.chosen = Set(workplace.chosen.map(\.name))
    night.progress = Progress.show
    let gaps = try await night.pullOnly()
    Progress.end()
    if !output.quiet || !gaps.isEmpty {
      try Terminal.print(
        (["pulled \(range)"] + (gaps.isEmpty ? ["everything was read in full"] : gaps)).joined(separator: "\n  "))
    }
    return gaps.isEmpty ? .clean : .incomplete
  }

  /// The reports again.
  static func report(_ order: RunOrder, at workplace: Workplace) async throws -> ExitStatus {
    try await run(order, at: workplace)
  }

  /// The story of one id.
  static func explain(_ id: String, asOf: Int64?, output: LoggingOptions, at workplace: Workplace) async throws -> ExitStatus {
    var night = try yesterday(workplace)
    night.asOf = asOf
    let story = try night.explain(id)
    guard !story.isEmpty else {
      throw Failure(
        .usage, "nothing is known of \(id): it is no order, payment, refund, transfer, payout or discrepancy in the store")
    }
    if output.format == .json { try Terminal.printJSON(story) } else { try Terminal.print(story.joined(separator: "\n")) }
    return .clean
  }

  /// The whole store again; 2 where something of the landing zone itself could not be read.
  static func rebuild(asOf: Int64?, output: LoggingOptions, at workplace: Workplace) throws -> ExitStatus {
    var night = try yesterday(workplace)
    night.asOf = asOf
    let rebuilt = try night.rebuild()
    for sentence in rebuilt.damage { Terminal.complain("warning: \(sentence)") }
    if rebuilt.missing > 0 {
      Terminal.complain("warning: \(rebuilt.missing) landed files that the former store knew are not in the landing zone any more")
    }
    let isWhole = rebuilt.damage.isEmpty
    if output.format == .json {
      try Terminal.printJSON(rebuilt)
    } else if !output.quiet || !isWhole {
      try Terminal.print(rebuilt.line)
    }
    return isWhole ? .clean : .incomplete
  }

  /// Where things stand.
  static func status(output: LoggingOptions, at workplace: Workplace) async throws -> ExitStatus {
    let lines = try yesterday(workplace).status()
    if output.format == .json { try Terminal.printJSON(lines) } else { try Terminal.print(lines.joined(separator: "\n")) }
    return .clean
  }

  static func yesterday(_ workplace: Workplace) throws -> Night {
    let now = Int64.now
    let day = workplace.calendar.day(containing: now).advanced(by: -1)
    return try makeNight(DayRange(first: day, last: day), now: now, workplace)
  }

  static func makeNight(_ range: DayRange, now: Int64, _ workplace: Workplace) throws -> Night {
    Night(
      settings: workplace.settings, calendar: workplace.calendar, providers: workplace.providers,
      orderSources: try OrderSourceList.make(workplace.settings.orders),
      resources: ResourceFolders(root: workplace.resources.folder),
      range: ReportRange(from: range.first, to: range.last, in: workplace.calendar), now: now, version: Version.text)
  }

  /// 2 before 1 before 0: contracts section 1.
  static func exitStatus(of report: NightReport, failOn: FailOn) -> ExitStatus {
    if report.verdict == .incomplete { return .incomplete }
    guard let limit = Severity(rawValue: failOn.rawValue) else { return .clean }
    return report.has(atLeast: limit) ? .discrepancies : .clean
  }
}
