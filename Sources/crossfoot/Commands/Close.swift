import ArgumentParser
import Foundation

/// The end of a month.
struct ClosePeriod: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Seal a period: its reports, statements and decisions, never to change again.",
    discussion: """
      A period is a calendar month, as in 2026-03, or one of `periods:` in the configuration. It can be closed when \
      every source is complete past its end, every day of it was reconciled, no proof failed, nothing is \
      unexplained, and each open critical or high discrepancy has an owner and a note. Otherwise every reason is \
      printed and the exit status is 1. Later changes are booked as adjustments in the open period.
      """)

  @Argument(help: "The period.")
  var period: String

  @Option(
    help: ArgumentHelp(
      "Who prepared it. Default: the name of the account that runs the command.", valueName: "name"))
  var preparedBy: String?

  @Option(help: ArgumentHelp("Who reviewed it.", valueName: "name"))
  var reviewedBy: String?

  @Option(help: ArgumentHelp("A note for the seal.", valueName: "text"))
  var note: String?

  @Flag(help: "Close it even if checks fail; needs --note. The seal records both.")
  var force = false

  @Flag(help: "Only print what prevents it; close nothing.")
  var check = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if force, note?.allSatisfy(\.isWhitespace) ?? true { throw ValidationError("--force needs --note.") }
    if force && check { throw ValidationError("--force and --check exclude each other.") }
  }

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    let workplace = try CommandContext(common, connects: false)
    try Wiring.close(
      period, preparedBy: preparedBy ?? NSUserName(), reviewedBy: reviewedBy, note: note, overrides: force,
      onlyChecks: check, output: common.logging, at: workplace
    ).end()
  }
}

/// A seal loses its force.
struct ReopenPeriod: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Open the newest closed period again; its seal is kept.")

  @Argument(help: "The period.")
  var period: String

  @Option(help: ArgumentHelp("Why it is opened again.", valueName: "text"))
  var note: String

  @Option(
    help: ArgumentHelp("Who opens it. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if note.allSatisfy(\.isWhitespace) { throw ValidationError("--note must say why the period is opened again.") }
  }

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    let workplace = try CommandContext(common, connects: false)
    try Wiring.reopen(period, who: by ?? NSUserName(), note: note, output: common.logging, at: workplace).end()
  }
}

/// What changed of a closed period.
struct DiffPeriod: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "List what became known of a closed period since it was sealed, by cause.")

  @Argument(help: "The period.")
  var period: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    let workplace = try CommandContext(common, connects: false)
    try Wiring.diff(period, asOf: replay.asOf, output: common.logging, at: workplace).end()
  }
}

/// A closed period for somebody else.
struct BundlePeriod: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract:
      "Pack a closed period with the landed records that it rests on; `crossfoot verify DIR` works it out again.")

  @Argument(help: "The period.")
  var period: String

  @Argument(help: ArgumentHelp("The folder that is made.", valueName: "folder"))
  var folder: String

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    let workplace = try CommandContext(common, connects: false)
    try Wiring.bundle(period, to: folder, output: common.logging, at: workplace).end()
  }
}
