/// How persistently a provider is contacted: attempts, waits and time limits.
package struct RetryPolicy: Sendable {
  /// Attempts in all, at least 1.
  package var attempts: Int
  /// No single wait is longer, whatever `Retry-After` says.
  package var waitAtMost: Duration
  /// A whole attempt, from the name's resolution to the body's last byte.
  package var timeout: Duration
  /// Until the connection is established.
  package var connectTimeout: Duration
  /// Silence on an open connection.
  package var silenceTimeout: Duration
  /// The largest body taken, in bytes after decoding: ten times the largest page of a list that any provider serves.
  package var bodyLimit: Int

  /// The defaults are those of Stripe's own clients (80 s), and eight attempts.
  package init(
    attempts: Int = 8, waitAtMost: Duration = .seconds(300), timeout: Duration = .seconds(80),
    connectTimeout: Duration = .seconds(30), silenceTimeout: Duration = .seconds(60), bodyLimit: Int = 32 << 20
  ) {
    self.attempts = max(1, attempts)
    self.waitAtMost = waitAtMost
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.silenceTimeout = silenceTimeout
    self.bodyLimit = bodyLimit
  }

  /// The wait after the given failed attempt (from 1): 0.5 s doubled up to 5 s, times the jitter, never below 0.5 s;
  /// at least what the server asked for.
  package func wait(after attempt: Int, asked: Duration?, jitter: Double) -> Duration {
    let doubled = min(0.5 * Double(1 << min(attempt - 1, 10)), 5)
    let own = Duration.seconds(max(0.5, doubled * jitter))
    return min(max(own, asked ?? .zero), waitAtMost)
  }
}

/// Where a client's waits, random numbers and clock come from, so that tests neither sleep nor depend on them.
package struct Waiting: Sendable {
  /// Waits; throws when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A factor in 0.5…1 for each wait.
  package var jitter: @Sendable () -> Double
  /// Unix seconds, to read a `Retry-After` that is a date.
  package var now: @Sendable () -> Int64

  /// Custom waits, e.g. for tests.
  package init(
    sleep: @escaping @Sendable (Duration) async throws -> Void, jitter: @escaping @Sendable () -> Double,
    now: @escaping @Sendable () -> Int64
  ) {
    self.sleep = sleep
    self.jitter = jitter
    self.now = now
  }
}
