import Foundation
import TestSupport
import Testing

/// The store derived again from landing zone and decision log: the same reports, whatever happens meanwhile.
@Suite("A rebuild", .onItsOwnThread, .serialized)
struct RebuildTests {
  /// Runs the body at a site whose store is of the engine; it has run two nights, one order row is in quarantine, and
  /// one discrepancy is decided.
  private static func serve(_ engine: TestStore, _ body: (NightSite, _ url: String) async throws -> Void) async throws {
    try await NightSite.serve(seed: 6, orders: 60, faults: 12, nights: 2) { site in
      try await withStoreURL(engine) { url in
        let url = engine == .sqlite ? "sqlite:crossfoot.db" : url
        for night in 1...2 {
          try site.configure(night: night) { $0.replacing("sqlite:crossfoot.db", with: url) }
          if night == 2 {
            let orders = try site.folder.read("orders.csv")
            let columns = orders.prefix { $0 != "\n" }.split(separator: ",", omittingEmptySubsequences: false).count
            try site.folder.write(
              "orders.csv", orders + "BAD-1,yesterday" + String(repeating: ",", count: columns - 2) + "\n")
          }
          try await site.run(night: night).expect((night == 1 ? 1 : 2))
          // Moments of landing are whole seconds: none is that of both nights.
          if night == 1 { try await Task.sleep(for: .seconds(1)) }
        }
        let id = try #require(try site.lines("discrepancies.csv", night: 2).first?.components(separatedBy: ",").first)
        #expect(try await command(site, ["discrepancies", "ack", id, "--note", "known"]).status == 0)
        try await body(site, url)
      }
    }
  }

  /// Runs a command that takes no days.
  private static func command(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      arguments + ["--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// What the reports of both nights and the commands that read the store say now.
  private static func everything(_ site: NightSite) async throws -> [String: Data] {
    var said: [String: Data] = [:]
    for night in 1...2 {
      _ = try await site.run("report", night: night)
      for (name, bytes) in try site.published(night) { said["\(night)/\(name)"] = bytes }
    }
    // The last run's range is the second night's.
    for arguments in [
      ["discrepancies", "list"], ["status"],
      ["explain", try site.lines("discrepancies.csv", night: 2)[0].components(separatedBy: ",")[0]],
    ] {
      let run = try await command(site, arguments)
      #expect(run.status == 0, "\(run.errors)")
      said[arguments[0]] = Data(run.output.replacing(/run at \S+/, with: "").utf8)
    }
    return said
  }

  @Test(
    "gives the same reports, exceptions, status and stories, with decisions and quarantined rows",
    arguments: TestStore.all)
  func same(engine: TestStore) async throws {
    try await Self.serve(engine) { site, url in
      let before = try await Self.everything(site)
      #expect(before["2/quarantine.csv"].map { String(decoding: $0, as: UTF8.self).contains("BAD-1") } == true)
      #expect(
        before["2/discrepancies.csv"].map { String(decoding: $0, as: UTF8.self).contains("acknowledged") } == true)
      let listed = try await Self.command(site, ["discrepancies", "list"]).output
      let rebuilt = try await Self.command(site, ["rebuild"])
      #expect(rebuilt.status == 0 && rebuilt.errors.isEmpty, "\(rebuilt.errors)")
      let place = engine == .sqlite ? "\(site.folder.path)/crossfoot.db" : "postgresql://"
      #expect(
        rebuilt.output.hasPrefix("rebuilt \(place)")
          && rebuilt.output.hasSuffix("1 decisions; reconciled for 2026-03-11\n"), "\(rebuilt.output)")
      #expect(rebuilt.output.contains(" 1 refused, "), "\(rebuilt.output)")
      #expect(try await Self.command(site, ["discrepancies", "list"]).output == listed, "before any report")
      #expect(try await Self.everything(site) == before)
      let again = try await Self.command(site, ["rebuild", "--quiet"])
      #expect(again.status == 0 && again.output.isEmpty)
      #expect(try await Self.everything(site) == before)
    }
  }

