import ArgumentParser

/// The whole landing zone examined.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that the landing zone is complete and unchanged.",
    discussion: """
      Compares every manifest with the chain, every landed file with its hash, every line of the logs with its sum \
      and every sealed file with its seal. The exit status is 0 when all are intact, else 2: each fault is listed \
      with what to do. Every run verifies what it reads, and a part of the rest. Given a bundle's folder, it \
      verifies the bundle and derives its period again from its landed files, without configuration or secrets.
      """)

  @Argument(help: ArgumentHelp("A folder that `crossfoot bundle` made.", valueName: "folder"))
  var bundle: String?

  @Flag(
    help:
      """
      Record what is missing or damaged as lost: runs are no longer incomplete because of it, and no claim depends on \
      it.
      """
  )
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
