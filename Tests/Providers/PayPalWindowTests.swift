import Foundation
import Landing
import Testing

@testable import Providers

@Suite("Which window a night asks PayPal for") struct PayPalWindowTests {
  private let day: Int64 = 86_400
  private let dayEnd: Int64 = 1_772_496_000

  @Test("once a week the window goes back 35 days, from the first week on as far as coverage reaches")
  func weekly() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("paypal-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let landing = Landing(directory: folder)
    var (deep, reached): ([Int64], [Int64]) = ([], [])
    for number in 0..<Int64(50) {
      let window = PayPalWindow(
        rangeFrom: dayEnd + (number - 1) * day, rangeTo: dayEnd + number * day, now: dayEnd + number * day + 600,
        lookBack: 3 * day,
        history: PayPalHistory(try landing.manifests(), provider: "paypal"))
      if window.from < window.coversFrom - 3 * day {
        deep.append(number)
        reached.append((window.to - window.from) / day)
      }
      let pull = StreamPull(
        provider: "paypal", stream: PayPalStream.reporting.rawValue, request: "", windowFrom: window.from,
        windowTo: window.to,
        coversFrom: window.coversFrom, watermark: dayEnd + number * day, rangeFrom: window.coversFrom,
        rangeTo: dayEnd + number * day)
      _ = try landing.open(pull, observedAt: window.to).finish(complete: true)
    }
    #expect(deep == [10, 17, 24, 31, 38, 45], "the first nights reach back to the beginning by themselves")
    #expect(reached == [11, 18, 25, 32, 35, 35], "days: since coverage began, 35 at most")
  }
}
