import ArgumentParser
import Settings

/// Where things stand.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the last runs, days without a report, the watermark of each provider and the open discrepancies.",
    discussion: "With --max-age, the exit status is 1 when the newest report was made longer ago, or there is none.")

  @Option(
    help: ArgumentHelp("End with 1 when the newest report is older, as in 26h.", valueName: "duration"),
    transform: Self.duration)
  var maxAge: Int64?

  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await Wiring.status(
      maxAge: maxAge, days: days, output: common.logging, at: try CommandContext(common, connects: false),
      providers: common.provider
    ).end()
  }

  private static func duration(_ text: String) throws -> Int64 {
    guard let seconds = DurationText.seconds(text) else {
      throw ValidationError("\"\(text)\" is no duration; expected 90s, 10m, 26h or 7d.")
    }
    return seconds
  }
}
