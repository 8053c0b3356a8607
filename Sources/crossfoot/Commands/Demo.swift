import ArgumentParser
import Foundation
import Marketplace

/// A night to look at, without an account anywhere.
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Generate a synthetic marketplace, serve it on this machine, and reconcile it.",
    discussion: "No data leaves the machine. The workbook, the landing zone and the store remain in the folder.")

  @Option(help: ArgumentHelp("Where everything is written.", valueName: "folder"))
  var directory = "demo-output"

  @Option(help: "How many orders to make.")
  var orders = 2000

  @Option(help: "The same seed makes the same marketplace.")
  var seed: UInt64 = 1

  @Option(help: "How many faults to plant among the orders.")
  var faults = 40

  @Option(help: "How many nights to run, one after another, each after the first with a day's orders more.")
  var nights = 1

  @Option(
    help: ArgumentHelp(
      "Only this account of the marketplace; repeatable. Default: all (\(Demo.names.joined(separator: ", "))).",
      valueName: "name"))
  var account: [String] = []

  @Option(help: ArgumentHelp("The folder with sql and reports. Default: beside the binary.", valueName: "folder"))
  var resources: String?

  @OptionGroup(title: "Output") var logging: LoggingOptions

  private static let names = AccountPlan.all.map(\.name)

  func validate() throws {
    if let unknown = account.first(where: { !Self.names.contains($0) }) {
      throw ValidationError("--account takes \(Self.names.joined(separator: ", ")); there is no \(unknown).")
    }
    if !(1...2_000_000).contains(orders) { throw ValidationError("--orders takes 1 to 2000000.") }
    if !(1...400).contains(nights) { throw ValidationError("--nights takes 1 to 400.") }
    if !(0...orders).contains(faults) { throw ValidationError("--faults takes 0 to the number of orders.") }
  }

  func run() async throws {
    logging.begin()
    let order = DemoOrder(
      folder: URL(fileURLWithPath: directory).standardizedFileURL.path, orders: orders, seed: seed, faults: faults,
      nights: nights,
      accounts: AccountPlan.all.filter { account.isEmpty || account.contains($0.name) },
      resources: try Resources.find(option: resources), output: logging)
    try await Demonstration(order).run()
  }
}

/// The arguments of `demo`.
struct DemoOrder: Sendable {
  /// Absolute.
  let folder: String
  let orders: Int
  let seed: UInt64
  let faults: Int
  let nights: Int
  let accounts: [AccountPlan]
  let resources: Resources
  let output: LoggingOptions
}
