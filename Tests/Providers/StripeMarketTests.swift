import Foundation
import HTTP
import Landing
import Logging
import Marketplace
import Settings
import Testing

@testable import Providers

@Suite("A synthetic marketplace, pulled") struct StripeMarketTests {
  /// What two nights of a market land, by stream, each record once; and how often was asked.
  private func pull(_ market: Market, faults: FaultPlan) async throws -> (lines: [String: Set<String>], requests: Int) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("market-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let landing = Landing(directory: folder)
    let endpoint = StripeEndpoint(key: stripeKey, faults: faults)
    market.fill(endpoint)
    let baseURL = try await endpoint.start()
    var configuration = StripeConfiguration(name: "stripe", apiKey: Secret(stripeKey), baseURL: baseURL)
    configuration.retry = RetryPolicy(timeout: .seconds(60))
    let waiting = Waiting(sleep: { _ in }, jitter: { 1 }, now: { dayEnd })
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let stripe = try Stripe(configuration, waiting: waiting, logger: quiet)
    for night in 1...2 {
      endpoint.night = night
      let end = market.plan.end(of: night)
      let order = PullOrder(rangeFrom: night == 1 ? market.plan.startsAt : end - day, rangeTo: end, now: end + 3600)
      let outcome = await stripe.pull(order, into: landing)
      #expect(outcome.incomplete == [], "\(outcome)")
    }
    var lines: [String: Set<String>] = [:]
    for manifest in try landing.manifests() where manifest.stream != "balances" {
      try landing.read(manifest) { line, _ in
        lines[manifest.stream, default: []].insert(String(decoding: line, as: UTF8.self))
      }
    }
    let requests = endpoint.requests.count
    await endpoint.stop()
    return (lines, requests)
  }

  @Test("through errors, cut bodies and duplicates the same records land, and nothing personal")
  func sameThroughFaults()
    async throws
  {
    let market = try Market.generate(MarketPlan(seed: 7, orders: 300, faults: 60))
    let calm = try await pull(market, faults: FaultPlan())
    let rough = try await pull(market, faults: FaultPlan(everyNth: 5))
    #expect(calm.lines == rough.lines)
    #expect((calm.lines["charges"]?.count ?? 0) > 300)
    for trace in Market.personalTraces {
      #expect(!calm.lines.values.contains { $0.contains { $0.contains(trace) } }, "\(trace)")
    }
    #expect(calm.requests < 250, "\(calm.requests) requests")
  }
}
