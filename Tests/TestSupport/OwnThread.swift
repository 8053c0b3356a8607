import Dispatch
import Testing

/// Runs every case of a test on a thread of its own.
///
/// All tests share one process, whose common pool has as many threads as there are processors. The local servers answer
/// on that pool (FlyingFox starts its loop as an unstructured task, which takes no executor along). Two cases that
/// compute for minutes on it keep every other test's server from answering until its client gives up.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.run { try await function() }
  }

  /// Runs the body, and what it starts and waits for, on a thread of its own.
  package static func run<R: Sendable>(_ body: @Sendable () async throws -> R) async rethrows -> R {
    try await withTaskExecutorPreference(ThreadExecutor(), operation: body)
  }
}

extension Trait where Self == OwnThread {
  /// For whatever reconciles in the process of the tests, or waits for a program.
  package static var onItsOwnThread: Self { Self() }
}

/// One job after another, on a thread that is nobody else's.
private final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "crossfoot.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
