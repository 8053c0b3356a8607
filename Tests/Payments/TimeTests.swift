import Foundation
import Testing

@testable import Payments

@Suite("Moments and business days")
struct TimeTests {
  @Test(
    "every form of RFC 3339 is read",
    arguments: [
      ("2026-03-01T00:00:00Z", 1_772_323_200), ("2026-03-01t00:00:00z", 1_772_323_200), ("2026-03-01 00:00:00Z", 1_772_323_200),
      ("2026-03-01T00:00:00.999Z", 1_772_323_200), ("2026-03-01T01:00:00+01:00", 1_772_323_200),
      ("2026-02-28T19:00:00-05:00", 1_772_323_200),
      ("2026-03-01 00:00:00+00", 1_772_323_200), ("2026-03-01T05:30:00+05:30", 1_772_323_200), ("1969-12-31T23:59:59Z", -1),
    ] as [(String, Int64)])
  func forms(text: String, seconds: Int64) throws {
    #expect(try Instant.parse(text) == seconds)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "2026-03-01", "2026-03-01T00:00:00", "2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z",
      "2026-03-01T00:00:00.Z", "1772323200", "2026-03-01T00:00:00Zx",
    ])
  func refused(text: String) {
    #expect(throws: InstantError.self) { try Instant.parse(text) }
  }

  @Test("text and parse are inverse over two centuries")
  func inverse() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<5000 {
      let seconds = Int64(random.next() % 6_311_433_600) - 3_155_716_800
      #expect(try Instant.parse(Instant.text(seconds)) == seconds, "seed 11")
    }
  }

  @Test(
    "days follow each other without a gap, daylight saving included",
    arguments: [
      "UTC", "Europe/Amsterdam", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Apia", "Africa/Cairo",
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
