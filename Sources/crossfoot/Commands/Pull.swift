import ArgumentParser

/// The first stage alone.
struct Pull: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pull provider records into the landing zone, and do nothing else.")

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var common: CommonOptions

  @Flag(help: "Trust the clock, even if it is earlier than the newest landed record or more than a week later.")
  var clockIsRight = false

  func run() async throws {
    let workplace = try CommandContext(common)
    let now = Int64.now
    let days = try range.range(in: workplace.calendar, now: now)
    try await Wiring.pull(days, now: now, clockIsRight: clockIsRight, output: common.logging, at: workplace).end()
  }
}
