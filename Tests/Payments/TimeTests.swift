import Foundation
import Testing

@testable import Payments

@Suite("Moments and business days")
struct TimeTests {
  @Test(
    "every form of RFC 3339 is read",
    arguments: [
      ("2026-03-01T00:00:00Z", 1_772_323_200), ("2026-03-01t00:00:00z", 1_772_323_200),
      ("2026-03-01 00:00:00Z", 1_772_323_200),
      ("2026-03-01T00:00:00.999Z", 1_772_323_200), ("2026-03-01T01:00:00+01:00", 1_772_323_200),
      ("2026-02-28T19:00:00-05:00", 1_772_323_200),
      ("2026-03-01 00:00:00+00", 1_772_323_200), ("2026-03-01T05:30:00+05:30", 1_772_323_200),
      ("2000-01-01T00:00:00Z", 946_684_800),
      ("2100-12-31T23:59:59Z", 4_133_980_799), ("2101-01-01T00:30:00+01:00", 4_133_979_000),
    ] as [(String, Int64)])
  func forms(text: String, seconds: Int64) throws {
    #expect(try Instant.parse(text) == seconds)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "2026-03-01", "2026-03-01T00:00:00", "2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z",
      "2026-03-01T00:00:00.Z", "1772323200", "2026-03-01T00:00:00Zx", "1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z",
      "2000-01-01T00:00:00+00:01", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    ])
  func refused(text: String) {
    #expect(throws: InstantError.self) { try Instant.parse(text) }
  }

  @Test(
    "every moment can be written, however far away",
    arguments: [Int64.min, .min + 1, -62_135_596_801, 253_402_300_800, .max])
  func text(seconds: Int64) {
    #expect(Instant.text(seconds) == (seconds < 0 ? "0001-01-01T00:00:00Z" : "9999-12-31T23:59:59Z"))
  }

  @Test("text and parse are inverse over a century")
  func inverse() throws {
    var random = RandomNumbers(seed: 11)
    for _ in 0..<5000 {
      let seconds = Limits.instants.lowerBound + Int64(random.next() % 3_187_296_000)
      #expect(try Instant.parse(Instant.text(seconds)) == seconds, "seed 11")
    }
  }

  @Test(
    "days follow each other without a gap, daylight saving included",
    arguments: [
      "UTC", "Europe/Amsterdam", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Apia",
      "Africa/Cairo",
      "Australia/Lord_Howe",
    ])
  func days(zone: String) throws {
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: zone)))
    var day = try #require(BusinessDay("2011-12-25"))
    for _ in 0..<900 {
      let bounds = calendar.bounds(of: day)
      let next = day.advanced(by: 1)
      #expect(bounds.endsAt == calendar.bounds(of: next).startsAt, "\(day) in \(zone)")
      if bounds.endsAt > bounds.startsAt {
        #expect(
          calendar.day(containing: bounds.startsAt) == day && calendar.day(containing: bounds.endsAt - 1) == day,
          "\(day) in \(zone)")
      }
      day = next
    }
  }

  @Test("the day that summer time begins has 23 hours")
  func summerTime() throws {
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Amsterdam")))
    let bounds = calendar.bounds(of: try #require(BusinessDay("2026-03-29")))
    #expect(bounds.endsAt - bounds.startsAt == 23 * 3600)
  }
}
