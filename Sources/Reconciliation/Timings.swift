import Foundation
import Logging
import Payments

/// How long each stage took, in elapsed time and processor time.
struct Timings {
  /// Logs at level debug when a stage begins and when it ends.
  var logger: Logger?

  /// One stage: elapsed milliseconds, and milliseconds of processor time of the whole process meanwhile.
  struct Stage {
    let name: String
    fileprivate(set) var milliseconds: Int64
    fileprivate(set) var processorMilliseconds: Int64
  }
  private(set) var stages: [Stage] = []

  /// The beginning of a stage.
  struct Mark {
    fileprivate let clock = ContinuousClock.now
    fileprivate let processor = Timings.processorMilliseconds
  }

  @discardableResult
  mutating func measure<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
    tellStart(of: name)
    let mark = Mark()
    defer { add(name, since: mark) }
    return try body()
  }

  mutating func measure<R>(_ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R)
    async rethrows -> R
  {
    tellStart(of: name)
    let mark = Mark()
    let result = try await body()
    add(name, since: mark)
    return result
  }

  mutating func add(_ name: String, since mark: Mark) {
    let (seconds, attoseconds) = (ContinuousClock.now - mark.clock).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let processor = Timings.processorMilliseconds - mark.processor
    // A stage that is processed in batches counts as one.
    let place = stages.firstIndex { $0.name == name } ?? stages.count
    if place == stages.count { stages.append(Stage(name: name, milliseconds: 0, processorMilliseconds: 0)) }
    stages[place].milliseconds += milliseconds
    stages[place].processorMilliseconds += processor
    logger?.debug("stage \(name): ended after \(Money.decimalText(milliseconds, digits: 3)) s")
  }

  /// Logs the start once, even if the stage is processed in batches.
  private func tellStart(of name: String) {
    if !stages.contains(where: { $0.name == name }) { logger?.debug("stage \(name): begins") }
  }

  /// User and system time of the process so far.
  private static var processorMilliseconds: Int64 {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + Int64(
      usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
      / 1000
  }
}
