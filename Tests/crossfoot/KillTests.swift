import Foundation
import Marketplace
import Synchronization
import TestSupport
import Testing

/// Runs that are killed, and what the next run makes of what they left.
@Suite("A killed run", .onItsOwnThread, .serialized)
struct KillTests {
  static let (seed, orders, faults): (UInt64, Int, Int) = (5, 120, 45)

  /// What an undisturbed pair of nights publishes on the second.
  private static func calm() async throws -> [String: Data] {
    var published: [String: Data] = [:]
    try await NightSite.serve(seed: seed, orders: orders, faults: faults, nights: 2) { site in
      for night in 1...2 {
        try site.configure(night: night)
        try await site.run(night: night).expect(1, "seed \(seed)")
      }
      published = try site.published(2)
    }
    return published
  }

  /// A site that has published its first night and is about to run its second.
  private static func serve(_ body: (NightSite, _ first: [String: Data]) async throws -> Void) async throws {
    try await NightSite.serve(seed: seed, orders: orders, faults: faults, nights: 2) { site in
      try await site.run().expect(1, "seed \(seed)")
      try site.configure(night: 2)
      try await body(site, try site.published())
    }
  }

  @Test("Killed before the n-th answer, for many n, it loses nothing and doubles nothing")
  func whilePulling() async throws {
    let calm = try await Self.calm()
    try await Self.serve { site, first in
      var kills = 0
      for number in [1, 2, 3, 5, 8, 11, 14, 18, 22, 27, 33, 40, 50, 65, 85, 110] {
        let running = Mutex<Int32>(0)
        site.endpoint.faults = FaultPlan()
        site.endpoint.watch { count in if count == number { running.withLock { _ = kill($0, SIGKILL) } } }
        let ended = try await site.run(night: 2) { id in running.withLock { $0 = id } }
        site.endpoint.watch(nil)
        guard ended.status == SIGKILL else { break }
        kills += 1
        #expect(try site.published(2).isEmpty, "request \(number)")
        #expect(try site.published().withoutWorkbook == first.withoutWorkbook, "request \(number)")
      }
      #expect(kills >= 8, "\(kills) kills")
      try await site.run(night: 2).expect(1)
      DeadStreamTests.expectSame(try site.published(2), calm, "after \(kills) kills")
    }
  }

  @Test("Killed after any amount of its own work, it loses nothing and doubles nothing")
  func anywhere() async throws {
    let calm = try await Self.calm()
    try await Self.serve { site, first in
      var (kills, ended): (Int, Int32) = (0, SIGPROF)
      while ended == SIGPROF {
        let seconds = 0.03 * Double(kills + 1)
        ended = try await Self.run(site, stoppedAfter: seconds).status
        kills += ended == SIGPROF ? 1 : 0
        #expect(try site.published().withoutWorkbook == first.withoutWorkbook, "\(seconds) s")
        let second = try site.published(2)
        if !second.isEmpty { DeadStreamTests.expectSame(second, calm, "\(seconds) s") }
        try Secrets(keys: [NightSite.key]).expectNone(in: site.folder.path, said: "", #_sourceLocation)
      }
      #expect(ended == 1 && kills > 5, "\(ended), \(kills) kills")
      DeadStreamTests.expectSame(try site.published(2), calm, "after \(kills) kills")
    }
  }

  /// Runs the second night under a timer of its own processor time, whose signal ends it like a kill.
  private static func run(_ site: NightSite, stoppedAfter seconds: Double) async throws -> CommandRun {
    let start =
      "import os, signal, sys; signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1])); os.execv(sys.argv[2], "
      + "sys.argv[2:])"
    return try await CommandRun(
      ["-c", start, "\(seconds)", CommandRun.binary.path, "run", "--resources", NightSite.checkout] + site.days(2),
      binary: "/usr/bin/python3", in: site.folder.path, environment: ["STRIPE_API_KEY": NightSite.key])
  }

  @Test("Killed while it publishes, the former publication stays and the next run clears up", arguments: [1, 999])
  func whilePublishing(position: Int) async throws {
    try await Self.serve { site, first in
      let link = site.link()
      // A report that never ends: the publication stands still where it is written.
      try site.folder.write(
        "our-reports/endless/query.sql",
        "with recursive n (n) as (select 1 union all select n + 1 from n) select n from n order by n\n")
      try site.folder.write(
        "our-reports/endless/layout.yml", UserFolderTests.layout(sheet: "Endless", position: position, column: "n"))
      try site.configure(night: 1, further: "reports: [our-reports]\n")
      let watched = "\(site.folder.path)/output/.published"
      let ended = try await site.run { id in
        FolderWatch.once("\(watched)/\(site.range())-2/endless.csv") { kill(id, SIGKILL) }
      }
      #expect(ended.status == SIGKILL)
      #expect(try site.link() == link && site.published() == first)
      #expect(FileManager.default.fileExists(atPath: "\(watched)/\(site.range())-2"))
      try site.configure()
      try await site.run().expect(1)
      #expect(try site.link() != link && site.published().withoutWorkbook == first.withoutWorkbook)
      // The newest publication of a range is kept, and the interrupted one is gone.
      #expect(try FileManager.default.contentsOfDirectory(atPath: watched) == ["\(site.range())-2"])
    }
  }
}

/// Waits for a file whose folder may not be there yet, on a thread of its own.
enum FolderWatch {
  static func once(_ path: String, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      let events = inotify_init1(Int32(IN_CLOEXEC))
      defer { close(events) }
      wait(for: (path as NSString).deletingLastPathComponent, events)
      wait(for: path, events)
      body()
    }
  }

  /// The folder of what is waited for exists.
  private static func wait(for path: String, _ events: Int32) {
    _ = inotify_add_watch(events, (path as NSString).deletingLastPathComponent, UInt32(IN_CREATE | IN_MOVED_TO))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while access(path, F_OK) != 0 { _ = read(events, &buffer, buffer.count) }
  }
}
