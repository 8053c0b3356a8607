import Foundation
import Marketplace
import Reconciliation
import TestSupport
import Testing

@testable import crossfoot

/// A night over one or two accounts of the marketplace, one of which is in trouble, as `crossfoot run` would run it.
struct FailureNight {
  /// What a night comes to.
  struct Outcome: Sendable {
    /// What the command ends with.
    var status: crossfoot.ExitStatus
    /// Why it is incomplete, or why nothing was published.
    var reasons: [String]
    /// The published CSV files by name, each as lines; none where nothing was published.
    var files: [String: [String]] = [:]
  }

  let accounts: [AccountPlan]

  /// Runs it.
  ///
  /// - Parameter isMending: leaves the trouble out, and nothing else: what it says is what the trouble is compared
  ///   with.
  func run(_ cell: FailureCell, isMending: Bool = false) async throws -> Outcome {
    let market = try Market.generate(
      MarketPlan(seed: 31, accounts: accounts, orders: 30 * accounts.count, faults: 0, nights: 1))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    let folder = try MarketFolder()
    try servers.write(night: 1, to: URL(fileURLWithPath: folder.path))
    let networkAPI = try await configure(cell, folder, isMending)
    defer { Task { await networkAPI?.stop() } }
    if !isMending { try bring(cell, servers, folder) }
    return try await run(market.plan, folder)
  }

  private func bring(_ cell: FailureCell, _ servers: MarketServers, _ folder: MarketFolder) throws {
    switch cell.cause {
    case .wire(let kind, let path):
      let plan = FaultPlan([.init(kind, path: path)])
      if cell.account.kind == .stripe {
        servers.stripe?.faults = plan
      } else {
        servers.accounts[cell.account.name]?.faults = plan
      }
    case .files(let spoil): try spoil(folder)
    case .configuration, .networkAPI: break
    }
  }

  /// Two attempts and short waits; and what the cell asks for.
  private func configure(_ cell: FailureCell, _ folder: MarketFolder, _ isMending: Bool) async throws -> LoopbackServer?
  {
    var text = try folder.read("crossfoot.yml")
      .replacing("    base_url:", with: "    retry: {attempts: 2, wait_at_most: 1s}\n    base_url:")
    var server: LoopbackServer?
    switch cell.cause {
    case .configuration(let change) where !isMending:
      // Of the accounts in the order of the configuration, only the one in trouble.
      let start = try #require(text.range(of: "  - name: \(cell.account.name)\n")).lowerBound
      let end = text[start...].range(of: "\npolicy:")?.lowerBound ?? text.endIndex
      let next = accounts.compactMap { text[start...].range(of: "\n  - name: \($0.name)\n")?.lowerBound }.min() ?? end
      text.replaceSubrange(start..<min(end, next), with: try change(String(text[start..<min(end, next)])))
    case .networkAPI(let reply):
      let quiet = LoopbackServer.Reply.json(
        "{\"disputes\":[],\"api_key\":{\"id\":\"KEY_1\",\"expires_at\":\"2026-12-31T00:00:00Z\"},\"cursor\":\"\"}")
      let made = try await LoopbackServer { _ in isMending ? quiet : reply }
      let access = [
        "key_id: KEY_1", "secret: findme-secret", "crawl: false", "retry: {attempts: 2, wait_at_most: 1s}",
        "base_url: \(made.baseURL)",
      ]
      text = text.replacing(
        "\n    settlement_directory: cashapp",
        with: access.map { "\n    \($0)" }.joined() + "\n    settlement_directory: cashapp")
      server = made
    default: break
    }
    try folder.add("crossfoot.yml", text)
    return server
  }

  private func run(_ plan: MarketPlan, _ folder: MarketFolder) async throws -> Outcome {
    let workplace = try CommandContext(configuration: folder.path + "/crossfoot.yml") {
      try Resources.find(option: NightSite.checkout)
    }
    let days = DayRange(
      first: workplace.calendar.day(containing: plan.startsAt),
      last: workplace.calendar.day(containing: plan.endsAt - 1))
    do {
      let report = try await Wiring.makeNight(days, now: plan.endsAt + 3_600, workplace).run()
      let place = try #require(report.summary.location)
      return Outcome(
        status: Wiring.exitStatus(of: report, failOn: .high), reasons: report.summary.reasons,
        files: try MarketFolder.tables(place))
    } catch let error as RunError {
      let failure = Failure(error)
      return Outcome(status: failure.status, reasons: failure.message.split(separator: "\n").map(String.init))
    }
  }
}

/// The folder that a market is written to, and what can happen to its files.
final class MarketFolder: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  func read(_ name: String) throws -> String { try folder.read(name) }

  func add(_ name: String, _ text: String) throws { try folder.write(name, text) }

  /// The text of the first file of a folder whose name holds a text.
  func text(_ place: String, named part: String) throws -> String { try folder.read("\(place)/\(name(place, part))") }

  func edit(_ place: String, named part: String, _ change: (String) -> String) throws {
    let before = try text(place, named: part)
    let after = change(before)
    #expect(after != before)
    try folder.write("\(place)/\(name(place, part))", after)
  }

  /// Leaves the first half of a file's rows, the last of them half.
  func halve(_ place: String, named part: String) throws {
    try edit(place, named: part) { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let whole = max(1, lines.count / 2)
      return (lines.prefix(whole) + [lines[whole].prefix(lines[whole].count / 2)]).joined(separator: "\n")
    }
  }

  private func name(_ place: String, _ part: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(place)").sorted()
    return try #require(names.first { $0.contains(part) }, "no \(part) in \(names)")
  }

  /// The CSV files of a publication, as lines.
  static func tables(_ place: String) throws -> [String: [String]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".csv") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, try String(contentsOfFile: "\(place)/\(name)", encoding: .utf8).split(separator: "\n").map(String.init))
      })
  }
}
