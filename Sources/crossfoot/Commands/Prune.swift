import ArgumentParser
import Foundation

/// Landed files that are old enough let go.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let landed files go that lie behind landing.retention.",
    discussion: """
      Their manifests stay, the landing chain says that they were let go, when and by whom, and the store is derived again: what they told is from then \
      on before coverage, and nothing is claimed to be missing there. Files stay that something open rests on, and the newest of each stream.
      """)

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Who lets them go. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try Wiring.prune(
      who: by ?? NSUserName(), isDry: dryRun, output: common.logging, at: try CommandContext(common, connects: false))
  }
}
