import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("The deadline of a run")
struct RunDeadlineTests {
  @Test("A network outage is waited out up to the deadline, however many attempts that takes")
  func outage() async throws {
    let clock = TestClock(1_000)
    let closed = try ClosedPort()
    let client = try clock.client(closed.baseURL, attempts: 2)
    let error = await RunDeadline.$instant.withValue(1_200) { await clock.ask(client) }
    guard case .deadlineReached(_, let cause?) = error else { Issue.record("\(String(describing: error))"); return }
    #expect(cause.contains("127.0.0.1 could not be reached") && error?.isUnreachable == false)
    #expect(clock.now == 1_200 && clock.waits.count > 5, "\(clock.waits)")
    let impatient = await clock.ask(client)
    #expect(impatient?.isUnreachable == true, "without a deadline the policy's attempts are all")
  }

  @Test("What another attempt would not bring is not waited for longer, and after the deadline nobody is asked")
  func others() async throws {
    let clock = TestClock(1_000)
    let server = try await LoopbackServer { _ in .json("no", status: 502) }
    let client = try clock.client(server.baseURL, attempts: 2)
    let error = await RunDeadline.$instant.withValue(5_000) { await clock.ask(client) }
    guard case .serverError = error else { Issue.record("\(String(describing: error))"); return }
    #expect(server.asked.count == 2)
    let late = await RunDeadline.$instant.withValue(1_000) { await clock.ask(client) }
    #expect(late == .deadlineReached(label: "stripe charges", cause: nil) && server.asked.count == 2)
    #expect(late?.description.contains("the run's deadline was reached") == true)
  }

  @Test("A wait that was asked for ends at the deadline")
  func asked() async throws {
    let clock = TestClock(1_000)
    let server = try await LoopbackServer { _ in .whole(429, headers: ["Retry-After": "250"], body: "") }
    let client = try clock.client(server.baseURL, attempts: 8)
    let error = await RunDeadline.$instant.withValue(1_100) { await clock.ask(client) }
    #expect(error == .deadlineReached(label: "stripe charges", cause: "stripe charges: too many requests, status 429"))
    #expect(clock.waits == [.seconds(100)] && server.asked.count == 1)
  }

  @Test(
    "A repetition is logged in plain numbers",
    arguments: [
      (Duration.milliseconds(579), 3, "retrying in 0.6 s (attempt 3 of 8)"),
      (.seconds(5), 8, "retrying in 5.0 s (attempt 8 of 8)"),
      (.milliseconds(1_950), 2, "retrying in 2.0 s (attempt 2 of 8)"),
      (.seconds(30), 12, "retrying in 30.0 s (attempt 12, until the deadline)"),
    ])
  func words(wait: Duration, attempt: Int, expected: String) {
    #expect(Repetition(wait: wait, attempt: attempt, limit: 8).words == expected)
  }
}

/// A clock that waits move on.
private final class TestClock: Sendable {
  private let state: Mutex<(now: Int64, waits: [Duration])>
  init(_ now: Int64) { state = Mutex((now, [])) }
  var now: Int64 { state.withLock { $0.now } }
  var waits: [Duration] { state.withLock { $0.waits } }

  func client(_ url: String, attempts: Int) throws -> HTTPClient {
    let waiting = Waiting(
      sleep: { [self] wait in
        state.withLock {
          $0.now += max(1, wait.components.seconds)
          $0.waits.append(wait)
        }
      }, jitter: { 1 }, now: { [self] in now })
    return try HTTPClient(baseURL: url, retry: RetryPolicy(attempts: attempts), waiting: waiting, logger: quiet)
  }

  func ask(_ client: HTTPClient) async -> HTTPError? {
    do {
      _ = try await client.get(HTTPRequest(url: "/", label: "stripe charges"))
      return nil
    } catch { return error as? HTTPError }
  }
}
