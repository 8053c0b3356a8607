import ArgumentParser

/// The nightly job.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pull, read, reconcile, report and alert: the nightly job.",
    discussion: "Without days, yesterday. With days, they are pulled again and reported again.")

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  @Flag(help: "Work with what has landed; ask no provider.")
  var noPull = false

  @Flag(help: "Send no alerts; print what would go.")
  var noAlerts = false

  @Flag(help: "No network, no file: print what would be published and sent.")
  var dryRun = false

  @Option(help: "The severity from which on the exit status is 1.")
  var failOn: FailOn = .high

  func run() async throws {
    let workplace = try Workplace(common)
    let now = Int64.now
    let order = RunOrder(
      range: try range.range(in: workplace.calendar, now: now), isNamedRange: range.isNamed, now: now, asOf: replay.asOf,
      pulls: !noPull && !dryRun && replay.asOf == nil, alerts: noAlerts || dryRun ? .show : .send, isDry: dryRun, failOn: failOn,
      output: common.logging)
    try await Wiring.run(order, at: workplace).end()
  }
}

/// What becomes of the alerts.
enum Alerting: Sendable {
  case send
  /// Printed, and nothing is sent.
  case show
  /// Reports alone.
  case never
}

/// What `run` was asked for.
struct RunOrder: Sendable {
  let range: DayRange
  /// Whether the days were named: then they are pulled again.
  let isNamedRange: Bool
  /// The moment of the run, Unix seconds: the only reading of the wall clock.
  let now: Int64
  let asOf: Int64?
  let pulls: Bool
  let alerts: Alerting
  let isDry: Bool
  let failOn: FailOn
  let output: LoggingOptions
}
