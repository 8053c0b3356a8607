import Foundation
import Landing
import Marketplace
import Payments
import Reconciliation
import Reports
import TestSupport
import Testing

@testable import crossfoot

/// A landing zone that is not as it was landed: found, located, and never to anybody's good.
@Suite("A damaged landing zone", .onItsOwnThread, .serialized)
struct VerifyTests {
  /// Runs the body at a site that has run two nights and decided about two discrepancies.
  private static func serve(_ body: (NightSite) async throws -> Void) async throws {
    try await NightSite.serve(seed: 6, orders: 12, faults: 6, nights: 2) { site in
      for night in 1...2 {
        try site.configure(night: night)
        try await site.run(night: night).expect(1)
      }
      for line in try site.lines("discrepancies.csv", night: 2).prefix(2) {
        let id = line.prefix { $0 != "," }
        let decided = try await command(site, ["discrepancies", "note", String(id), "--text", "seen"])
        #expect(decided.status == 0, "\(decided.errors)")
      }
      try await body(site)
    }
  }

  private static func command(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      arguments + ["--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// The second night again from what has landed, in a store of its own.
  private static func night(_ site: NightSite) throws -> ReconciliationRun {
    let workplace = try crossfoot.CommandContext(
      configuration: site.folder.path + "/crossfoot.yml", connects: false,
      resources: { try Resources.find(option: NightSite.checkout) })
    let day = try #require(BusinessDay("2026-03-11"))
    var night = try Wiring.makeNight(DayRange(first: day, last: day), now: .now, workplace)
    (night.pulls, night.publishes) = (false, false)
    return night
  }

  @Test("After the loss of the whole folder nights are incomplete, and a rebuild does not send anybody back")
  func lostFolder() async throws {
    try await Self.serve { site in
      try FileManager.default.removeItem(atPath: site.folder.path + "/landing")
      for _ in 1...2 {
        let ended = try await site.run(night: 2)
        ended.expect(2)
        let rebuilt = try await Self.command(site, ["rebuild"])
        #expect(rebuilt.status == 2, "\(rebuilt.output)\(rebuilt.errors)")
      }
      #expect(try await Self.command(site, ["verify"]).status == 2)
    }
  }

  @Test("Every manifest, landed file and log line removed, changed, or swapped: found, located, and no verdict better")
  func everything() async throws {
    try await Self.serve { site in
      let night = try Self.night(site)
      let zone = site.folder.path + "/landing"
      #expect(try night.verify().isWhole)
      #expect(try await night.run().verdict == .discrepancies)
      let names = try #require(FileManager.default.enumerator(atPath: zone)?.compactMap { $0 as? String }).sorted()
      let files = names.filter { $0.hasSuffix(".manifest.json") || $0.hasSuffix(".jsonl.zst") }
      #expect(files.count > 30)
      for (index, name) in files.enumerated() {
        let path = "\(zone)/\(name)"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var altered = bytes
        altered[altered.startIndex + bytes.count / 2] ^= 1
        let next = files.dropFirst(index + 1).first { $0.hasSuffix(String(name.suffix(9))) }
        let neighbour = try next.map { try Data(contentsOf: URL(fileURLWithPath: "\(zone)/\($0)")) }
        for (what, content) in [("removed", nil), ("changed", altered), ("swapped", neighbour)] {
          // The account says the same of itself every night.
          if what == "swapped" && (content == nil || content == bytes) { continue }
          if let content {
            try content.write(to: URL(fileURLWithPath: path))
          } else {
            try FileManager.default.removeItem(atPath: path)
          }
          let found = try night.verify()
          #expect(found.faults.map(\.file) == [name], "\(name) \(what): \(found.lines)")
          // Each way for some of the files: a derivation takes a while.
          if (index + what.utf8.count) % 5 == 0 {
            let report = try await night.run()
            #expect(report.verdict == .incomplete, "\(name) \(what)")
            #expect(report.summary.reasons.contains { $0.contains(name) }, "\(name) \(what): \(report.summary.reasons)")
          }
          try bytes.write(to: URL(fileURLWithPath: path))
        }
      }
      try Self.everyLine(night, zone)
      #expect(try night.verify().isWhole)
    }
  }

  private static func everyLine(_ night: ReconciliationRun, _ zone: String) throws {
    for log in ["decisions.jsonl", "published.jsonl", "runs.jsonl"] {
      let path = "\(zone)/\(log)"
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      #expect(lines.count >= 2, "\(log)")
      for index in lines.indices {
        var (removed, changed, swapped) = (lines, lines, lines)
        removed.remove(at: index)
        changed[index] = changed[index].replacing("2026", with: "2027", maxReplacements: 1)
        swapped.swapAt(index, (index + 1) % lines.count)
        for (what, altered) in [("removed", removed), ("changed", changed), ("swapped", swapped)] {
          try Data(altered.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
          let first = what == "swapped" ? min(index, (index + 1) % lines.count) : index
          let found = try night.verify()
          #expect(found.faults.first?.file == "\(log):\(first + 1)", "\(log) \(index + 1) \(what): \(found.lines)")
        }
      }
      try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  @Test(
    "A ledger manifest that is gone: 2, named, nothing resolved; what is restored counts, what is lost can be given up"
  )
  func hole() async throws {
    try await Self.serve { site in
      let whole = try await Self.command(site, ["verify"])
      #expect(whole.status == 0 && whole.output.hasPrefix("whole: "), "\(whole.output)\(whole.errors)")
      try await site.run("run", ["--no-pull"], night: 2).expect(1)
      let open = try site.lines("discrepancies.csv", night: 2)
      for (stream, place) in [("balance_transactions", 0), ("balance_transactions", 1), ("charges", 0)] {
        let name = try site.landed(stream)[place].replacing(".jsonl.zst", with: ".manifest.json")
        let path = "\(site.folder.path)/\(name)"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        let sentence = "\(name.dropFirst("landing/".count)): found no manifest, expected number "
        let damaged = try await Self.command(site, ["verify"])
        #expect(
          damaged.status == 2 && damaged.output.contains(sentence) && damaged.output.contains("restore"),
          "\(damaged.output)")
        let rebuilt = try await Self.command(site, ["rebuild"])
        #expect(rebuilt.status == 2 && rebuilt.errors.contains(sentence), "\(rebuilt.errors)")
        let ended = try await site.run("run", ["--no-pull"], night: 2)
        #expect(ended.status == 2 && ended.output.contains(sentence), "\(ended.output)")
        let now = try site.lines("discrepancies.csv", night: 2)
        for line in open {
          let cells = line.components(separatedBy: ",")
          #expect(
            now.contains { $0.hasPrefix(cells[0] + ",") && !$0.contains(",resolved,") }, "\(stream): \(line)\n\(now)")
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await Self.command(site, ["verify", "--quiet"]).status == 0)
        let mended = try await site.run("run", ["--no-pull"], night: 2)
        #expect(mended.status == 1, "\(mended.output)\(mended.errors)")
        #expect(try site.lines("discrepancies.csv", night: 2) == open)
      }
      let path = "\(site.folder.path)/\(try site.landed("charges")[0].replacing(".jsonl.zst", with: ".manifest.json"))"
      try FileManager.default.removeItem(atPath: path)
      let lost = try await Self.command(site, ["verify", "--give-up", "--by", "ada"])
      #expect(lost.status == 0, "\(lost.output)\(lost.errors)")
      let given = try await site.run(night: 2)
      #expect(given.status == 1, "\(given.output)\(given.errors)")
      #expect(given.errors.contains("was given up, and its records are in the store: derived again"), "\(given.errors)")
      #expect(try site.folder.read("landing/lost.jsonl").contains("\"who\":\"ada\""))
      #expect(try await Self.command(site, ["verify"]).output.hasSuffix(", 1 given up\n"))
    }
  }

  @Test(
    "The last manifest and its file, with the end of the chain: the store and the log of publications remember them")
  func tail() async throws {
    try await Self.serve { site in
      let zone = site.folder.path + "/landing"
      let last = try #require(try Landing(directory: zone).survey().newest)
      for name in [last.file, last.manifestPath, ".chain.json"] {
        try FileManager.default.removeItem(atPath: "\(zone)/\(name)")
      }
      #expect(try await Self.command(site, ["verify"]).output.contains("\(last.manifestPath): found no manifest"))
      try site.forgetStore()
      let ended = try await site.run("run", ["--no-pull"], night: 2)
      #expect(ended.status == 2 && ended.output.contains("\(last.manifestPath): found no manifest"), "\(ended.output)")
    }
  }
}
