import Foundation
import TestSupport
import Testing

/// What became of the discrepancies in a range that nights were reported of, and its totals in the reporting currency.
@Suite("Opened and cleared", .onItsOwnThread, .serialized, .enabled(if: WorkbookFile.canBeRead))
struct OpenedClearedTests {
  private static let days = (1...10).map { String(format: "2026-03-%02d", $0) }

  /// Ids by whether a report lists them as open, and their types.
  private static func listed(_ site: NightSite, _ range: String) throws -> (open: Set<String>, types: [String: String])
  {
    let table = CSVTable(text: try site.folder.read("output/\(range)/discrepancies.csv"))
    var open: Set<String> = []
    var types: [String: String] = [:]
    for row in table.rows {
      let id = row["discrepancy_id"] ?? ""
      types[id] = row["type"]
      if row["state"] != "resolved" { open.insert(id) }
    }
    return (open, types)
  }

  @Test(
    "What nights of a range reported and what is gone at its end came and went: opening + opened − cleared = closing")
  func cameAndWent() async throws {
    try await NightSite.serve(orders: 200, faults: 25) { site in
      _ = try await site.run("pull")
      var reported: Set<String> = []
      for day in Self.days {
        _ = try await CommandRun(
          ["run", "--no-pull", "--date", day, "--resources", NightSite.checkout], in: site.folder.path,
          environment: ["STRIPE_API_KEY": NightSite.key])
        reported.formUnion(try Self.listed(site, day).open)
      }
      _ = try await site.run("run", ["--no-pull"])
      let closing = try Self.listed(site, site.range()).open
      let passed = reported.subtracting(closing)
      #expect(!passed.isEmpty && !closing.isEmpty, "the market of this test no longer shows what it is about")

      let book = WorkbookFile("\(site.folder.path)/output/\(site.range())/reconciliation.xlsx")
      let rows = try await book.rows("Opened and cleared")
      let second = try #require(rows.firstIndex { $0.first == "Came and went" })
      #expect(Set(rows[(second + 2)...].compactMap(\.last).filter { $0.hasPrefix("d_") }) == passed)
      var sums = [0, 0, 0, 0, 0]
      for row in rows[2..<second] where row.count > 6 && !row[1].isEmpty {
        let figures = row[2...6].map { Int(Double($0) ?? -1) }
        #expect(figures[0] + figures[1] - figures[2] == figures[3], "\(row)")
        for place in sums.indices { sums[place] += figures[place] }
      }
      #expect(sums == [0, passed.count + closing.count, passed.count, closing.count, passed.count])
      // The formulas say the same as the run did.
      let again = try await book.recalculated(into: site.folder.path + "/again")
      #expect(try await book.compare(with: again).differences == [])
    }
  }

  @Test("Totals are shown in the reporting currency at the newest rate up to the range's end; a bad rate is named")
  func converted() async throws {
    try await NightSite.serve(orders: 40) { site in
      try site.configure { text in
        text.replacing("reporting:\n", with: "reporting:\n  currency: EUR\n  rates: rates.csv\n")
      }
      try site.folder.write(
        "rates.csv",
        "date,currency,rate\n2026-02-01,USD,0.5\n2026-03-09,USD,0.92\n2026-03-11,USD,9\n2026-03-01,JPY,0.0061\n")
      try await site.run().expect(0)
      let book = WorkbookFile("\(site.folder.path)/output/\(site.range())/reconciliation.xlsx")
      let rows = try await book.rows("Summary")
      let first = try #require(
        rows.firstIndex { $0.first?.hasPrefix("Converted to EUR at the rates of rates.csv") == true })
      let last = try #require(rows[first...].firstIndex { $0.first == "All, converted" })
      let figures = rows[..<first].filter { $0.count > 3 && $0[0] == "stripe" && $0[1].count == 3 }
      for line in rows[(first + 2)..<last] {
        let code = line[1]
        let original = try #require(figures.first { $0[1] == code })
        switch code {
        case "USD", "JPY", "EUR":
          let rate = try #require(["USD": 0.92, "JPY": 0.0061, "EUR": 1][code])
          let expected = (try #require(Double(original[2])) * rate * 100).rounded() / 100
          #expect(abs(try #require(Double(line[2])) - expected) < 0.001, "\(line) of \(original)")
          #expect(line[11] == ["USD": "2026-03-09", "JPY": "2026-03-01", "EUR": ""][code])
        default: #expect(line[2] == "no rate up to 2026-03-10: not converted, and not in the sum")
        }
      }
      let sum = rows[(first + 2)..<last].compactMap { Double($0[2]) }.reduce(0, +)
      #expect(abs(sum - (Double(rows[last][2]) ?? -1)) < 0.001 && sum > 0)
      let again = try await book.recalculated(into: site.folder.path + "/again")
      #expect(try await book.compare(with: again).differences == [])

      try site.folder.write("rates.csv", "date,currency,rate\n2026-03-09,USD,0\n")
      let bad = try await site.run("run", ["--no-pull"])
      bad.expect(2)
      #expect(bad.output.contains("rates.csv:2: found \"2026-03-09,USD,0\", expected a day"), "\(bad.output)")
    }
  }
}
