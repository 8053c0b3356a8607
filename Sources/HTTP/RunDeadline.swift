/// How long a run waits for providers: a network outage is waited out until then, and no further request is made after
/// it.
package enum RunDeadline {
  /// Unix seconds; nil: a run without a deadline, which makes as many attempts as its retry policy allows.
  @TaskLocal package static var instant: Int64?

  /// The wait between attempts once the policy's own are used up, seconds.
  static let outageWait = Duration.seconds(30)

  /// The time left at a given time, nil without a deadline; never below zero.
  package static func remaining(at now: Int64) -> Duration? { instant.map { .seconds(max(0, $0 - now)) } }
}

extension RetryPolicy {
  /// The same policy with time limits that end no later than the deadline.
  func ending(within remaining: Duration?) -> RetryPolicy {
    guard let remaining else { return self }
    var policy = self
    policy.timeout = min(timeout, remaining)
    policy.connectTimeout = min(connectTimeout, remaining)
    return policy
  }
}

/// Another attempt, as the log describes it.
struct Repetition {
  let wait: Duration
  /// The number of the attempt that follows, from 2.
  let attempt: Int
  /// The attempts that the policy allows.
  let limit: Int

  /// `retrying in 0.6 s (attempt 3 of 8)`.
  var words: String {
    let tenths = (wait.components.seconds * 10_000 + wait.components.attoseconds / 100_000_000_000_000 + 500) / 1_000
    let count = attempt > limit ? "attempt \(attempt), until the deadline" : "attempt \(attempt) of \(limit)"
    return "retrying in \(tenths / 10).\(tenths % 10) s (\(count))"
  }
}
