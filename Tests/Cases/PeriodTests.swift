import Foundation
import Payments
import Reconciliation
import Settings
import TestSupport
import Testing

/// What a period is: a calendar month, or what the configuration names.
@Suite("Periods", .onItsOwnThread)
struct PeriodTests {
  private func settings(_ further: String) throws -> Settings {
    let file = NSTemporaryDirectory() + "crossfoot-\(UUID().uuidString).yml"
    try Data("providers: []\n\(further)".utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try Settings.load(file, providerKinds: [])
  }

  @Test("A month is cut in the reporting time zone, its last day by the calendar")
  func months() throws {
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Amsterdam")))
    let none = try settings("")
    for (name, last) in [("2026-02", "2026-02-28"), ("2028-02", "2028-02-29"), ("2026-04", "2026-04-30")] {
      #expect(try Period(name, none, calendar).range.lastDay.description == last)
    }
    let march = try Period("2026-03", none, calendar).range
    #expect(march.endsAt - march.startsAt == 31 * 86_400 - 3600, "an hour is skipped")
    for name in ["2026-13", "2026-3", "march", "2026-03-01", "../x", ""] {
      #expect(throws: PeriodError.self) { try Period(name, none, calendar) }
    }
  }

  @Test("Named ranges replace months")
  func named() throws {
    let named = try settings(
      "periods: [{name: 2026-P02, from: 2026-01-29, to: 2026-02-25}, {name: 2026-P01, from: 2026-01-01, to: "
        + "2026-01-28}]\n"
    )
    let calendar = BusinessCalendar(timeZone: .gmt)
    #expect(try Period("2026-P01", named, calendar).range.name == "2026-01-01_2026-01-28")
    #expect(named.periods.map(\.name) == ["2026-P01", "2026-P02"])
    #expect(throws: PeriodError.self) { try Period("2026-01", named, calendar) }
  }
}