  @Test(
    "killed at any moment it leaves the old store or the new one, and the next one succeeds", arguments: TestStore.all)
  func killed(engine: TestStore) async throws {
    try await Self.serve(engine) { site, _ in
      let before = try await Self.everything(site)
      let listed = try await Self.command(site, ["discrepancies", "list"]).output
      var (kills, status): (Int, Int32) = (0, SIGPROF)
      while status == SIGPROF {
        let start =
          "import os, signal, sys; signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1])); os.execv(sys.argv[2], "
          + "sys.argv[2:])"
        let ended = try await CommandRun(
          [
            "-c", start, "\(0.01 + 0.01 * Double(kills))", CommandRun.binary.path, "rebuild", "--resources",
            NightSite.checkout,
          ],
          binary: "/usr/bin/python3", in: site.folder.path, environment: ["STRIPE_API_KEY": NightSite.key])
        status = ended.status
        kills += status == SIGPROF ? 1 : 0
        let list = try await Self.command(site, ["discrepancies", "list"])
        #expect(list.status == 0 && list.output == listed, "after \(kills) kills: \(list.errors)")
        if kills % 4 == 1 { #expect(try await Self.everything(site) == before, "after \(kills) kills") }
      }
      #expect(status == 0 && kills > 3, "\(status), \(kills) kills")
      #expect(try await Self.everything(site) == before, "after \(kills) kills")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: site.folder.path).filter { $0.contains("rebuild") } == [])
    }
  }

  @Test("--as-of derives what had landed by then, and the next run reads the rest", arguments: TestStore.all)
  func asOf(engine: TestStore) async throws {
    try await Self.serve(engine) { site, _ in
      let before = try await Self.everything(site)
      let manifests = try site.landed("charges").map {
        try site.folder.read($0.replacing(".jsonl.zst", with: ".manifest.json"))
      }
      let moments = try manifests.map { try #require($0.firstMatch(of: /"observed_at" : (\d+)/)?.1).description }
      let between = Date(timeIntervalSince1970: try #require(moments.first.flatMap(Double.init))).formatted(.iso8601)
      let rebuilt = try await Self.command(site, ["rebuild", "--as-of", between])
      #expect(
        rebuilt.status == 0 && rebuilt.output.contains(" 0 refused, 0 decisions"), "\(rebuilt.output)\(rebuilt.errors)")
      let status = try await Self.command(site, ["status"])
      #expect(Data(status.output.replacing(/run at \S+/, with: "").utf8) != before["status"])
      #expect(try await Self.everything(site) == before, "report reads what has landed since")
    }
  }

  @Test("waits for nobody: 75 while a run holds the lock; 78 where nothing has landed; the store stays as it is")
  func refused() async throws {
    try await Self.serve(.sqlite) { site, _ in
      let before = try await Self.everything(site)
      let descriptor = open(site.folder.path + "/landing/.lock", O_RDWR)
      #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      let locked = try await Self.command(site, ["rebuild"])
      #expect(
        locked.status == 75 && locked.errors.contains("another run holds the lock on the landing zone"),
        "\(locked.errors)")
      close(descriptor)
      try site.folder.write(
        "crossfoot.yml",
        try site.folder.read("crossfoot.yml").replacing("directory: landing", with: "directory: elsewhere"))
      let nothing = try await Self.command(site, ["rebuild"])
      #expect(
        nothing.status == 78 && nothing.errors.contains("nothing has landed in \(site.folder.path)/elsewhere"),
        "\(nothing.errors)")
      try site.folder.write(
        "crossfoot.yml",
        try site.folder.read("crossfoot.yml").replacing("directory: elsewhere", with: "directory: landing"))
      #expect(try await Self.everything(site) == before)
      // A landed file that is damaged: what can be derived is, and it is said.
      let file = "\(site.folder.path)/\(try #require(try site.landed("charges").first))"
      try Data("no zstd".utf8).write(to: URL(fileURLWithPath: file))
      let damaged = try await Self.command(site, ["rebuild", "--quiet"])
      #expect(damaged.status == 2 && damaged.output.hasPrefix("rebuilt "), "\(damaged.output)")
      #expect(
        damaged.errors.contains("crossfoot: warning: ")
          && damaged.errors.contains((file as NSString).lastPathComponent), "\(damaged.errors)")
    }
  }

  @Test("Where a setting changes by which records are read, everything is read again by itself")
  func settings() async throws {
    try await NightSite.serve(seed: 5, orders: 40, faults: 8) { site in
      _ = try await site.run()
      let before = try site.lines("order_matches.csv")
      try site.configure {
        $0.replacing("order_reference: [metadata.order_id, payment_intent]", with: "order_reference: [payment_intent]")
      }
      let changed = try await site.run("run", ["--no-pull"])
      #expect(changed.errors.contains("the settings by which records of stripe are read have changed"))
      let after = try site.published().withoutWorkbook
      #expect(try site.lines("order_matches.csv") != before)
      try site.forgetStore()
      _ = try await site.run("run", ["--no-pull"])
      #expect(try site.published().withoutWorkbook == after)
    }
  }

  @Test("An empty landing zone is not the store's: everything is missing, and the run says so")
  func emptied() async throws {
    try await NightSite.serve(seed: 5, orders: 20) { site in
      _ = try await site.run()
      let place = site.folder.path + "/landing"
      try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
      let run = try await site.run("run", ["--no-pull"])
      run.expect(2)
      #expect(run.output.contains("found no manifest, expected number 1 of the landing chain"), "\(run.output)")
      #expect(try await Self.command(site, ["verify"]).status == 2)
      try FileManager.default.removeItem(atPath: place)
      try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
      #expect(try await site.run("run", ["--no-pull"]).status < 2)
    }
  }

  @Test("A lost store, and one of another version, are made again")
  func lost() async throws {
    try await Self.serve(.sqlite) { site, _ in
      let before = try await Self.everything(site)
      try site.forgetStore()
      let lost = try await Self.command(site, ["rebuild"])
      // The newest publication reports the days.
      #expect(lost.status == 0 && lost.output.hasSuffix("reconciled for 2026-03-11\n"), "\(lost.output)\(lost.errors)")
      #expect(try await Self.everything(site) == before)
      let other = try TemporaryFolder()
      for part in ["sql", "reports"] {
        try FileManager.default.copyItem(atPath: "\(NightSite.checkout)/\(part)", toPath: "\(other.path)/\(part)")
      }
      let file = "sql/schema/sqlite/1-landed.sql"
      try other.write(file, "-- another version\n" + other.read(file))
      let environment = ["STRIPE_API_KEY": NightSite.key]
      let arguments = ["--resources", other.path]
      let refused = try await CommandRun(["status"] + arguments, in: site.folder.path, environment: environment)
      #expect(
        refused.status == 78 && refused.errors.contains("`crossfoot rebuild` makes it again"), "\(refused.errors)")
      #expect(try await CommandRun(["rebuild"] + arguments, in: site.folder.path, environment: environment).status == 0)
      #expect(try await CommandRun(["status"] + arguments, in: site.folder.path, environment: environment).status == 0)
    }
  }
}
