import ArgumentParser

/// The whole landing zone examined.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Examine the landing zone: whether everything is there, and as it was landed.",
    discussion: """
      Every manifest against the chain, every landed file against its hash, every line of the logs against its sum. The exit status is 0 when \
      all is whole, and 2 when something is not: it is named, with what to do. Every run examines what it reads, and a part of the rest.
      """)

  @Flag(
    help: "Take what is missing or damaged as lost: it makes no night incomplete any more, and no claim rests on it.")
  var giveUp = false

  @Option(
    help: ArgumentHelp("Who gives it up. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try Wiring.verify(givesUp: giveUp, who: by, output: common.logging, at: try Workplace(common, connects: false))
      .end()
  }
}
