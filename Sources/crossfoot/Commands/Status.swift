import ArgumentParser

/// Where things stand.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the last runs, the watermark of each provider and the open discrepancies.")

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try await Wiring.status(output: common.logging, at: try Workplace(common)).end()
  }
}
