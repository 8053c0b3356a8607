import Foundation
import Payments
import Reconciliation
import Reports
import TestSupport
import Testing

@testable import crossfoot

/// The order of versions is that of the landing chain; a clock that what has landed contradicts claims nothing.
@Suite("A wrong clock", .onItsOwnThread, .serialized)
struct ClockTests {
  /// 2026-03-12T05:00:00Z, the morning after the second night.
  private static let morning: Int64 = 1_773_291_600

  private static func night(_ site: NightSite, _ number: Int, at now: Int64) throws -> ReconciliationRun {
    let workplace = try crossfoot.CommandContext(
      configuration: site.folder.path + "/crossfoot.yml", resources: { try Resources.find(option: NightSite.checkout) })
    let days = site.days(number).filter { !$0.hasPrefix("-") }.compactMap { BusinessDay($0) }
    let (first, last) = (try #require(days.first), try #require(days.last))
    return try Wiring.makeNight(DayRange(first: first, last: last), now: now, workplace)
  }

  /// Runs the body at a site whose key is in its configuration: the nights run in this program.
  private static func serve(_ body: (NightSite) async throws -> Void) async throws {
    try await NightSite.serve(seed: 5, orders: 60, faults: 30, nights: 2) { site in
      try configure(site, 1)
      _ = try await night(site, 1, at: morning).run()
      try configure(site, 2)
      try await body(site)
    }
  }

  private static func configure(_ site: NightSite, _ night: Int) throws {
    try site.configure(night: night) { $0.replacing("${STRIPE_API_KEY}", with: NightSite.key) }
  }

  /// What an undisturbed second night publishes.
  private static func calm() async throws -> [String: Data] {
    var published: [String: Data] = [:]
    try await serve { site in
      _ = try await night(site, 2, at: morning + 3600).run()
      published = try site.published(2).withoutWorkbook
    }
    return published
  }

  @Test("Set back by an hour between two runs, the store is what a rebuild gives")
  func setBack() async throws {
    let calm = try await Self.calm()
    try await Self.serve { site in
      let second = try Self.night(site, 2, at: Self.morning - 3600)
      let report = try await second.run()
      #expect(report.verdict == .discrepancies)
      let before = try site.published(2).withoutWorkbook
      _ = try second.rebuild()
      var again = second
      again.pulls = false
      _ = try await again.run()
      DeadStreamTests.expectSame(try site.published(2).withoutWorkbook, before, "after a rebuild")
      for name in ["discrepancies.csv", "fund_flows.csv"] { #expect(before[name] == calm[name], "\(name)") }
    }
  }

  @Test("Two runs within the same second come one after the other")
  func sameSecond() async throws {
    let calm = try await Self.calm()
    try await Self.serve { site in
      _ = try await Self.night(site, 2, at: Self.morning).run()
      DeadStreamTests.expectSame(try site.published(2).withoutWorkbook, calm, "in the same second")
    }
  }

  @Test(
    "A run whose clock lies before what has landed, or years after it, says so and claims nothing",
    arguments: [-3600, 283_824_000])
  func doubted(offset: Int64) async throws {
    let calm = try await Self.calm()
    try await Self.serve { site in
      var wrong = try Self.night(site, 2, at: Self.morning + offset)
      wrong.doubtsClock = true
      let report = try await wrong.run()
      #expect(report.verdict == .incomplete)
      let words = offset < 0 ? "is earlier than the newest landed record" : "days after the newest landed record"
      #expect(report.summary.reasons.first?.contains(words) == true, "\(report.summary.reasons)")
      #expect(report.summary.reasons.first?.contains("--clock-is-right") == true)
      // The next night, with the right clock, misses nothing.
      var right = try Self.night(site, 2, at: Self.morning + 7200)
      right.doubtsClock = true
      #expect(try await right.run().verdict == .discrepancies)
      let published = try site.published(2).withoutWorkbook
      DeadStreamTests.expectSame(published, calm, "with the right clock")
      _ = try right.rebuild()
      right.pulls = false
      #expect(try await right.run().verdict == .discrepancies)
      DeadStreamTests.expectSame(try site.published(2).withoutWorkbook, published, "after a rebuild")
    }
  }

  @Test("What landed by a clock that was years ahead claims nothing once somebody says that the clock is right")
  func asserted() async throws {
    let calm = try await Self.calm()
    try await Self.serve { site in
      #expect(try await Self.night(site, 2, at: Self.morning + 283_824_000).run().verdict == .discrepancies)
      var night = try Self.night(site, 2, at: Self.morning + 3600)
      night.doubtsClock = true
      #expect(try await night.run().verdict == .incomplete)
      (night.doubtsClock, night.assertsClock) = (false, true)
      #expect(try await night.run().verdict == .discrepancies)
      DeadStreamTests.expectSame(try site.published(2).withoutWorkbook, calm, "the clock is right")
      var next = try Self.night(site, 2, at: Self.morning + 7200)
      next.doubtsClock = true
      #expect(try await next.run().verdict == .discrepancies)
    }
  }

  @Test("Days that a clock of 2035 has published are none of the history once it is right")
  func ahead() async throws {
    try await Self.serve { site in
      let folder = site.folder.path
      let workplace = try crossfoot.CommandContext(
        configuration: folder + "/crossfoot.yml", resources: { try Resources.find(option: NightSite.checkout) })
      let day = try #require(BusinessDay("2035-01-01"))
      var wrong = try Wiring.makeNight(DayRange(first: day, last: day), now: 2_051_330_400, workplace)
      wrong.doubtsClock = true
      #expect(try await wrong.run().verdict == .incomplete)
      let latest = { try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/output/latest") }
      #expect(try latest() == "2035-01-01")
      var right = try Self.night(site, 2, at: Self.morning + 7200)
      let yesterday = try #require(BusinessDay("2026-03-11"))
      #expect(try right.dueDays(yesterday: yesterday).days == [yesterday])
      right.doubtsClock = true
      #expect(try await right.run().verdict == .discrepancies)
      #expect(try latest() == "2026-03-11")
      let listed = try await CommandRun(
        ["discrepancies", "list", "--resources", NightSite.checkout], in: folder)
      let open = try site.lines("discrepancies.csv", night: 2).filter { !$0.contains(",resolved,") }
      #expect(open.allSatisfy { listed.output.contains($0.prefix(18)) } && !open.isEmpty, "\(listed.output)")
      let next = try #require(BusinessDay("2026-03-13"))
      let later = try Self.night(site, 2, at: Self.morning + 2 * 86_400)
      #expect(try later.dueDays(yesterday: next).days.map(\.description) == ["2026-03-12", "2026-03-13"])
    }
  }

  @Test("After days without a run the clock is believed once the sources show records of these days")
  func outage() async throws {
    try await Self.serve { site in
      // The first landing was ten days before; what the provider shows now is of yesterday.
      try FileManager.default.removeItem(atPath: site.folder.path + "/landing")
      try site.forgetStore()
      try Self.configure(site, 1)
      _ = try await Self.night(site, 1, at: Self.morning - 10 * 86_400).run()
      try Self.configure(site, 2)
      var night = try Self.night(site, 2, at: Self.morning)
      night.doubtsClock = true
      let report = try await night.run()
      #expect(report.verdict == .discrepancies, "\(report.summary.reasons)")
    }
  }
}
