import Foundation
import Landing
import TestSupport
import Testing

/// Journals that book what became known of a closed period.
@Suite("Journals with adjustments", .onItsOwnThread, .serialized)
struct AdjustedJournalTests {
  private static let formats = ["beancount", "hledger", "csv"]

  @Test("beancount and hledger accept them; they go on from the closed period, and end where the roll-forward does")
  func adjusted() async throws {
    try await NightSite.serve(seed: 6, orders: 12, faults: 0, nights: 2) { site in
      let world = ClosingSite(site: site)
      try site.configure(night: 1, further: ClosingSite.periods)
      #expect(try await site.run(night: 1).status < 2)
      try await Self.export(world, "P01", site.days(1))
      #expect(try Self.problems(world, "P01", reports: site.range(1), before: nil) == [])
      try await world.close("P01")
      let (late, change) = try Self.late(world)
      try world.land(lines: late)
      // What the provider states from now on has counted the rows.
      site.endpoint.misstate("usd", by: change, from: 2)
      try site.configure(night: 2, further: ClosingSite.periods)
      let run = try await site.run(night: 2)
      #expect(run.status < 2, "\(run.output)\(run.errors)")
      let booked = try CSVTable("\(world.path)/output/\(site.range(2))/prior_period_adjustments.csv").rows
      let figures = Set(booked.compactMap { $0["figure"] })
      #expect(
        figures.isSuperset(of: ["captured", "provider_fees", "transferred", "paid_out", "adjustments"]), "\(figures)")
      #expect(booked.contains { $0["connected_account"]?.isEmpty == false })
      try await Self.export(world, "P02", site.days(2))
      #expect(try Self.problems(world, "P02", reports: site.range(2), before: "P01") == [])
      try Self.expectFound(world, reports: site.range(2))
    }
  }

  /// Rows that land late, and rows of the period that come back with another amount.
  ///
  /// - Returns: the lines, and what they change the balance by, in cents.
  private static func late(_ world: ClosingSite) throws -> (lines: [String], change: Int64) {
    var lines = [
      ClosingSite.line("txn_late", 700), ClosingSite.line("txn_late_back", -50),
      ClosingSite.line("txn_late_fee", -150, type: "stripe_fee", category: "fee"),
      ClosingSite.line("txn_late_payout", -2000, type: "payout", category: "payout"),
    ]
    var change: Int64 = 700 - 50 - 150 - 2000
    let landing = Landing(directory: world.path + "/landing")
    for type in ["charge", "transfer"] {
      var known: String?
      for manifest in try landing.manifests(provider: "stripe", stream: "balance_transactions") {
        try landing.read(manifest) { bytes, _ in
          let line = String(decoding: bytes, as: UTF8.self)
          if line.contains("\"type\":\"\(type)\""), line.contains("\"currency\":\"usd\"") { known = known ?? line }
        }
      }
      let line = try #require(known, "a row of type \(type)")
      let more = Int64(type == "charge" ? 300 : -300)
      var changed = line
      for member in ["amount", "net"] {
        let match = try #require(line.firstMatch(of: try Regex("\"\(member)\":(-?[0-9]+)")))
        let amount = try #require(Int64(match.output[1].substring ?? ""))
        changed = changed.replacing("\"\(member)\":\(amount),", with: "\"\(member)\":\(amount + more),")
      }
      #expect(changed != line)
      lines.append(changed)
      change += more
    }
    return (lines, change)
  }

  private static func export(_ world: ClosingSite, _ name: String, _ days: [String]) async throws {
    for format in formats {
      let ended = try await world.command(
        ["export", "journal", "--format", format, "--output", "\(name).\(format)"] + days)
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  private static func problems(_ world: ClosingSite, _ name: String, reports: String, before: String?) throws
    -> [String]
  {
    let place = "\(world.path)/\(name)"
    return try JournalExaminer.problems(
      beancount: place + ".beancount", hledger: place + ".hledger", csv: place + ".csv",
      reports: "\(world.path)/output/\(reports)", before: before.map { "\(world.path)/\($0).beancount" })
  }

  /// An adjustment of another amount, or of no period, is found in each of the journals.
  private static func expectFound(_ world: ClosingSite, reports: String) throws {
    for (file, old, new) in [
      ("P02.beancount", " #P01\n", "\n"), ("P02.hledger", "period:P01, ", ""), ("P02.csv", ",7.00,,USD", ",8.00,,USD"),
      ("P02.beancount", "  7.00 USD", "  7.01 USD"),
    ] {
      let text = try world.site.folder.read(file)
      let place = try #require(text.firstRange(of: old), "\(file) has no \(old)")
      try world.site.folder.write(file, text.replacingCharacters(in: place, with: new))
      #expect(try !problems(world, "P02", reports: reports, before: "P01").isEmpty, "\(file) \(old)")
      try world.site.folder.write(file, text)
    }
  }
}
