import Foundation
import Landing
import OrderSources
import Providers
import Settings
import Storage

/// The only stage with a network: brings every provider's records and the orders into the landing zone, side by side.
struct PullStage {
  let landing: Landing
  let providers: [any Provider]
  let orders: [any OrderSource]
  let rangeFrom: Int64
  let rangeTo: Int64
  let now: Int64
  let progress: @Sendable (_ source: String, _ stream: String, _ objects: Int) -> Void

  /// How it went: by provider, and by order source.
  struct Outcome {
    var providers: [String: PullOutcome] = [:]
    var orders: [String: OrderPullOutcome] = [:]
  }

  /// - Parameters:
  ///   - open: what earlier nights left open, by provider and stream.
  ///   - settled: what need not be asked for again, the same way.
  /// - Throws: what refuses an order source as a whole.
  func run(open: [String: [String: [String]]], settled: [String: [String: Set<String>]]) async throws -> Outcome {
    var outcome = Outcome()
    for source in orders {
      outcome.orders[source.name] = try await source.pull(rangeFrom: rangeFrom, rangeTo: rangeTo, now: now, into: landing)
    }
    try await withThrowingTaskGroup(of: (String, PullOutcome).self) { group in
      for provider in providers {
        let progress = progress
        let known = settled[provider.name] ?? [:]
        let order = PullOrder(
          rangeFrom: rangeFrom, rangeTo: rangeTo, now: now, open: open[provider.name] ?? [:],
          isKnown: { known[$0]?.contains($1) ?? false },
          progress: { progress(provider.name, $0, $1) })
        group.addTask { (provider.name, await provider.pull(order, into: landing)) }
      }
      for try await (name, pulled) in group { outcome.providers[name] = pulled }
    }
    return outcome
  }
}
