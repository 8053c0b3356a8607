import ArgumentParser

/// The first stage alone.
struct Pull: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring provider records into the landing zone, and nothing else.")

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var common: CommonOptions

  @Flag(help: "Believe the clock, also where it lies before the newest landed record or a week after it.")
  var clockIsRight = false

  func run() async throws {
    let workplace = try CommandContext(common)
    let now = Int64.now
    let days = try range.range(in: workplace.calendar, now: now)
    try await Wiring.pull(days, now: now, clockIsRight: clockIsRight, output: common.logging, at: workplace).end()
  }
}
