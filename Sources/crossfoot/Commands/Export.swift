import ArgumentParser
import Foundation
import Journal

/// What leaves for other programs.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the entries for other programs.", subcommands: [ExportJournal.self])
}

/// The entries as a double-entry journal.
struct ExportJournal: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Write the entries of a range as a plain-text double-entry journal.",
    discussion: """
      For beancount and hledger, with the providers' stated balances as assertions, or as CSV lines for accounting \
      packages. Account names are set under `journal:` in the configuration.
      """)

  @Option(help: "The program it is for.")
  var format: JournalFormat

  @Option(help: ArgumentHelp("Where it is written. Default: standard output.", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The configuration. Default: ./crossfoot.yml, then /etc/crossfoot/crossfoot.yml.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("The folder with sql and reports. Default: beside the binary.", valueName: "folder"))
  var resources: String?

  @OptionGroup(title: "Days") var range: RangeOptions
  @OptionGroup var replay: AsOfOption
  @OptionGroup(title: "Output") var logs: LogOptions

  func run() async throws {
    logs.begin()
    let workplace = try CommandContext(
      configuration: try CommandContext.configuration(config), connects: false,
      resources: { try Resources.find(option: resources) })
    let days = try range.range(in: workplace.calendar, now: .now)
    try Wiring.exportJournal(days, format, asOf: replay.asOf, to: output, at: workplace).end()
  }
}

extension JournalFormat: ExpressibleByArgument {}
