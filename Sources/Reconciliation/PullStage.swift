import Foundation
import HTTP
import Landing
import Logging
import OrderSources
import Providers
import Settings
import Storage

/// The only stage with network access: pulls every provider's records and the orders into the landing zone
/// concurrently.
struct PullStage {
  let landing: Landing
  let providers: [any Provider]
  let orders: [any OrderSource]
  let rangeFrom: Int64
  let rangeTo: Int64
  let now: Int64
  let progress: @Sendable (_ source: String, _ stream: String, _ objects: Int) -> Void
  var waiting = Waiting.real
  var logger = Logger(label: "crossfoot")

  /// The results, by provider and by order source.
  struct Outcome {
    var providers: [String: PullOutcome] = [:]
    var orders: [String: OrderPullOutcome] = [:]
  }

  /// - Parameters:
  ///   - open: records that earlier nights left open, by provider and stream.
  ///   - settled: records that need not be requested again, by provider and stream.
  /// - Throws: an error that refuses an order source as a whole.
  func run(open: [String: [String: [String]]], settled: [String: [String: Set<String>]]) async throws -> Outcome {
    var outcome = Outcome()
    var away: [any OrderSource] = []
    for source in orders {
      if RunDeadline.instant != nil, await source.outage() != nil {
        away.append(source)
        continue
      }
      outcome.orders[source.name] = try await pull(source)
    }
    try await withThrowingTaskGroup(of: Pulled.self) { group in
      for source in away {
        group.addTask {
          await outlast(source)
          return .orders(source.name, try await pull(source))
        }
      }
      for provider in providers {
        let progress = progress
        let known = settled[provider.name] ?? [:]
        let order = PullOrder(
          rangeFrom: rangeFrom, rangeTo: rangeTo, now: now, open: open[provider.name] ?? [:],
          isKnown: { known[$0]?.contains($1) ?? false },
          progress: { progress(provider.name, $0, $1) })
        group.addTask { .provider(provider.name, await provider.pull(order, into: landing)) }
      }
      for try await pulled in group {
        switch pulled {
        case .provider(let name, let pulled): outcome.providers[name] = pulled
        case .orders(let name, let pulled): outcome.orders[name] = pulled
        }
      }
    }
    return outcome
  }

  private enum Pulled: Sendable {
    case provider(String, PullOutcome)
    case orders(String, OrderPullOutcome)
  }

  private func pull(_ source: any OrderSource) async throws -> OrderPullOutcome {
    try await source.pull(rangeFrom: rangeFrom, rangeTo: rangeTo, now: now, into: landing)
  }

  /// Time between two attempts to reach a source that is down.
  private static let outageWait = Duration.seconds(30)

  /// Waits, while the providers are read, until the source can be reached or the run's deadline has passed.
  private func outlast(_ source: any OrderSource) async {
    while let remaining = RunDeadline.remaining(at: waiting.now()), remaining > .zero,
      let reason = await source.outage()
    {
      let wait = min(Self.outageWait, remaining)
      logger.info("\(source.name): \(reason); asking again in \(wait.components.seconds) s, until the deadline")
      do { try await waiting.sleep(wait) } catch { return }
    }
  }
}
