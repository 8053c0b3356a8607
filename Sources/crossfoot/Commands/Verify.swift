import ArgumentParser

/// The whole landing zone examined.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Examine the landing zone: whether everything is there, and as it was landed.",
    discussion: """
      Every manifest against the chain, every landed file against its hash, every line of the logs against its sum, every sealed file against its \
      seal. The exit status is 0 when all is whole, and 2 when something is not: it is named, with what to do. Every run examines what it reads, \
      and a part of the rest. With a bundle's folder, the bundle is examined and its period worked out again from its landed files: that needs \
      neither configuration nor secrets.
      """)

  @Argument(help: ArgumentHelp("A folder that `crossfoot bundle` made.", valueName: "folder"))
  var bundle: String?

  @Flag(
    help: "Take what is missing or damaged as lost: it makes no night incomplete any more, and no claim rests on it.")
  var giveUp = false

  @Option(
    help: ArgumentHelp("Who gives it up. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if giveUp && bundle != nil { throw ValidationError("--give-up is about the landing zone, not about a bundle.") }
  }

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    if let bundle {
      common.logging.begin()
      return try Wiring.verify(bundle: bundle, resources: common.resources, output: common.logging).end()
    }
    try Wiring.verify(givesUp: giveUp, who: by, output: common.logging, at: try CommandContext(common, connects: false))
      .end()
  }
}
