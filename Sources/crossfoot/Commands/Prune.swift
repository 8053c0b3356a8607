import ArgumentParser
import Foundation

/// Landed files that are old enough removed.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove landed files that are older than landing.retention.",
    discussion: """
      Their manifests are kept, the landing chain records when and by whom they were removed, and the store is \
      derived again. Their days are before the coverage from then on: no check reports missing records there. \
      The newest file of each stream and the files of open discrepancies are kept.
      """)

  @Flag(help: "Only print what would be removed.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Who removes them. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try Wiring.prune(
      who: by ?? NSUserName(), isDry: dryRun, output: common.logging, at: try CommandContext(common, connects: false))
  }
}
