import Foundation
import HTTP
import Landing
import OrderSources
import Synchronization
import Testing

@testable import Reconciliation

@Suite("An order database that is away")
struct OrderOutageTests {
  /// A source that comes back once it was asked for that often.
  private final class Source: OrderSource {
    let name = "warehouse"
    let streams: Set<String> = ["orders"]
    private let looks: Mutex<Int>

    init(awayFor looks: Int) { self.looks = Mutex(looks) }

    func outage() async -> String? {
      looks.withLock { left in
        left -= 1
        return left >= 0 ? "connection refused" : nil
      }
    }

    func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) async throws -> OrderPullOutcome {
      looks.withLock { left in
        left < 0 ? OrderPullOutcome(rows: 1) : OrderPullOutcome(isComplete: false, reason: "connection refused")
      }
    }
  }

  private func pull(_ source: Source, deadline: Int64?) async throws -> (outcome: OrderPullOutcome, waits: [Int64]) {
    let clock = Mutex<(now: Int64, waits: [Int64])>((1_000, []))
    let waiting = Waiting(
      sleep: { wait in
        clock.withLock { clock in
          clock.now += wait.components.seconds
          clock.waits.append(wait.components.seconds)
        }
      }, jitter: { 1 }, now: { clock.withLock { $0.now } })
    var stage = PullStage(
      landing: Landing(directory: NSTemporaryDirectory() + UUID().uuidString), providers: [], orders: [source],
      rangeFrom: 0, rangeTo: 1_000,
      now: 1_000, progress: { _, _, _ in })
    stage.waiting = waiting
    let outcome = try await RunDeadline.$instant.withValue(deadline) { try await stage.run(open: [:], settled: [:]) }
    return (try #require(outcome.orders["warehouse"]), clock.withLock { $0.waits })
  }

  @Test("With a deadline it is waited for and then read in full")
  func comesBack() async throws {
    let (outcome, waits) = try await pull(Source(awayFor: 4), deadline: 2_000)
    #expect(outcome.isComplete && outcome.rows == 1)
    #expect(waits == [30, 30, 30])
  }

  @Test("One that stays away is incomplete at the deadline")
  func staysAway() async throws {
    let (outcome, waits) = try await pull(Source(awayFor: 1_000), deadline: 1_100)
    #expect(!outcome.isComplete && outcome.reason == "connection refused")
    #expect(waits == [30, 30, 30, 10])
  }

  @Test("Without a deadline nothing is waited for")
  func noDeadline() async throws {
    let (outcome, waits) = try await pull(Source(awayFor: 3), deadline: nil)
    #expect(!outcome.isComplete && waits.isEmpty)
  }
}
