import ArgumentParser

/// A check by itself.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Examine a check and run it by itself; print its rows.",
    discussion: """
      For a check that is being written. It is validated as in a run (head comment, columns, read-only, one row a \
      subject) and executed at the end of the newest published range, or of --date. \
      Nothing is published, decided or sent. \
      The exit status is 0 whatever the check reports, and 78 if a run would refuse it.
      """)

  @Argument(help: ArgumentHelp("The check's .sql file, or the type of a configured check.", valueName: "file"))
  var file: String

  @Flag(help: "Only examine it; do not run it.")
  var examine = false

  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    let order = CheckOrder(
      file: file, runs: !examine, providers: common.provider, days: days, asOf: replay.asOf, output: common.logging)
    try Wiring.check(order, at: try CommandContext(common, connects: false)).end()
  }
}

/// The arguments of `check`.
struct CheckOrder {
  let file: String
  /// Whether it is run, or only validated.
  let runs: Bool
  /// Only rows of these providers; empty: all.
  let providers: [String]
  let days: DayOption
  let asOf: Int64?
  let output: LoggingOptions
}
