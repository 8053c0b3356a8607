import ArgumentParser
import Foundation

/// References of one customer taken out of everything that is kept.
struct Erase: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Erase a customer's references from all stored data.",
    discussion: """
      The reference, such as an order's id or an account in the shop, is replaced by one random pseudonym in landed \
      records, logs, store and reports, so sums and matches do not change. The landing chain records that it was \
      done, by whom and when, but not the reference. Erase it at its source first: a source that still has it \
      delivers it again within its look-back. Run the same command again to complete an interrupted erasure.
      """)

  @Argument(help: ArgumentHelp("The reference to erase.", valueName: "reference"))
  var references: [String]

  @Option(help: ArgumentHelp("Why, without personal data: it is kept for ever.", valueName: "text"))
  var note: String?

  @Option(help: ArgumentHelp("Who erases. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let note, references.contains(where: note.contains) {
      throw ValidationError("--note contains the reference to erase; give the reason without it")
    }
  }

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try await Wiring.erase(
      references, who: by ?? NSUserName(), note: note, output: common.logging,
      at: try CommandContext(common, connects: false))
  }
}
