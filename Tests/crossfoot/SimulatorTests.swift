import Foundation
import Synchronization
import TestSupport
import Testing

/// Seeded faults: one call of one command fails, is cut, torn, late, or is the last one; the next night is as if
/// nothing had been.
///
/// `CROSSFOOT_SOAK_SEEDS` and `CROSSFOOT_SOAK_FIRST` say how many and from which (scripts/soak);
/// `CROSSFOOT_SOAK_KILLS` how many kills at any moment.
@Suite("Simulated faults", .onItsOwnThread, .serialized)
struct SimulatorTests {
  private static func number(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
  }

  /// What a run may end with: never an internal error, a usage error, or a signal that nobody sent.
  private static let tolerated: Set<Int32> = [0, 1, 2, 65, 69, 74, 75, 78, SIGKILL]

  @Test("after any failing call the night is the undisturbed one, on both stores")
  func faults() async throws {
    let first = UInt64(Self.number("CROSSFOOT_SOAK_FIRST", 1))
    let seeds = Array(first..<first + UInt64(Self.number("CROSSFOOT_SOAK_SEEDS", 100)))
    try await SimulatedSite.serve { site in
      let calm = try await Self.calm(site)
      var counted: [String: [String: Int]] = [:]
      for command in SimulatedCommand.allCases {
        for engine in TestStore.all {
          counted["\(command) \(engine)"] = try await site.counts(command, engine)
        }
      }
      let counts = counted
      print("calls: \(counts["run sqlite", default: [:]].sorted { $0.key < $1.key })")
      let tally = Tally()
      try await Self.each(seeds) { seed in
        let fault = SimulatedFault(seed: seed) { counts["\($0) \($1)"] ?? [:] }
        try await Self.examine(fault, site, calm, tally)
      }
      tally.report()
      #expect(tally.kinds > 20 || seeds.count < 100)
    }
  }

  /// What the undisturbed night publishes.
  private static func calm(_ site: SimulatedSite) async throws -> [String: Data] {
    try await site.copy(.sqlite) { folder in
      let ended = try await SimulatedSite.run(SimulatedCommand.run.arguments(discrepancy: ""), in: folder)
      let published = try SimulatedSite.published(in: folder)
      try #require(ended.status <= 2 && published.count > 5, "\(ended.status): \(ended.output)\(ended.errors)")
      return published
    }
  }

  /// Runs the body for each seed, some at a time.
  private static func each(_ seeds: [UInt64], _ body: @escaping @Sendable (UInt64) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, seed) in seeds.enumerated() {
        if place >= 3 { try await group.next() }
        group.addTask { try await body(seed) }
      }
      try await group.waitForAll()
    }
  }

  private static func examine(
    _ fault: SimulatedFault, _ site: SimulatedSite, _ calm: [String: Data], _ tally: Tally
  ) async throws {
    try await site.copy(fault.engine) { folder in
      let arguments = fault.command.arguments(discrepancy: site.discrepancy)
      let failed = try await SimulatedSite.run(arguments, in: folder, failing: fault.environment)
      tally.add("\(fault.calls) \(fault.kind)", failed.status)
      #expect(tolerated.contains(failed.status), "\(fault): \(failed.status)\n\(failed.errors.suffix(2000))")
      let what = "\(fault), which ended with \(failed.status)\n\(failed.errors.suffix(1000))"
      try await expectSame(folder, calm, what, isVerified: fault.seed % 4 == 0)
    }
  }

  /// Runs the night again, undisturbed, and compares.
  private static func expectSame(
    _ folder: TemporaryFolder, _ calm: [String: Data], _ what: String, isVerified: Bool = true
  ) async throws {
    let night = SimulatedCommand.run.arguments(discrepancy: "")
    var again = try await SimulatedSite.run(night, in: folder)
    // PostgreSQL notices a moment later that a client was killed, and contains its lock until then.
    for _ in 0..<20 where again.status == 75 {
      try await Task.sleep(for: .milliseconds(250))
      again = try await SimulatedSite.run(night, in: folder)
    }
    let now = try SimulatedSite.published(in: folder)
    // A fault on a command that decides may have let it decide.
    let isDecided = again.status <= 2 && what.contains(": note on ")
    for (name, bytes) in calm.sorted(by: { $0.key < $1.key }) where !(isDecided && name == "discrepancies.csv") {
      guard now[name] != bytes else { continue }
      let lines = { (data: Data?) in Set(String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n")) }
      let differing = lines(now[name]).symmetricDifference(lines(bytes)).sorted().prefix(12).joined(separator: "\n")
      Issue.record(
        "\(what)\n\(name) differs after a night that ended with \(again.status):\n\(differing)\n\(again.errors)")
    }
    guard isVerified else { return }
    let verified = try await SimulatedSite.run(["verify", "--quiet"], in: folder)
    #expect(verified.status == 0, "\(what)\n\(verified.output)")
  }

  @Test("killed at any moment, over all commands that write, and pulls of every provider")
  func kills() async throws {
    let rounds = Self.number("CROSSFOOT_SOAK_KILLS", 12)
    let seed = UInt64(Self.number("CROSSFOOT_SOAK_FIRST", 1))
    try await SimulatedSite.serve { site in
      let started = ContinuousClock.now
      let calm = try await Self.calm(site)
      let whole = ContinuousClock.now - started
      let tally = Tally()
      // Ten kills, one after another, on one folder, then the night.
      try await Self.each((0..<UInt64(max(rounds / 10, 1))).map { seed + $0 }) { seed in
        var random = SeededGenerator(seed: seed)
        try await site.copy(seed % 5 == 4 ? .postgresql : .sqlite) { folder in
          var said: [String] = []
          for _ in 0..<min(rounds, 10) {
            let command = SimulatedCommand.weighted.filter { $0 != .note }.randomElement(using: &random) ?? .run
            let wait = whole * Double.random(in: 0.02..<1.1, using: &random)
            let ended = try await Self.killed(command, after: wait, site, folder)
            said.append("\(command) after \(wait): \(ended.status)")
            tally.add("kill \(command)", ended.status)
            #expect(Self.tolerated.contains(ended.status), "seed \(seed): \(said)\n\(ended.errors.suffix(2000))")
          }
          try await Self.expectSame(folder, calm, "seed \(seed): \(said)")
        }
      }
      tally.report()
    }
  }

  private static func killed(
    _ command: SimulatedCommand, after wait: Duration, _ site: SimulatedSite, _ folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await SimulatedSite.run(
      command.arguments(discrepancy: site.discrepancy), in: folder,
      failing: ["FAULT_KILL_AFTER": "\(Int64(wait / .microseconds(1)))"])
  }
}

/// How often each kind of fault fell, and how the command ended.
final class Tally: Sendable {
  private let counts = Mutex<[String: [Int32: Int]]>([:])

  var kinds: Int { counts.withLock(\.count) }

  func add(_ kind: String, _ status: Int32) { counts.withLock { $0[kind, default: [:]][status, default: 0] += 1 } }

  func report() {
    for (kind, statuses) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let ended = statuses.sorted { $0.key < $1.key }.map {
        "\($0.key == SIGKILL ? "killed" : "\($0.key)") \($0.value)"
      }
      print("  \(kind): \(statuses.values.reduce(0, +)) (\(ended.joined(separator: ", ")))")
    }
  }
}
