import ArgumentParser

/// The whole story of one thing.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell the whole story of one order, payment, refund, transfer, payout or discrepancy.",
    discussion:
      "In time order: the records with their landed file and line, the entries they became, the flow, the match, the checks.")

  @Argument(help: "Any id: of an order, payment intent, charge, refund, transfer, payout or discrepancy.")
  var id: String

  @OptionGroup var days: DayOption
  @OptionGroup var common: CommonOptions
  @OptionGroup var replay: AsOfOption

  func run() async throws {
    common.warnThatProvidersAreNotChosen()
    try await Wiring.explain(id, days: days, asOf: replay.asOf, output: common.logging, at: try Workplace(common, connects: false)).end()
  }
}
