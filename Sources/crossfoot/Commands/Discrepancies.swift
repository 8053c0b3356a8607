import ArgumentParser
import Decisions

/// The exception list, and what people decide about it.
struct Discrepancies: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the discrepancies of the last run and record decisions on them.",
    discussion: """
      A decision is recorded in the decision log beside the landed records, and the next run's reports show it. \
      It never hides a condition whose amount changed: that discrepancy is open again.
      """,
    subcommands: [
      ListDiscrepancies.self, Acknowledge.self, Assign.self, Note.self, Resolve.self, WriteOff.self, Reopen.self,
      Import.self,
    ], defaultSubcommand: ListDiscrepancies.self)
}

/// The options of every decision.
struct DecisionOptions: ParsableArguments {
  @Argument(help: "Discrepancies, by the ids of the list.")
  var ids: [String]

  @Option(help: ArgumentHelp("Who decides. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?

  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if ids.isEmpty { throw ValidationError("Name at least one discrepancy.") }
  }

  func decide(_ action: Decision.Action, _ text: String?) throws {
    try Wiring.decide(
      action, about: ids, text: text, who: by, days: days, output: common.logging,
      at: try CommandContext(common, connects: false)
    ).end()
  }
}

/// The list, worst first.
struct ListDiscrepancies: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the discrepancies of the last run, worst first.")

  @Option(help: ArgumentHelp("Only this state; can be given several times.", valueName: "state"))
  var state: [String] = []
  @Option(help: ArgumentHelp("Only this severity; can be given several times.", valueName: "severity"))
  var severity: [String] = []
  @Option(help: ArgumentHelp("Only this type; can be given several times.", valueName: "type"))
  var type: [String] = []
  @Option(help: ArgumentHelp("Only this owner; can be given several times.", valueName: "owner"))
  var owner: [String] = []
  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let filter = DiscrepancyFilter(
      states: state, severities: severity, types: type, owners: owner, providers: common.provider)
    try Wiring.listDiscrepancies(
      filter, days: days, output: common.logging, at: try CommandContext(common, connects: false)
    )
    .end()
  }
}

/// It is known.
struct Acknowledge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack", abstract: "Acknowledge a discrepancy: it needs no more attention.")
  @Option(help: "A remark.") var note: String?
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.acknowledge, note) }
}

/// It has an owner.
struct Assign: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Give a discrepancy an owner.")
  @Option(help: ArgumentHelp("The owner.", valueName: "owner")) var to: String
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.assign, to) }
}

/// Something worth knowing.
struct Note: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Add a note to a discrepancy.")
  @Option(help: ArgumentHelp("The note.", valueName: "text")) var text: String
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.note, text) }
}

/// It is fixed.
struct Resolve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mark a discrepancy as fixed and waiting for the provider.",
    discussion: "It expires after seven days if the condition is still present.")
  @Option(help: "A remark.") var note: String?
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.resolve, note) }
}

/// The amount is given up.
struct WriteOff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-off", abstract: "Write off the amount of a discrepancy.")
  @Option(help: "A remark.") var note: String?
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.writeOff, note) }
}

/// What was decided no longer stands.
struct Reopen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Take a decision back.")
  @Option(help: "A remark.") var note: String?
  @OptionGroup var decision: DecisionOptions

  func run() async throws { try decision.decide(.reopen, note) }
}

/// What was filled in.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read owner, status and note back from a filled-in workbook.",
    discussion: """
      Reads the sheet Discrepancies of reconciliation.xlsx, or discrepancies.csv. Rows are identified by the \
      discrepancies' ids, so they may be sorted, filtered or inserted. A blank cell changes nothing. Valid decisions \
      are recorded; each other row is listed with its reason.
      """)
  @Argument(help: ArgumentHelp("The .xlsx or .csv file.", valueName: "file")) var file: String
  @Option(help: ArgumentHelp("Who decides. Default: the name of the account that runs the command.", valueName: "name"))
  var by: String?
  @Flag(help: "Only print what would change.") var dryRun = false
  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try Wiring.importDecisions(
      file, who: by, isDry: dryRun, days: days, output: common.logging, at: try CommandContext(common, connects: false)
    ).end()
  }
}
