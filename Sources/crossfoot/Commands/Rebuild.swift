import ArgumentParser

/// The whole store again.
struct Rebuild: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Derive the whole store again from the landing zone and the decision log.",
    discussion: """
      Asks no provider and publishes nothing: the new store is made beside the one that stands and takes its place in one step, so that reports of any \
      range are as before. For a store that is lost, damaged or of another version, or to read the landed records by changed rules. With --as-of only \
      what had landed by then; the next run reads the rest.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try Wiring.rebuild(asOf: replay.asOf, output: common.logging, at: try CommandContext(common, connects: false)).end()
  }
}
