import Foundation

/// A few dedicated threads for blocking transfers, so that Swift's cooperative pool never waits for a network.
///
/// Threads start when work arrives and none is idle, at most `limit`; each keeps its connections. They end with the
/// pool.
final class TransferPool: Sendable {
  private let queue: TransferQueue

  init(limit: Int) { queue = TransferQueue(limit: max(1, limit)) }

  deinit { queue.close() }

  /// Does one attempt; a cancelled task ends it within about a second.
  func perform(_ transfer: Transfer) async -> TransferResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.await(continuation)
        if queue.enqueue(transfer) { startThread() }
      }
    } onCancel: {
      transfer.cancel()
    }
  }

  private func startThread() {
    let queue = queue
    Thread.detachNewThread {
      let handle = EasyHandle()
      while let transfer = queue.next() { transfer.finish(handle.perform(transfer)) }
    }
  }
}

/// The transfers waiting for a thread, guarded by a condition.
private final class TransferQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let limit: Int
  private var waiting: [Transfer] = []
  private var idle = 0
  private var threads = 0
  private var isClosed = false

  init(limit: Int) { self.limit = limit }

  /// Adds a transfer; true when another thread should be started for it.
  func enqueue(_ transfer: Transfer) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    waiting.append(transfer)
    condition.signal()
    guard idle < waiting.count, threads < limit else { return false }
    threads += 1
    return true
  }

  /// The next transfer, waiting for one; nil when the pool is gone.
  func next() -> Transfer? {
    condition.lock()
    defer { condition.unlock() }
    idle += 1
    while waiting.isEmpty && !isClosed { condition.wait() }
    idle -= 1
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }
}
