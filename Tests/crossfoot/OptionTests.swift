import Foundation
import Landing
import Marketplace
import Storage
import TestSupport
import Testing

/// What the options of `run` promise.
@Suite("Options of a run", .onItsOwnThread, .serialized)
struct OptionTests {
  @Test("One line when clean, the full summary when not or asked for, nothing with --quiet")
  func output() async throws {
    try await NightSite.serve(orders: 20) { site in
      let clean = try await site.run()
      #expect(clean.status == 0 && clean.errors.isEmpty, "\(clean.errors)")
      let reports = "\(site.folder.path)/output/\(site.range())"
      #expect(
        clean.output.hasPrefix("clean, 2026-03-01 to 2026-03-10, ")
          && clean.output.hasSuffix(", 0 open discrepancies: \(reports)\n"),
        "\(clean.output)")
      #expect(clean.output.split(separator: "\n").count == 1)
      let full = try await site.run("run", ["--summary"])
      #expect(full.status == 0 && full.output.hasPrefix("Reconciliation 2026-03-01 to 2026-03-10 (UTC): CLEAN\n"))
      let quiet = try await site.run("run", ["--quiet"])
      #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
      let quietJSON = try await site.run("run", ["--quiet", "--format", "json"])
      #expect(quietJSON.status == 0 && quietJSON.output.isEmpty)
      let json = try await site.run("run", ["--format", "json"])
      #expect(
        json.output.contains("\"exit_status\":0") && json.output.contains("\"verdict\":\"clean\""), "\(json.output)")
    }
  }

  @Test("--fail-on decides about the status, not about the verdict")
  func failOn() async throws {
    try await NightSite.serve(orders: 80, faults: 40) { site in
      let high = try await site.run("run", ["--quiet"])
      #expect(high.status == 1 && high.output.hasPrefix("Reconciliation "), "\(high.errors)")
      let never = try await site.run("run", ["--no-pull", "--fail-on", "never"])
      #expect(never.status == 0 && never.output.hasPrefix("discrepancies, "), "\(never.output)")
      try await site.run("run", ["--no-pull", "--fail-on", "low"]).expect(1)
      let severities = Set(try site.lines("discrepancies.csv").map { $0.split(separator: ",")[2] })
      #expect(severities.isSuperset(of: ["critical", "high"]), "\(severities)")
    }
  }

  @Test("--no-pull asks nobody and publishes the same bytes; report does the same")
  func noPull() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      _ = try await site.run()
      let before = try site.published()
      site.endpoint.forgetRequests()
      try FileManager.default.removeItem(atPath: site.folder.path + "/orders.csv")
      for command in ["run", "report"] {
        let ended = try await site.run(command, command == "run" ? ["--no-pull"] : [])
        #expect(ended.status == 1, "\(command): \(ended.errors)")
        #expect(try site.published() == before, "\(command)")
      }
      try site.forgetStore()
      try await site.run("run", ["--no-pull"]).expect(1)
      #expect(try site.published() == before, "with a store made anew")
      #expect(site.endpoint.requests.isEmpty)
    }
  }

  @Test("--dry-run touches neither network nor files, and prints what would be published")
  func dryRun() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      let empty = try site.snapshot()
      let nothing = try await site.run("run", ["--dry-run"])
      #expect(nothing.status == 2, "nothing has landed: \(nothing.output)\(nothing.errors)")
      #expect(try site.snapshot() == empty)
      _ = try await site.run()
      let before = try site.snapshot()
      site.endpoint.forgetRequests()
      let ended = try await site.run("run", ["--dry-run", "--summary"])
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(
        ended.output.hasPrefix("Reconciliation 2026-03-01 to 2026-03-10 (UTC): DISCREPANCIES\n"), "\(ended.output)")
      #expect(!ended.output.contains("Reports: "), "nothing was published")
      #expect(site.endpoint.requests.isEmpty)
      #expect(try site.snapshot() == before)
    }
  }

  @Test("--as-of publishes beside the range what had landed by then, and leaves store and latest alone")
  func asOf() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      _ = try await site.run()
      let before = (try site.published(), site.link())
      let store = FileManager.default.contents(atPath: site.folder.path + "/crossfoot.db")
      let latest = try FileManager.default.destinationOfSymbolicLink(atPath: site.folder.path + "/output/latest")
      let replay = try await site.run("run", ["--as-of", "2099-01-01T00:00:00Z"])
      #expect(replay.status == 1, "\(replay.errors)")
      let place = "\(site.range())@2099-01-01T00:00:00Z"
      for (name, content) in before.0 where name.hasSuffix(".csv") {
        #expect(Data(try site.folder.read("output/\(place)/\(name)").utf8) == content, "\(name)")
      }
      #expect(site.link() == before.1)
      #expect(FileManager.default.contents(atPath: site.folder.path + "/crossfoot.db") == store)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: site.folder.path + "/output/latest") == latest)
      let early = try await site.run("run", ["--as-of", "2026-01-01T00:00:00Z"])
      #expect(early.status == 2 && early.output.contains("stripe/charges: nothing of it has landed"), "\(early.output)")
    }
  }

  @Test("A second run while one holds the lock: 75, and nothing is touched")
  func lock() async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let before = try site.snapshot()
      let lock = try RunLock.take(path: site.folder.path + "/landing/.lock")
      for command in ["run", "pull", "report"] {
        let ended = try await site.run(command)
        #expect(ended.status == 75 && ended.output.isEmpty, "\(command): \(ended.errors)")
        #expect(
          ended.errors
            == "crossfoot: another run holds the lock on the landing zone \(site.folder.path)/landing; wait until it "
            + "has ended\n"
        )
      }
      #expect(try site.snapshot() == before)
      withExtendedLifetime(lock) {}
    }
  }
}

extension NightSite {
  /// Every file below the site's folder with its content, links as where they lead.
  func snapshot() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      let path = "\(folder.path)/\(name)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      files[name] = target.map { Data($0.utf8) } ?? FileManager.default.contents(atPath: path) ?? Data()
    }
    return files
  }
}
