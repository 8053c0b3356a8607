import Foundation
import Marketplace
import Testing

/// A small marketplace behind a loopback endpoint, a folder with its configuration, and the built binary that
/// reconciles it.
final class NightSite: Sendable {
  /// Like a restricted key; no part of it occurs anywhere else.
  static let key = "rk_live_51QzWvXuTsRqPoNmLkJiHgFeDcBa98"
  /// The folder of this checkout, which holds sql and reports.
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  let plan: MarketPlan
  let market: Market
  let endpoint = StripeEndpoint(key: NightSite.key)
  let folder: TemporaryFolder
  let baseURL: String

  private init(_ plan: MarketPlan, _ market: Market) async throws {
    (self.plan, self.market) = (plan, market)
    market.fill(endpoint)
    folder = try TemporaryFolder()
    baseURL = try await endpoint.start()
  }

  /// Serves a market while the body runs; its key is in the environment only.
  static func serve(
    seed: UInt64 = 7, orders: Int = 60, faults: Int = 0, types: [FaultType] = FaultType.allCases, nights: Int = 1,
    _ body: (NightSite) async throws -> Void
  ) async throws {
    let plan = MarketPlan(seed: seed, orders: orders, faults: faults, types: types, nights: nights)
    let site = try await NightSite(plan, try Market.generate(plan))
    do {
      try site.configure()
      try await body(site)
    } catch {
      await site.endpoint.stop()
      throw error
    }
    await site.endpoint.stop()
  }

  /// Writes orders and configuration as they are on that night, the configuration with further lines at its end.
  func configure(night: Int = 1, further: String = "", change: (String) -> String = { $0 }) throws {
    try market.write(to: URL(fileURLWithPath: folder.path), baseURL: baseURL, night: night)
    try FileManager.default.removeItem(atPath: folder.path + "/truth.json")
    let text =
      try folder.read("crossfoot.yml")
      .replacing("    base_url:", with: "    retry: {attempts: 2, wait_at_most: 1s}\n    base_url:") + further
    try folder.write("crossfoot.yml", change(text))
    endpoint.night = night
  }

  /// The days of a night.
  func days(_ night: Int = 1) -> [String] {
    night == 1 ? ["--from", "2026-03-01", "--to", "2026-03-10"] : ["--date", "2026-03-11"]
  }

  /// The name of a night's publication.
  func range(_ night: Int = 1) -> String { night == 1 ? "2026-03-01_2026-03-10" : "2026-03-11" }

  /// Runs a command over the days of a night, and sees to it that no secret and no personal value is left anywhere.
  @discardableResult
  func run(
    _ command: String = "run", _ arguments: [String] = [], night: Int = 1, key: String? = NightSite.key,
    onStart: (Int32) -> Void = { _ in }, location: SourceLocation = #_sourceLocation
  ) async throws -> CommandRun {
    let ended = try await CommandRun(
      [command] + days(night) + ["--resources", Self.checkout] + arguments, in: folder.path,
      environment: key.map { ["STRIPE_API_KEY": $0] } ?? [:], onStart: onStart)
    try Secrets(keys: [Self.key, key ?? Self.key]).expectNone(
      in: folder.path, said: ended.output + ended.errors, location)
    return ended
  }

  /// The published CSV files and the workbook of a night, by name; empty when there is no publication.
  func published(_ night: Int = 1) throws -> [String: Data] {
    let place = "\(folder.path)/output/\(range(night))"
    guard FileManager.default.fileExists(atPath: place) else { return [:] }
    let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0 != "run.json" }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(place)/\($0)") ?? Data()) })
  }

  /// A published CSV file's lines without its header.
  func lines(_ file: String, night: Int = 1) throws -> [String] {
    try folder.read("output/\(range(night))/\(file)").split(separator: "\n").dropFirst().map(String.init)
  }

  /// Where a night's link leads, nil without a publication: changes with every publication.
  func link(_ night: Int = 1) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/output/\(range(night))")
  }

  /// Landed files of a stream, in their order, from the site's folder.
  func landed(_ stream: String, source: String = "stripe") throws -> [String] {
    let place = "landing/\(source)/\(stream)"
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(place)")
    return names.filter { $0.hasSuffix(".jsonl.zst") && !$0.hasPrefix(".") }.sorted().map { "\(place)/\($0)" }
  }

  /// Replaces the store by nothing, as after a lost disk.
  func forgetStore() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("crossfoot.db") {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
    }
  }
}

extension [String: Data] {
  /// What two nights that were pulled apart have in common: the workbook names the landed files, with their hashes and
  /// the time of the pull.
  var withoutWorkbook: [String: Data] { filter { $0.key != "reconciliation.xlsx" } }
}
