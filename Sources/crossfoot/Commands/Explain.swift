import ArgumentParser

/// The whole story of one thing.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the full history of one order, payment, refund, transfer, payout, batch, account or discrepancy.",
    discussion: """
      In time order: the records with their landed file and line, their entries, the flow, the match, the checks. \
      If an id or a date matches several records, it lists them: `provider:id` or `order:id` selects one.
      """)

  @Argument(
    help: "Any id of a record, a bank reference, a settlement date, an account or a discrepancy; also as provider:id.")
  var id: String

  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    try Wiring.explain(
      id, days: days, asOf: replay.asOf, output: common.logging, at: try CommandContext(common, connects: false),
      providers: common.provider
    ).end()
  }
}
