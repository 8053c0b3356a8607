import Foundation
import Payments
import Reconciliation
import TestSupport
import Testing

@testable import crossfoot

@Suite("Nights that were missed", .onItsOwnThread, .serialized)
struct MissedNightTests {
  @Test(
    "A run without days makes up for missed ones with one pull, a report each, and status names what no report covers")
  func madeUpFor() async throws {
    try await NightSite.serve(orders: 20) { site in
      let workplace = try Self.workplace(site)
      #expect(try await Wiring.runDueDays(Self.order(at: "2026-03-11T04:15:00Z", workplace), at: workplace) == .clean)
      #expect(try Self.published(site) == ["2026-03-10"], "a first run reports yesterday alone")
      let before = site.endpoint.requests.count
      #expect(try await Wiring.runDueDays(Self.order(at: "2026-03-15T04:15:00Z", workplace), at: workplace) == .clean)
      #expect(try Self.published(site) == ["2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13", "2026-03-14"])
      let asked = site.endpoint.requests.dropFirst(before).filter { $0.path == "/v1/disputes" }
      #expect(asked.count == 1, "\(asked)")
      #expect(try Self.missedDays(site, "2026-03-11").isEmpty && Self.missedDays(site, "2026-03-14").isEmpty)

      let later = try await Wiring.run(
        Self.order(at: "2026-03-20T04:15:00Z", workplace, day: "2026-03-17"), at: workplace)
      #expect(later == .clean)
      #expect(try Self.missedDays(site, "2026-03-17") == ["2026-03-15", "2026-03-16"])
      let status = try Self.status(at: "2026-03-19T12:00:00Z", workplace)
      #expect(status.daysWithoutReport == ["2026-03-15", "2026-03-16", "2026-03-18"])
      #expect(status.runs.map(\.range).suffix(2) == ["2026-03-14", "2026-03-17"])
      #expect(status.runs.allSatisfy { $0.exitStatus == 0 && $0.verdict != nil })
      let now = try Instant.parse("2026-03-20T04:15:00Z")
      #expect(
        !status.isOlder(than: 26 * 3600, now: now + 26 * 3600)
          && status.isOlder(than: 26 * 3600, now: now + 26 * 3600 + 1))
    }
  }

  @Test(
    "A run that published nothing is in the history with its reason; a range of earlier days names what it changes"
  )
  func nothingPublished() async throws {
    try await NightSite.serve(orders: 20) { site in
      let workplace = try Self.workplace(site)
      _ = try await Wiring.run(Self.order(at: "2026-03-11T04:15:00Z", workplace, day: "2026-03-10"), at: workplace)
      try site.folder.write("orders.csv", "order,sum\n")
      await #expect(throws: (any Error).self) {
        try await Wiring.run(Self.order(at: "2026-03-12T04:15:00Z", workplace, day: "2026-03-11"), at: workplace)
      }
      let refused = try #require(try Self.status(at: "2026-03-12T05:00:00Z", workplace).runs.last)
      #expect(
        refused.exitStatus == 65 && refused.verdict == nil && refused.reason?.contains("required column") == true,
        "\(refused)")
      let lines = try Self.status(at: "2026-03-12T05:00:00Z", workplace).lines
      #expect(lines.contains { $0.contains("exit status 65, nothing published: order source shop") }, "\(lines)")

      try site.configure()
      let earlier = try await site.run("run", ["--format", "json"], night: 1)
      #expect(earlier.output.contains("\"changed_days\":[]"), "it ends on the day that is reported: \(earlier.output)")
      let first = try await CommandRun(
        ["run", "--date", "2026-02-27", "--resources", NightSite.checkout], in: site.folder.path,
        environment: ["STRIPE_API_KEY": NightSite.key])
      #expect(
        first.output.contains("2026-02-27 is reported for the first time. What it brought changes later reports"),
        "\(first.output)")
      #expect(first.output.contains("those of 2026-03-01 to 2026-03-10"), "\(first.output)")
    }
  }

  @Test("status ends with 1 when the newest report is too old or there is none, and asks for no secret")
  func maximumAge() async throws {
    try await NightSite.serve(orders: 20) { site in
      let status = { (arguments: [String]) in
        try CommandRun(["status", "--resources", NightSite.checkout] + arguments, in: site.folder.path)
      }
      #expect(try status(["--max-age", "26h"]).status == 1)
      try await site.run().expect(0)
      #expect(try status([]).status == 0)
      #expect(try status(["--max-age", "26h"]).status == 0)
      let record = try status(["--format", "json"])
      let json = try #require(try JSONSerialization.jsonObject(with: Data(record.output.utf8)) as? [String: Any])
      #expect(
        (json["runs"] as? [[String: Any]])?.first?["exit_status"] as? Int == 0 && json["days_without_report"] != nil)
      #expect(try status(["--max-age", "soon"]).status == 64)
    }
  }

  private static func workplace(_ site: NightSite) throws -> CommandContext {
    let text = try site.folder.read("crossfoot.yml").replacing("${STRIPE_API_KEY}", with: NightSite.key)
    try site.folder.write("in-process.yml", text)
    defer { try? FileManager.default.removeItem(atPath: site.folder.path + "/in-process.yml") }
    return try CommandContext(configuration: site.folder.path + "/in-process.yml") {
      try Resources.find(option: NightSite.checkout)
    }
  }

  private static func order(at moment: String, _ workplace: CommandContext, day: String? = nil) throws -> RunOrder {
    let now = try Instant.parse(moment)
    let day = day.flatMap { BusinessDay($0) } ?? workplace.calendar.day(containing: now).advanced(by: -1)
    return RunOrder(
      range: DayRange(first: day, last: day), isNamedRange: false, now: now, asOf: nil, pulls: true, alerts: .send,
      isDry: false, failOn: .never,
      output: try LoggingOptions.parse(["--quiet"]))
  }

  private static func status(at moment: String, _ workplace: CommandContext) throws -> StatusRecord {
    try Wiring.yesterday(workplace, now: Instant.parse(moment)).status(isNewest: true)
  }

  private static func published(_ site: NightSite) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: site.folder.path + "/output").filter {
      !$0.hasPrefix(".") && $0 != "latest"
    }.sorted()
  }

  private static func missedDays(_ site: NightSite, _ range: String) throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: Data(site.folder.read("output/\(range)/run.json").utf8))
    return try #require((json as? [String: Any])?["missed_days"] as? [String])
  }
}
