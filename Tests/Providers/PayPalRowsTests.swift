import TestSupport
import Testing

@testable import Providers

@Suite("PayPal's report, window by window") struct PayPalRowsTests {
  @Test("24,500 rows in 31 days come in windows of at most 10,000, each once") func tooLarge() async throws {
    let night = try await PayPalNight { $0.lookBack = 0 }
    let start = dayEnd - 31 * day
    for number in 0..<24_500 { night.shelf.row("R\(number)", at: start + Int64(number) * 109) }
    let outcome = try await night.pull(days: 31)
    #expect(outcome.incomplete == [])
    let ids = try night.rowIDs()
    #expect(ids.count == 24_500 && Set(ids).count == 24_500)
    let spans = night.windows.compactMap { asked in
      (try? PayPalInstant.parse(asked["end_date"] ?? "")).flatMap { end in
        (try? PayPalInstant.parse(asked["start_date"] ?? "")).map { end - $0 }
      }
    }
    #expect(spans.contains(31 * day) && spans.contains(31 * day / 2) && spans.allSatisfy { $0 <= 31 * day })
  }

  @Test("however rows lie and however few a window may have, none is lost or doubled at a seam", arguments: 1...12)
  func seams(seed: Int) async throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let most = Int.random(in: 3...9, using: &dice)
    let night = try await PayPalNight(mostRows: most) { $0.lookBack = 0 }
    var moment = dayEnd - day
    var wanted: Set<String> = []
    // No second may hold more than a window; many hold several, and neighbours fill it together.
    while moment < dayEnd && wanted.count < 150 {
      for _ in 0..<Int.random(in: 1...most, using: &dice) {
        let id = "R\(wanted.count)"
        night.shelf.row(id, at: moment)
        wanted.insert(id)
      }
      moment += Bool.random(using: &dice) ? 1 : Int64.random(in: 1...3_000, using: &dice)
    }
    let outcome = try await night.pull()
    #expect(
      outcome.of(paypal: .reporting)?.isComplete == true,
      "seed \(seed): \(outcome.of(paypal: .reporting)?.reason ?? "")")
    let ids = try night.rowIDs()
    #expect(Set(ids) == wanted && ids.count == wanted.count, "seed \(seed)")
  }

  @Test("a second with more rows than a window may have leaves the stream incomplete, and says so") func second()
    async throws
  {
    let night = try await PayPalNight(mostRows: 5)
    for number in 0..<6 { night.shelf.row("R\(number)", at: dayEnd - 100) }
    let reason = try await night.pull().of(paypal: .reporting)?.reason
    #expect(reason?.contains("the window is one second long") == true)
  }

  @Test("the watermark is where PayPal's report ends") func watermark() async throws {
    let night = try await PayPalNight(refreshedAt: dayEnd - 7_200)
    let outcome = try await night.pull()
    #expect(outcome.of(paypal: .reporting)?.isComplete == true)
    #expect(try night.manifest(.reporting)?.knownUntil == dayEnd - 7_200)
    _ = try await night.pull(end: dayEnd + day)
    #expect(try night.manifest(.reporting)?.pull.coversFrom == dayEnd - 7_200)
  }

  @Test("a report that does not say how old it is is believed up to three hours ago") func noWatermark() async throws {
    let night = try await PayPalNight(refreshedAt: nil)
    _ = try await night.pull()
    #expect(try night.manifest(.reporting)?.knownUntil == dayEnd + 600 - 10_800)
  }

  @Test("hours that are not served yet are not zero rows, with 400 and with 404", arguments: [400, 404]) func notServed(
    status: Int
  ) async throws {
    let served = dayEnd - 5 * 3_600
    let night = try await PayPalNight { asked, _ in
      guard asked.path == "/v1/reporting/transactions",
        let to = asked["end_date"].flatMap({ try? PayPalInstant.parse($0) }), to > served
      else { return nil }
      return .json(
        #"{"name":"INVALID_REQUEST","message":"Data for the given start date is not available."}"#, status: status)
    }
    night.shelf.row("EARLY", at: served - 3_600)
    let outcome = try await night.pull()
    #expect(outcome.of(paypal: .reporting)?.isComplete == false)
    #expect(outcome.of(paypal: .reporting)?.reason?.contains("PayPal does not serve these hours yet") == true)
    #expect(try night.rowIDs() == ["EARLY"])
    let known = try #require(try night.manifest(.reporting)?.knownUntil)
    #expect(known <= served && known > served - 1_800)
  }

  @Test("a page that is no JSON as a whole keeps its other rows") func brokenRow() async throws {
    let night = try await PayPalNight { asked, _ in
      guard asked.path == "/v1/reporting/transactions" else { return nil }
      let sound = #"{"transaction_info":{"transaction_id":"SOUND%","transaction_event_code":"T0006"}}"#
      let deep =
        #"{"transaction_info":{"transaction_id":"DEEP","x":"# + String(repeating: "[", count: 90)
        + String(repeating: "]", count: 90) + "}}"
      let rows = [
        sound.replacing("%", with: "1"), #"{"transaction_info":{"transaction_id":"BAD",}}"#, deep,
        sound.replacing("%", with: "2"),
      ]
      return .json(
        #"{"transaction_details":[\#(rows.joined(separator: ","))],"account_number":"MERCHANT7","total_pages":1}"#)
    }
    _ = try await night.pull()
    let lines = try night.lines(.reporting)
    #expect(lines.count == 4)
    #expect(
      lines.filter { $0.contains("SOUND") }.count == 2 && lines.filter { $0.contains(#"{"unreadable":"#) }.count == 2)
    #expect(try night.lines(.account) == [#"{"id":"MERCHANT7"}"#])
  }

  @Test("nothing about a person lands") func privacy() async throws {
    let night = try await PayPalNight()
    night.shelf.row("CAP1", at: dayEnd - 100)
    let outcome = try await night.pull()
    let everything = try night.everything(outcome)
    #expect(!everything.contains("Rosen") && !everything.contains("example.com"))
    #expect(try night.lines(.reporting).first?.contains("O-CAP1") == true)
  }

  @Test("an interrupted pull goes on where its last page ended") func resume() async throws {
    let isBroken = Switch()
    isBroken.isOn = true
    let night = try await PayPalNight({ ($0.pageSize, $0.lookBack) = (10, 40 * day) }) { asked, _ in
      guard isBroken.isOn, asked.path == "/v1/reporting/transactions",
        let from = asked["start_date"].flatMap({ try? PayPalInstant.parse($0) }),
        from > dayEnd - 20 * day
      else { return nil }
      return .silence
    }
    for number in 0..<50 { night.shelf.row("R\(number)", at: dayEnd - 41 * day + Int64(number) * 60_000) }
    let pull = Task { try await night.pull() }
    while night.windows.count < 6 { await Task.yield() }
    pull.cancel()
    _ = try await pull.value
    isBroken.isOn = false
    let before = night.windows.count
    let outcome = try await night.pull(now: dayEnd + 700)
    #expect(outcome.of(paypal: .reporting)?.isComplete == true)
    #expect(Set(try night.rowIDs()).count == 50)
    let again = try #require(night.windows.dropFirst(before).first?["start_date"])
    #expect(try PayPalInstant.parse(again) > dayEnd - 41 * day)
  }
}
