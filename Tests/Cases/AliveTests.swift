import Foundation
import Logging
import Marketplace
import Payments
import Reconciliation
import Reports
import Synchronization
import TestSupport
import Testing

/// A range derives only what is alive in it, and takes the rest from kept sums: every report has the bytes of a
/// derivation from everything.
@Suite("Alive groups", .onItsOwnThread, .serialized)
struct AliveTests {
  static let seeds: [UInt64] = {
    let asked = ProcessInfo.processInfo.environment["CROSSFOOT_MARKET_SEEDS"]?.split(separator: ",").compactMap {
      UInt64($0)
    }
    return asked ?? [1, 2, 3]
  }()

  @Test("alive and whole give the same bytes, night after night and when an old day is run again", arguments: seeds)
  func sameBytes(seed: UInt64) async throws {
    // The same statements run on both engines: one world on PostgreSQL costs as much as two on SQLite.
    let isOnBoth = seed == Self.seeds.first && TestStore.postgresqlURL != nil
    for engine in TestStore.all where engine == .sqlite || isOnBoth {
      try await compareNights(seed, engine)
    }
  }

  @Test(
    "old days of payouts that are booked later or come back are the same from what is alive and from everything",
    arguments: Story.all.filter { story in ["payout-in-transit", "S21"].contains { story.name.contains("/\($0)") } })
  func oldDays(story: Story) async throws {
    for engine in TestStore.all where engine == .sqlite || TestStore.postgresqlURL != nil {
      try await withStoryStore(engine) { folder, url in
        var runner = StoryRunner(story: story, engine: engine, folder: folder, storeURL: url)
        runner.comparesOld = true
        for (night, again) in zip(story.nights, try await runner.run().old) {
          let (alive, whole) = (try StoryTests.files(again.alive), try StoryTests.files(again.whole))
          let differing = Set(alive.keys).union(whole.keys).filter { alive[$0] != whole[$0] }.sorted()
          #expect(
            differing == [],
            "\(night.days) on \(engine.rawValue): \(differing.map { difference(alive[$0], whole[$0]) })")
        }
      }
    }
  }

  private func compareNights(_ seed: UInt64, _ engine: TestStore) async throws {
    let market = try Market.generate(
      MarketPlan(seed: seed, accounts: AccountPlan.all, orders: 200, faults: 90, nights: 14))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    try await withStoryStore(engine) { folder, url in
      var random = SeededGenerator(seed: seed)
      let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "UTC")))
      let first = calendar.day(containing: market.plan.startsAt)
      for night in 1...14 {
        var run = MarketNight(servers: servers, night: night, folder: folder, storeURL: url)
        run.writesStatements = true
        let last = calendar.day(containing: market.plan.end(of: night) - 1)
        run.days = (night == 1 ? first : last, last)
        let report = try await run.report()
        print("seed \(seed) night \(night) \(engine.rawValue): \(report.groups) \(report.summary.reasons)")
        let alive = try run.files(try #require(report.summary.location))
        let problems = try RollForward(alive).problems(after: nil, isStated: false)
        #expect(problems == [], "seed \(seed) night \(night): \(problems)")
        try await expectSame(alive, run, "seed \(seed) night \(night) on \(engine.rawValue)")
        run.pulls = false
        run.keepsResults = false
        let day = first.advanced(by: Int64(random.next() % UInt64(9 + night)))
        run.days = (day, min(last, day.advanced(by: Int64(random.next() % 3))))
        let again = try run.files(try #require(try await run.report().summary.location))
        try await expectSame(again, run, "seed \(seed) day \(day) after night \(night) on \(engine.rawValue)")
        guard night == 14, let place = report.summary.location else { continue }
        run.days = (last, last)
        try await expectSameStories(run, try ids(place), "seed \(seed) on \(engine.rawValue)")
      }
    }
  }

  /// A story is derived from what its id names alone; it is the one of a derivation from everything.
  private func expectSameStories(_ night: MarketNight, _ ids: [String], _ words: String) async throws {
    let log = LogCollector()
    var (quick, whole) = (try night.make(), try night.make())
    quick.logger = Logger(label: "test") { _ in log }
    whole.derivesWhole = true
    for id in ids {
      let (story, expected) = (try quick.explain(id, isNewest: true), try whole.explain(id, isNewest: true))
      guard case .story(let story) = story, case .story(let expected) = expected else {
        #expect("\(story)" == "\(expected)", "\(words): \(id)")
        continue
      }
      #expect(story.lines == expected.lines, "\(words): \(id)")
    }
    // What is asked about in vain, or lies in a range that is not the newest, takes more.
    let alone = log.count(of: "only what is asked about is derived")
    #expect(alone * 4 > ids.count * 3, "\(words): \(alone) of \(ids.count)")
    // What has landed since the publication is in no list of it.
    quick.pulls = true
    _ = try await quick.pullOnly()
    _ = try quick.explain(ids[0], isNewest: true)
    #expect(log.count(of: "only what is asked about is derived") == alone, "\(words): after a pull")
  }

  /// Ids of each kind, from the published tables: a few old and a few new ones, and every discrepancy.
  private func ids(_ place: String) throws -> [String] {
    var ids: [String] = []
    for (table, columns) in [
      ("order_matches", ["order_id", "payment_id"]), ("fund_flows", ["payment_id", "order_id"]),
      ("entries", ["record_id", "entry_id"]), ("payouts", ["payout_id"]),
    ] {
      let rows = try CSVTable("\(place)/\(table).csv").rows
      for column in columns {
        let cells = rows.compactMap { $0[column]?.split(separator: " ").first.map(String.init) }
        ids += stride(from: 0, to: cells.count, by: max(1, cells.count / 4)).map { cells[$0] }
      }
    }
    ids += try CSVTable("\(place)/discrepancies.csv").rows.prefix(20).compactMap { $0["discrepancy_id"] }
    #expect(ids.count > 30, "\(ids.count) ids")
    return Set(ids).sorted()
  }

  private func expectSame(_ alive: [String: Data], _ night: MarketNight, _ words: String) async throws {
    var whole = night
    whole.pulls = false
    whole.keepsResults = false
    whole.derivesWhole = true
    whole.jobs = 3
    whole.batchSize = 70
    let place = try #require(try await whole.report().summary.location)
    let files = try whole.files(place)
    let differing = Set(files.keys).union(alive.keys).filter { files[$0] != alive[$0] }.sorted()
    for name in differing { DifferingFile.keep(name, alive[name], files[name]) }
    #expect(differing == [], "\(words): \(differing.prefix(3).map { difference(alive[$0], files[$0]) })")
  }

  /// The first line that differs.
  private func difference(_ alive: Data?, _ whole: Data?) -> String {
    let sides = [alive, whole].map {
      String(decoding: $0 ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let (only, missing) = (Set(sides[0]).subtracting(sides[1]).sorted(), Set(sides[1]).subtracting(sides[0]).sorted())
    return "alive alone: \(only.prefix(2)); whole alone: \(missing.prefix(2))"
  }
}

/// Keeps what is logged.
private final class LogCollector: LogHandler, Sendable {
  private let messages = Mutex<[String]>([])

  var logLevel: Logger.Level {
    get { .debug }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { messages.withLock { $0.append("\(event.message)") } }

  func count(of words: String) -> Int { messages.withLock { $0.count { $0.contains(words) } } }
}
