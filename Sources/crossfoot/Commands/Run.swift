import ArgumentParser
import Foundation
import Payments
import Settings

/// The nightly job.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pull, read, reconcile, report and alert: the nightly job.",
    discussion: """
      Without days, it reports every day since the newest published one (at most 31), each on its own; on a first \
      run, yesterday. With days, it pulls and reports those days again.
      """)

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  @Flag(help: "Use the landed records; ask no provider.")
  var noPull = false

  @Flag(help: "Send no alerts; print what would be sent.")
  var noAlerts = false

  @Flag(help: "No network, no file: print what would be published and sent.")
  var dryRun = false

  @OptionGroup var effort: EffortOptions

  @Flag(help: "Trust the clock, even if it is earlier than the newest landed record or more than a week later.")
  var clockIsRight = false

  @Option(help: "The lowest severity for which the exit status is 1.")
  var failOn: FailOn = .high

  @Option(
    help: ArgumentHelp(
      "Retry providers until then, network outages included, then report what was read: a time of day in "
        + "reporting.time_zone, as in 05:00.",
      valueName: "time"), transform: TimeOfDay.init(argument:))
  var deadline: TimeOfDay?

  func run() async throws {
    let now = Int64.now
    let workplace: CommandContext
    do { workplace = try CommandContext(common) } catch {
      await alert(Failure(error), now: now)
      throw error
    }
    let order = try order(in: workplace.calendar, now: now)
    let isNightly = !range.isNamed && replay.asOf == nil
    try await (isNightly ? Wiring.runDueDays(order, at: workplace) : Wiring.run(order, at: workplace)).end()
  }

  private func order(in calendar: BusinessCalendar, now: Int64) throws -> RunOrder {
    var order = RunOrder(
      range: try range.range(in: calendar, now: now), isNamedRange: range.isNamed, now: now, asOf: replay.asOf,
      pulls: !noPull && !dryRun && replay.asOf == nil, alerts: noAlerts || dryRun ? .show : .send, isDry: dryRun,
      failOn: failOn,
      output: common.logging)
    order.derivesWhole = effort.whole
    order.jobs = effort.jobs
    order.clockIsRight = clockIsRight
    order.deadline = deadline?.next(after: now, in: calendar.timeZone)
    return order
  }

  /// An invalid configuration is reported to the receivers that can still be read from it.
  private func alert(_ failure: Failure, now: Int64) async {
    guard let path = try? CommandContext.configuration(common.config), let fallback = FallbackAlertSettings(path),
      let zone = TimeZone(identifier: fallback.timeZone),
      let order = try? order(in: BusinessCalendar(timeZone: zone), now: now)
    else { return }
    await Wiring.alert(failure, order, of: fallback)
  }
}

/// What happens to the alerts.
enum Alerting: Sendable {
  case send
  /// Printed, not sent.
  case show
  /// Reports alone.
  case never
}

/// The arguments of `run`.
struct RunOrder: Sendable {
  var range: DayRange
  /// Whether the days were given explicitly: then they are pulled again.
  let isNamedRange: Bool
  /// The time of the run, Unix seconds: the only reading of the wall clock.
  let now: Int64
  let asOf: Int64?
  var pulls: Bool
  let alerts: Alerting
  let isDry: Bool
  let failOn: FailOn
  let output: LoggingOptions
  /// Whether statements for connected accounts are written too.
  var statements = false
  /// The range to pull, if one pull serves several days; nil: the range.
  var pulledRange: DayRange?
  /// Whether it is the first and the last of several days: heartbeats are sent before the first and after the last.
  var isFirst = true
  var isLast = true
  /// Whether the clock is trusted whatever has landed.
  var clockIsRight = false
  /// The time until which the run waits for providers, Unix seconds.
  var deadline: Int64?
  /// Whether everything is derived, not only what is open in the days.
  var derivesWhole = false
  /// How many parts are computed in parallel.
  var jobs: Int?
}
