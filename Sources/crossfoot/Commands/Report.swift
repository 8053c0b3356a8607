import ArgumentParser

/// The last stage again.
struct Report: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Emit the reports of a range again from the store, without pulling.")

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  @Flag(help: "Write a statement for each connected account and currency too.")
  var statements = false

  @OptionGroup var effort: EffortOptions

  @Option(help: "The lowest severity for which the exit status is 1.")
  var failOn: FailOn = .high

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    let workplace = try CommandContext(common, connects: false)
    let now = Int64.now
    var order = RunOrder(
      range: try range.range(in: workplace.calendar, now: now), isNamedRange: range.isNamed, now: now,
      asOf: replay.asOf,
      pulls: false, alerts: .never, isDry: false, failOn: failOn, output: common.logging,
      statements: statements)
    order.derivesWhole = effort.whole
    order.jobs = effort.jobs
    try await Wiring.report(order, at: workplace).end()
  }
}
