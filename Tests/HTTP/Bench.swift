import HTTP
import Logging
import Synchronization
import TestSupport

/// A logger that says nothing.
let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A client and the loopback server it asks; its waits are remembered and not waited for.
final class Bench: Sendable {
  let server: LoopbackServer
  let client: HTTPClient
  private let waited = Waits()

  init(
    attempts: Int = 8, timeout: Duration = .seconds(20), bodyLimit: Int = 1 << 20, connections: Int = 4,
    shouldRetry: @escaping @Sendable (HTTPResponse) -> Bool? = { _ in nil },
    _ answer: @escaping @Sendable (LoopbackServer.Asked) async -> LoopbackServer.Reply
  ) async throws {
    server = try await LoopbackServer(answer)
    let waited = waited
    client = try HTTPClient(
      baseURL: server.baseURL, retry: RetryPolicy(attempts: attempts, timeout: timeout, bodyLimit: bodyLimit),
      connections: connections,
      waiting: Waiting(sleep: { waited.add($0) }, jitter: { 1 }, now: { 784_111_777 }), logger: quiet,
      shouldRetry: shouldRetry)
  }

  /// Answers with the replies in their order; the last one stays.
  convenience init(
    replies: [LoopbackServer.Reply], shouldRetry: @escaping @Sendable (HTTPResponse) -> Bool? = { _ in nil }
  ) async throws {
    let count = Gauge()
    try await self.init(shouldRetry: shouldRetry) { _ in replies[min(count.enter(), replies.count) - 1] }
  }

  /// The waits so far.
  var waits: [Duration] { waited.all }

  @discardableResult
  func get(_ url: String, fault: (@Sendable (HTTPResponse) -> String?)? = nil) async throws -> HTTPResponse {
    try await client.get(
      HTTPRequest(
        url: url, headers: [("Accept", "application/json")],
        secretHeaders: [("Authorization", "Bearer sk_test_verysecret")],
        label: "stripe charges", bodyFault: fault))
  }
}

/// Remembers waits.
final class Waits: Sendable {
  private let list = Mutex<[Duration]>([])
  var all: [Duration] { list.withLock { $0 } }
  func add(_ wait: Duration) { list.withLock { $0.append(wait) } }
}

/// Counts who is inside, and the most there ever were.
final class Gauge: Sendable {
  private let counts = Mutex((now: 0, highest: 0))
  var highest: Int { counts.withLock { $0.highest } }

  @discardableResult func enter() -> Int {
    counts.withLock {
      $0.now += 1
      $0.highest = max($0.highest, $0.now)
      return $0.now
    }
  }

  func leave() { counts.withLock { $0.now -= 1 } }
}
