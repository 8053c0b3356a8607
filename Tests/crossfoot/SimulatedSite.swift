import Foundation
import Marketplace
import TestSupport
import Testing

/// A market over every provider whose first night has run, as a folder to copy: each fault falls on a copy of its own.
final class SimulatedSite: Sendable {
  let servers: MarketServers
  let base: TemporaryFolder
  /// An open discrepancy of the first night.
  let discrepancy: String

  private init(_ servers: MarketServers, _ base: TemporaryFolder, _ discrepancy: String) {
    (self.servers, self.base, self.discrepancy) = (servers, base, discrepancy)
  }

  /// Serves the second night while the body runs.
  static func serve(_ body: (SimulatedSite) async throws -> Void) async throws {
    let plan = MarketPlan(seed: 3, accounts: AccountPlan.all, orders: 16, faults: 8)
    let servers = try await MarketServers.start(try Market.generate(plan))
    do {
      let base = try TemporaryFolder(in: place)
      try configure(servers, night: 1, in: base)
      let first = try await run(["run", "--from", "2026-03-01", "--to", "2026-03-10"], in: base)
      #expect([1, 2].contains(first.status), "\(first.output)\(first.errors)")
      let rows = try CSVTable("\(base.path)/output/2026-03-01_2026-03-10/discrepancies.csv").rows
      try configure(servers, night: 2, in: base)
      try await body(SimulatedSite(servers, base, try #require(rows.first?["discrepancy_id"])))
    } catch {
      await servers.stop()
      throw error
    }
    await servers.stop()
  }

  private static func configure(_ servers: MarketServers, night: Int, in folder: TemporaryFolder) throws {
    try servers.write(night: night, to: URL(fileURLWithPath: folder.path))
    let text = try folder.read("crossfoot.yml")
    try folder.write(
      "crossfoot.yml",
      text.replacing("    base_url:", with: "    retry: {attempts: 3, wait_at_most: 1s}\n    base_url:"))
    try? FileManager.default.removeItem(atPath: folder.path + "/truth.json")
  }

  /// Runs a command in a folder, with a failing call or without.
  static func run(_ arguments: [String], in folder: TemporaryFolder, failing: [String: String]? = nil) async throws
    -> CommandRun
  {
    var environment = ["TMPDIR": "\(folder.path)/tmp"]
    try FileManager.default.createDirectory(atPath: "\(folder.path)/tmp", withIntermediateDirectories: true)
    if let failing {
      environment.merge(["LD_PRELOAD": try SimulatedFault.library.get(), "FAULT_ROOT": folder.path]) { $1 }
      environment.merge(failing) { $1 }
    }
    return try await CommandRun(
      arguments + ["--resources", NightSite.checkout], binary: binary, in: folder.path, environment: environment)
  }

  /// In memory where there is such a place: thousands of nights would wait for the disk.
  private static let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()

  /// The binary that the faults fall on, where it is not the one beside the tests.
  private static let binary = ProcessInfo.processInfo.environment["CROSSFOOT_SOAK_BINARY"]

  /// Runs the body in a copy of the base with a store of the engine; a store of PostgreSQL is derived there by the
  /// first command.
  func copy<R>(_ engine: TestStore, _ body: (TemporaryFolder) async throws -> R) async throws -> R {
    let folder = try TemporaryFolder(in: Self.place)
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: base.path, toPath: folder.path)
    guard engine == .postgresql else { return try await body(folder) }
    return try await withStoreURL(engine) { url in
      try folder.write("crossfoot.yml", try folder.read("crossfoot.yml").replacing("sqlite:crossfoot.db", with: url))
      return try await body(folder)
    }
  }

  /// What the second night published, without what names the moment of the pull.
  static func published(in folder: TemporaryFolder) throws -> [String: Data] {
    let place = "\(folder.path)/output/2026-03-11"
    guard FileManager.default.fileExists(atPath: place) else { return [:] }
    let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".csv") }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(place)/\($0)") ?? Data()) })
  }

  /// How many calls of each class a command makes.
  func counts(_ command: SimulatedCommand, _ engine: TestStore) async throws -> [String: Int] {
    try await copy(engine) { folder in
      let file = folder.path + "/counts"
      _ = try await Self.run(
        command.arguments(discrepancy: discrepancy), in: folder, failing: ["FAULT_COUNTS": file])
      let lines = try folder.read("counts").split(separator: "\n").map { $0.split(separator: " ") }
      return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), Int($0[1]) ?? 0) })
    }
  }
}
