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

  @Test("What another attempt would not bring is not waited for longer, and after the deadline no one is asked")
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
    "So it is over SFTP: an outage is waited out up to the deadline, and after it nothing is asked",
    .enabled(if: LocalSFTP.isInstalled, "sshd is not installed: scripts/setup test"))
  func sftp() async throws {
    let closed = try ClosedPort()
    try await LocalSFTP.with { server in
      let clock = TestClock(1_000)
      let client = try SFTPClient(
        url: "sftp://someone@127.0.0.1:\(closed.baseURL.split(separator: ":").last ?? "")/inbox",
        key: server.makeKey("ed25519", named: "user"),
        knownHosts: server.knownHosts(), retry: RetryPolicy(attempts: 2), waiting: clock.waiting, logger: quiet)
      func ask() async -> SFTPError? {
        do {
          _ = try await client.list()
          return nil
        } catch { return error as? SFTPError }
      }
      let error = await RunDeadline.$instant.withValue(1_200) { await ask() }
      guard let error, case .deadlineReached(_, let cause?) = error else {
        Issue.record("\(String(describing: error))"); return
      }
      #expect(
        cause.contains("no answer over SFTP") && !error.isUnreachable
          && error.description.contains("the run's deadline was reached"))
      #expect(clock.now == 1_200 && clock.waits.count > 5, "\(clock.waits)")
      let late = await RunDeadline.$instant.withValue(1_000) { await ask() }
      guard case .deadlineReached(_, nil)? = late else { Issue.record("\(String(describing: late))"); return }
      #expect(await ask()?.isUnreachable == true, "without a deadline the policy's attempts are all")
    }
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

  var waiting: Waiting {
    Waiting(
      sleep: { [self] wait in
        state.withLock {
          $0.now += max(1, wait.components.seconds)
          $0.waits.append(wait)
        }
      }, jitter: { 1 }, now: { [self] in now })
  }

  func client(_ url: String, attempts: Int) throws -> HTTPClient {
    try HTTPClient(baseURL: url, retry: RetryPolicy(attempts: attempts), waiting: waiting, logger: quiet)
  }

  func ask(_ client: HTTPClient) async -> HTTPError? {
    do {
      _ = try await client.get(HTTPRequest(url: "/", label: "stripe charges"))
      return nil
    } catch { return error as? HTTPError }
  }
}
