import ArgumentParser
import Foundation
import Payments
import Settings

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
    let now = Int64.now
    let workplace: Workplace
    do { workplace = try Workplace(common) } catch {
      await tell(Failure(error), now: now)
      throw error
    }
    try await Wiring.run(try order(in: workplace.calendar, now: now), at: workplace).end()
  }

  private func order(in calendar: BusinessCalendar, now: Int64) throws -> RunOrder {
    RunOrder(
      range: try range.range(in: calendar, now: now), isNamedRange: range.isNamed, now: now, asOf: replay.asOf,
      pulls: !noPull && !dryRun && replay.asOf == nil, alerts: noAlerts || dryRun ? .show : .send, isDry: dryRun, failOn: failOn,
      output: common.logging)
  }

  /// A configuration that is refused is told of to those whom it still names.
  private func tell(_ failure: Failure, now: Int64) async {
    guard let path = try? Workplace.configuration(common.config), let audible = Audible(path), let zone = TimeZone(identifier: audible.timeZone),
      let order = try? order(in: BusinessCalendar(timeZone: zone), now: now)
    else { return }
    await Wiring.tell(failure, order, of: audible)
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
  /// Whether statements for connected accounts are written too.
  var statements = false
}
