import Dispatch

/// A dedicated thread for a server: long computations in the same process would otherwise keep it from answering until
/// its client gives up.
package final class ServerExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "crossfoot.endpoint")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
