import Foundation
import TestSupport
import Testing

/// One failing call of a command, chosen by a seed: a write, a flush, a name, a read or an answer of the network,
/// wherever in the program it is made (faults.c).
struct SimulatedFault: CustomStringConvertible {
  /// Kinds of failure that each class of calls can have.
  static let kinds: [(calls: String, kinds: [String])] = [
    ("write", ["full", "stays full", "broken", "short", "torn", "late", "kill", "kill torn", "kill after"]),
    ("flush", ["full", "broken", "kill", "kill after"]),
    ("name", ["full", "broken", "kill", "kill after"]),
    ("read", ["broken", "short", "kill"]),
    ("cut", ["broken", "kill", "kill after"]),
    ("open", ["full", "broken", "kill", "kill after"]),
    ("receive", ["reset", "ends", "short", "late", "kill"]),
    ("send", ["reset", "short", "late", "kill"]),
  ]

  let seed: UInt64
  let engine: TestStore
  let command: SimulatedCommand
  let calls: String
  let kind: String
  let place: Int

  /// - Parameter counts: how many calls of each class a command makes.
  init(seed: UInt64, counts: (SimulatedCommand, TestStore) -> [String: Int]) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    command = SimulatedCommand.weighted.randomElement(using: &random) ?? .run
    // A new store knows of no report that could be decided about.
    engine = seed % 5 == 4 && command != .note ? .postgresql : .sqlite
    let counts = counts(command, engine)
    let possible = Self.kinds.filter { counts[$0.calls, default: 0] > 0 }
    let chosen = possible.randomElement(using: &random) ?? Self.kinds[0]
    calls = chosen.calls
    kind = chosen.kinds.randomElement(using: &random) ?? "broken"
    place = Int.random(in: 0..<max(counts[calls, default: 1], 1), using: &random)
  }

  var description: String { "seed \(seed): \(command.rawValue) on \(engine), \(calls) \(place) \(kind)" }

  var environment: [String: String] { ["FAULT_CLASS": calls, "FAULT_AT": "\(place)", "FAULT_KIND": kind] }

  /// The library that lets calls fail, compiled once.
  static let library: Result<String, any Error> = Result {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/faults.c"
    let made = NSTemporaryDirectory() + "crossfoot-faults-\(UUID().uuidString).so"
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc", "-shared", "-fPIC", "-O2", "-o", made, source, "-ldl"]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "cc ends with \(compiler.terminationStatus)")
    return made
  }
}

/// The commands that write.
enum SimulatedCommand: String, CaseIterable {
  case run, pull, report, rebuild, note, verify, export

  /// Nights are most of it.
  static let weighted = Array(repeating: run, count: 6) + [pull, pull, report, rebuild, note, verify, export]

  func arguments(discrepancy: String) -> [String] {
    switch self {
    case .run: ["run", "--date", "2026-03-11"]
    case .pull: ["pull", "--date", "2026-03-11"]
    case .report: ["report", "--from", "2026-03-01", "--to", "2026-03-10", "--statements"]
    case .rebuild: ["rebuild"]
    case .note: ["discrepancies", "assign", discrepancy, "--to", "ada"]
    case .verify: ["verify"]
    case .export: ["export", "journal", "--format", "csv", "--output", "night.csv", "--date", "2026-03-11"]
    }
  }
}
