import Foundation
import TestSupport
import Testing

/// A customer's references taken out of everything that is kept.
@Suite("Erasure", .onItsOwnThread, .serialized)
struct ErasureTests {
  /// A site that has run two nights, has reported somebody of them, and has a note about the order on one of its
  /// discrepancies.
  private static func serve(
    _ engine: TestStore, _ body: (NightSite, _ order: String, _ id: String) async throws -> Void
  )
    async throws
  {
    try await NightSite.serve(seed: 6, orders: 40, faults: 12, nights: 2) { site in
      try await withStoreURL(engine) { url in
        let url = engine == .sqlite ? "sqlite:crossfoot.db" : url
        let alerts = "alerts: [{kind: webhook, url: 'http://127.0.0.1:9/', minimum_severity: low}]\n"
        for night in 1...2 {
          try site.configure(night: night, further: alerts) { $0.replacing("sqlite:crossfoot.db", with: url) }
          try await site.run(night: night).expect(1)
        }
        let listed = try CSVTable("\(site.folder.path)/output/2026-03-11/discrepancies.csv").rows
        let row = try #require(
          listed.first { $0["order_id"]?.hasPrefix("ORD-") == true && $0["state"] == "persisting" })
        let (order, id) = (try #require(row["order_id"]), try #require(row["discrepancy_id"]))
        let noted = try await command(site, ["discrepancies", "ack", id, "--note", "asked about \(order)"])
        #expect(noted.status == 0, "\(noted.errors)")
        _ = try await site.run("report", night: 2)
        try await body(site, order, id)
      }
    }
  }

  private static func command(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      arguments + ["--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// The files that hold a text, compressed ones unpacked; orders and configuration are the shop's.
  private static func holding(_ text: String, in site: NightSite) throws -> [String] {
    let wanted = Array(text.utf8)
    let names = try FileManager.default.subpathsOfDirectory(atPath: site.folder.path)
    return try names.sorted().filter { name in
      guard !["orders.csv", "order_refunds.csv"].contains(name) else { return false }
      let path = "\(site.folder.path)/\(name)"
      if name.hasSuffix(".xlsx") {
        let child = Process()
        (child.executableURL, child.arguments) = (URL(fileURLWithPath: "/usr/bin/unzip"), ["-p", path])
        let pipe = Pipe()
        child.standardOutput = pipe
        try child.run()
        let bytes = Array(pipe.fileHandleForReading.readDataToEndOfFile())
        child.waitUntilExit()
        return contains(bytes, wanted)
      }
      guard let bytes = FileManager.default.contents(atPath: path) else { return false }
      return contains(name.hasSuffix(".zst") ? Secrets.unpacked(bytes) : Array(bytes), wanted)
    }
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool { bytes.firstRange(of: wanted) != nil }

  private static func expectSame(_ now: [[String]], _ before: [[String]], _ files: [String]) throws {
    for (place, file) in files.enumerated() {
      #expect(Set(now[place]).symmetricDifference(before[place]) == [], "\(file)")
    }
  }

  /// A published file with the order's id, or what represents it, and the id of its discrepancies left out, its rows
  /// sorted. The first night was published again, so that its readers have read of what came late.
  private static func rows(_ site: NightSite, _ file: String, without words: [String]) throws -> [String] {
    try site.lines(file, night: 2).map { line in
      words.reduce(line) { $0.replacing($1, with: "?") }.replacing(/erased-[0-9a-f]{16}/, with: "?").replacing(
        /d_[0-9a-f]{16}/, with: "d"
      ).replacing(/,(new|persisting),/, with: ",open,")
    }.sorted()
  }

  @Test("it stands nowhere any more, sums and matches and decisions stay, and all is whole", arguments: TestStore.all)
  func everywhere(engine: TestStore) async throws {
    try await Self.serve(engine) { site, order, id in
      let files = ["fund_flows.csv", "order_matches.csv", "discrepancies.csv", "entries.csv", "payouts.csv"]
      let before = try files.map { try Self.rows(site, $0, without: [order]) }
      let held = try Self.holding(order, in: site)
      for name in ["landing/published.jsonl", "landing/decisions.jsonl", "landing/alerts.jsonl"] {
        #expect(held.contains(name), "\(held)")
      }
      let erased = try await Self.command(site, ["erase", order, "--note", "request 7", "--by", "ada"])
      #expect(
        erased.status == 0 && !erased.output.contains(order) && erased.errors.isEmpty,
        "\(erased.output)\(erased.errors)")
      #expect(try Self.holding(order, in: site) == [] && Self.holding(id, in: site) == [], "\(erased.output)")
      try Self.expectSame(try files.map { try Self.rows(site, $0, without: [order]) }, before, files)
      #expect(
        try site.lines("discrepancies.csv", night: 2).contains {
          $0.contains("acknowledged") && $0.contains("asked about erased-")
        })
      #expect(try await Self.command(site, ["verify"]).status == 0)
      let explained = try await Self.command(site, ["explain", order])
      #expect(explained.status != 0)
      let again = try await Self.command(site, ["erase", order, "--by", "ada"])
      #expect(
        again.status == 0 && again.output.hasPrefix("erased from 0 records in 0 files, and from 0"), "\(again.output)")
      let rerun = try await site.run("run", ["--no-pull"], night: 2)
      #expect(rerun.status == 1, "\(rerun.output)\(rerun.errors)")
      try Self.expectSame(try files.map { try Self.rows(site, $0, without: [order]) }, before, files)
    }
  }

  @Test("killed after any amount of its work, the same command again completes it")
  func killed() async throws {
    try await Self.serve(.sqlite) { site, order, id in
      var (kills, ended): (Int, Int32) = (0, SIGPROF)
      while ended == SIGPROF {
        let seconds = 0.04 * Double(kills + 1)
        let start =
          "import os, signal, sys; signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1])); os.execv(sys.argv[2], "
          + "sys.argv[2:])"
        ended = try await CommandRun(
          ["-c", start, "\(seconds)", CommandRun.binary.path, "erase", order, "--resources", NightSite.checkout],
          binary: "/usr/bin/python3", in: site.folder.path, environment: ["STRIPE_API_KEY": NightSite.key]
        ).status
        kills += ended == SIGPROF ? 1 : 0
        #expect(try await Self.command(site, ["verify", "--quiet"]).status == 0, "\(seconds) s")
      }
      #expect(ended == 0 && kills > 3, "\(ended), \(kills) kills")
      #expect(try Self.holding(order, in: site) == [] && Self.holding(id, in: site) == [])
    }
  }

  @Test(
    "what is no reference of a customer, or what a provider was asked for, is refused",
    arguments: ["paid", "2026-03-01"])
  func refused(text: String) async throws {
    try await NightSite.serve(orders: 5) { site in
      let ended = try await Self.command(site, ["erase", text])
      #expect(ended.status == 64 && ended.errors.contains("expected a reference of a customer"), "\(ended.errors)")
      let noted = try await Self.command(site, ["erase", "ORD-77", "--note", "of ORD-77"])
      #expect(noted.status == 64 && noted.errors.contains("--note contains the reference to erase"), "\(noted.errors)")
      let pruned = try await Self.command(site, ["prune"])
      #expect(pruned.status == 78 && pruned.errors.contains("landing.retention: found none"), "\(pruned.errors)")
    }
  }
}
