import Foundation
import TestSupport
import Testing

/// Logs beside the landed records that lost lines on which a seal rests.
@Suite("Lost lines of logs", .onItsOwnThread, .serialized)
struct LostLogTests {
  private static let names = ["adjustments.jsonl", ".adjustments.jsonl.sums"]

  private static func read(_ world: ClosingSite) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try world.site.folder.read("landing/\($0)")) })
  }

  private static func write(_ logs: [String: String], _ world: ClosingSite) throws {
    for (name, text) in logs { try world.site.folder.write("landing/\(name)", text) }
  }

  @Test("Without the adjustments that a seal rests on nights are incomplete and note nothing; a backup mends it")
  func lost() async throws {
    try await ClosingSite.serve(orders: 6, faults: 0) { world in
      try await world.close("P01")
      try world.land([("txn_late", 700)])
      _ = try await world.site.run("run", ["--no-pull"], night: 2)
      try await world.close("P02")
      let logs = try Self.read(world)
      for name in Self.names { try FileManager.default.removeItem(atPath: world.path + "/landing/\(name)") }
      for words in [["verify"], ["verify", "--give-up"]] {
        let found = try await world.command(words)
        #expect(
          found.status == 2 && found.output.contains("adjustments.jsonl: found 0 lines, expected at least the 1 "),
          "\(words): \(found.output)\(found.errors)")
      }
      try world.land([("txn_late", 500)])
      let night = try await world.site.run("run", ["--no-pull"], night: 2)
      #expect(night.status == 2 && night.output.contains("the log ends here"), "\(night.output)")
      #expect(try await world.command(["diff", "P01"]).status == 74)
      #expect(!FileManager.default.fileExists(atPath: world.path + "/landing/adjustments.jsonl"))
      try Self.write(logs, world)
      #expect(try await world.command(["verify"]).status == 0)
      _ = try await world.site.run("run", ["--no-pull"], night: 2)
      let diff = try await world.command(["diff", "P01"])
      #expect(
        diff.status == 0 && diff.output.contains("adjustments 0.00 -> 7.00 USD (7.00)")
          && diff.output.contains("adjustments 7.00 -> 5.00 USD (-2.00)"), "\(diff.output)\(diff.errors)")
    }
  }

  @Test("A log from an older backup is counted once, beside a store that knows more")
  func older() async throws {
    try await ClosingSite.serve(orders: 6, faults: 0) { world in
      try await world.close("P01")
      try world.land([("txn_late", 700)])
      _ = try await world.site.run("run", ["--no-pull"], night: 2)
      let logs = try Self.read(world)
      try world.land([("txn_late", 500)])
      _ = try await world.site.run("run", ["--no-pull"], night: 2)
      let both = try world.site.lines("prior_period_adjustments.csv", night: 2)
      try Self.write(logs, world)
      for _ in 1...2 {
        _ = try await world.site.run("run", ["--no-pull"], night: 2)
        // The second is noted once more, at another time.
        func figures(_ lines: [String]) -> [[Substring]] { lines.map { Array($0.split(separator: ",").dropFirst(2)) } }
        let now = try world.site.lines("prior_period_adjustments.csv", night: 2)
        #expect(now.count == 2 && figures(now) == figures(both), "\(now)")
      }
    }
  }
}
