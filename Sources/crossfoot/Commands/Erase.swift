import ArgumentParser
import Foundation

/// References of one customer taken out of everything that is kept.
struct Erase: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take references of one customer out of everything that is kept.",
    discussion: """
      An order's id, an account in the shop: replaced in landed records, logs, store and reports by one random stand-in, so that sums and matches stay. \
      The landing chain says that it was done, by whom and when, and not what. Erase it first where it comes from: a source that still has it \
      brings it again within its look-back. What it interrupted is completed by the same command.
      """)

  @Argument(help: ArgumentHelp("What is to stand nowhere any more.", valueName: "reference"))
  var references: [String]

  @Option(help: ArgumentHelp("Why, without personal data: it is kept for ever.", valueName: "text"))
  var note: String?

  @Option(help: ArgumentHelp("Who erases. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let note, references.contains(where: note.contains) {
      throw ValidationError("--note holds what is to be erased; say why without it")
    }
  }

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try await Wiring.erase(
      references, who: by ?? NSUserName(), note: note, output: common.logging,
      at: try CommandContext(common, connects: false))
  }
}
