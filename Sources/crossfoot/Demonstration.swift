import Foundation
import Marketplace
import Payments

/// The demo: a marketplace with planted faults, served on loopback, and reconciled by the same nightly run as a real
/// account.
struct Demonstration {
  private let order: DemoOrder
  private let folder: URL

  init(_ order: DemoOrder) {
    self.order = order
    folder = URL(fileURLWithPath: order.folder)
  }

  /// Generates, serves and reconciles; discrepancies are expected, so it succeeds when the run completed.
  ///
  /// - Throws: `Failure`, or whatever a run throws.
  func run() async throws {
    let plan = MarketPlan(
      seed: order.seed, accounts: order.accounts, orders: order.orders, faults: order.faults,
      types: FaultType.allCases.filter { !$0.needsSecondNight }, nights: order.nights)
    let market = try Market.generate(plan)
    try clear(market)
    let servers = try await MarketServers.start(market)
    Terminal.say(
      "demo: \(order.orders) orders at \(plan.accounts.count) accounts: "
        + "\(plan.accounts.map(\.name).joined(separator: ", "))"
    )
    var status = ExitStatus.clean
    do {
      for number in 1...order.nights {
        try servers.write(night: number, to: folder)
        status = try await night(number, of: plan)
      }
    } catch {
      await servers.stop()
      throw error
    }
    await servers.stop()
    try write(market)
    if status == .incomplete { try status.end() }
  }

  private func night(_ number: Int, of plan: MarketPlan) async throws -> ExitStatus {
    let workplace = try CommandContext(configuration: order.folder + "/crossfoot.yml") { order.resources }
    let end = plan.end(of: number)
    let days = DayRange(
      first: workplace.calendar.day(containing: number == 1 ? plan.startsAt : end - 1),
      last: workplace.calendar.day(containing: end - 1))
    let run = RunOrder(
      range: days, isNamedRange: true, now: end + 3_600, asOf: nil, pulls: true, alerts: .never, isDry: false,
      failOn: .high,
      output: order.output)
    return try await Wiring.run(run, at: workplace)
  }

  private func write(_ market: Market) throws {
    guard !order.output.quiet else { return }
    let text = """
      \(market.planted.count) faults were planted and \(market.lookAlikes.count) harmless look-alikes: \
      \(order.folder)/truth.json says which.
      Workbook: \(order.folder)/output/latest/reconciliation.xlsx
      Next: crossfoot explain ID --config \(order.folder)/crossfoot.yml, with any id of a report.
      """
    // With JSON output, standard output must be a single value.
    if order.output.format == .json { Terminal.say(text) } else { try Terminal.print(text) }
  }

  /// Removes what an earlier demo left; other content of the folder is not touched.
  ///
  /// - Throws: `Failure` 64 when the folder contains something that is not a demo.
  private func clear(_ market: Market) throws {
    let files = FileManager.default
    let found = ((try? files.contentsOfDirectory(atPath: order.folder)) ?? []).filter { !$0.hasPrefix(".") }
    guard !found.isEmpty else { return }
    guard found.contains("truth.json") else {
      throw Failure(.usage, "\(order.folder) holds something else than a demo; name an empty folder with --directory")
    }
    for name in found
    where ["landing", "output"].contains(name) || market.folders.contains(name) || name.hasPrefix("crossfoot.db") {
      try files.removeItem(atPath: order.folder + "/" + name)
    }
  }
}
