import ArgumentParser

/// The whole store again.
struct Rebuild: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Derive the whole store again from the landing zone and the decision log.",
    discussion: """
      Asks no provider and publishes nothing. The new store is built beside the current one and replaces it in one \
      step, so reports of any range are unchanged. Use it when the store is lost, damaged or of another version, or \
      to read the landed records by changed rules. With --as-of, only records that had landed by then are read; the \
      next run reads the rest.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try Wiring.rebuild(asOf: replay.asOf, output: common.logging, at: try CommandContext(common, connects: false)).end()
  }
}
