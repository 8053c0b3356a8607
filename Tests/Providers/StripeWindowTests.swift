import Foundation
import Landing
import Testing
import TestSupport

@testable import Providers

@Suite("Which window a night asks Stripe for") struct StripeWindowTests {
  private let hour: Int64 = 3600

  @Test("the first night asks for its day, two hours before it, and up to now") func first() async throws {
    let night = try await StripeNight()
    _ = try await night.pull()
    let pull = try #require(try night.manifest(.charges)).pull
    #expect(pull.windowFrom == dayEnd - day - 2 * hour && pull.windowTo == dayEnd + 600)
    #expect(pull.coversFrom == dayEnd - day && pull.watermark == dayEnd)
  }

  @Test("a night after a pause goes on where the last one ended") func pause() async throws {
    let night = try await StripeNight()
    _ = try await night.pull()
    _ = try await night.pull(end: dayEnd + 5 * day)
    let pull = try #require(try night.manifest(.charges)).pull
    #expect(pull.windowFrom == dayEnd + 600 - 2 * hour && pull.coversFrom == dayEnd + 600)
    #expect(pull.watermark == dayEnd + 5 * day)
  }

  @Test("a range that is not over claims only what is older than the lag") func running() async throws {
    let night = try await StripeNight()
    _ = try await night.pull(end: dayEnd, now: dayEnd - 100)
    #expect(try night.manifest(.charges)?.pull.watermark == dayEnd - 400)
  }

  @Test("an older range is asked for again by itself") func older() async throws {
    let night = try await StripeNight()
    _ = try await night.pull()
    _ = try await night.pull(end: dayEnd + day)
    _ = try await night.pull(end: dayEnd, now: dayEnd + 3 * day)
    let pull = try #require(try night.landing.manifests().last { $0.stream == "charges" }).pull
    #expect(pull.windowFrom == dayEnd - day - 2 * hour && pull.windowTo == dayEnd && pull.coversFrom == dayEnd - day)
    #expect(try night.lines(.balances).last?.contains(#""settled":false"#) == true)
  }

  @Test("S29: a row that becomes visible late is picked up the next night, once") func late() async throws {
    let night = try await StripeNight()
    night.shelf.row("txn_1", created: dayEnd - 50, source: nil)
    _ = try await night.pull(now: dayEnd + 60)
    night.shelf.row("txn_2", created: dayEnd - 2, source: nil)
    _ = try await night.pull(end: dayEnd + day, now: dayEnd + day + 60)
    #expect(try night.ids(.balanceTransactions).filter { $0 == "txn_2" }.count == 1)
    _ = try await night.pull(end: dayEnd + 2 * day, now: dayEnd + 2 * day + 60)
    #expect(try night.ids(.balanceTransactions).filter { $0 == "txn_2" }.count == 1)
  }

  @Test("once a week the window goes back 45 days, from the first week on as far as coverage reaches") func weekly()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stripe-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let landing = Landing(directory: folder)
    var (deep, reached): ([Int64], [Int64]) = ([], [])
    for number in 0..<Int64(60) {
      let window = StripeWindow(
        rangeFrom: dayEnd + (number - 1) * day, rangeTo: dayEnd + number * day, now: dayEnd + number * day + 600,
        lag: 300,
        lookBack: 2 * hour, history: StripeHistory(try landing.manifests(), provider: "stripe"),
        streams: [.balanceTransactions])
      if number > 0, window.from < window.coversFrom - 2 * hour {
        deep.append(number)
        reached.append((window.to - window.from) / day)
      }
      #expect(window.coversFrom == dayEnd + (number - 1) * day)
      let pull = StreamPull(
        provider: "stripe", stream: "balance_transactions", request: "", windowFrom: window.from, windowTo: window.to,
        coversFrom: window.coversFrom, watermark: window.watermark, rangeFrom: window.coversFrom,
        rangeTo: window.watermark)
      _ = try landing.open(pull, observedAt: window.to).finish(complete: true)
    }
    #expect(deep == [7, 14, 21, 28, 35, 42, 49, 56])
    #expect(reached == [8, 15, 22, 29, 36, 43, 45, 45], "days: since coverage began, 45 at most")
  }

  @Test("a stream that fails keeps its watermark, and once it is back every stream is read again from there")
  func repair()
    async throws
  {
    let isDown = Switch()
    let night = try await StripeNight { asked, _ in
      isDown.isOn && asked.path.hasPrefix("/v1/transfers") ? .json(#"{"error":{}}"#, status: 500) : nil
    }
    _ = try await night.pull()
    try night.learn()
    // Night two: a transfer of long ago is reversed, and transfers cannot be read.
    isDown.isOn = true
    night.shelf.put("transfers", "tr_old", created: dayEnd - 40 * day)
    night.shelf.row("txn_9", created: dayEnd + 100, type: "transfer_refund", source: "tr_old")
    #expect(try await night.pull(end: dayEnd + day).incomplete == ["transfers"])
    try night.learn()
    // Night three: still down; the others' windows do not grow.
    #expect(try await night.pull(end: dayEnd + 2 * day).incomplete == ["transfers"])
    #expect(try night.manifest(.charges)?.pull.coversFrom == dayEnd + day)
    try night.learn()
    isDown.isOn = false
    #expect(try await night.pull(end: dayEnd + 3 * day).incomplete == [])
    #expect(try night.manifest(.transfers)?.pull.coversFrom == dayEnd + 600)
    #expect(try night.manifest(.balanceTransactions)?.pull.coversFrom == dayEnd + 600)
    #expect(try night.ids(.transfers).contains("tr_old"))
  }

  @Test("a stream that never succeeded begins where it should have begun") func neverYet() async throws {
    let isDown = Switch()
    isDown.isOn = true
    let night = try await StripeNight { asked, _ in
      isDown.isOn && asked.path == "/v1/disputes" ? .json(#"{"error":{}}"#, status: 403) : nil
    }
    _ = try await night.pull()
    isDown.isOn = false
    _ = try await night.pull(end: dayEnd + day)
    #expect(try night.manifest(.disputes)?.pull.coversFrom == dayEnd - day)
    #expect(try night.manifest(.disputes)?.complete == true)
  }
}
