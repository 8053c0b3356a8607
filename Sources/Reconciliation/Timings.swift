import Foundation
import Logging
import Payments

/// How long each stage took, on the clock and on the processors.
struct Timings {
  /// Logged, at level debug, for each stage when it begins and when it ends.
  var logger: Logger?

  /// One stage: milliseconds that passed, and milliseconds of processor time of the whole program meanwhile.
  struct Stage {
    let name: String
    fileprivate(set) var milliseconds: Int64
    fileprivate(set) var processorMilliseconds: Int64
  }
  private(set) var stages: [Stage] = []

  /// Where a stage began.
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
    // A stage that is worked through in batches is one.
    let place = stages.firstIndex { $0.name == name } ?? stages.count
    if place == stages.count { stages.append(Stage(name: name, milliseconds: 0, processorMilliseconds: 0)) }
    stages[place].milliseconds += milliseconds
    stages[place].processorMilliseconds += processor
    logger?.debug("stage \(name): ended after \(Money.decimalText(milliseconds, digits: 3)) s")
  }

  /// Once, also of a stage that is worked through in batches.
  private func tellStart(of name: String) {
    if !stages.contains(where: { $0.name == name }) { logger?.debug("stage \(name): begins") }
  }

  /// User and system time of the program so far.
  private static var processorMilliseconds: Int64 {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + Int64(
      usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
      / 1000
  }
}
