import Disk
import Files
import Foundation
import TestSupport
import Testing

@testable import Landing

/// Three nights that land and write a log, with one failing call somewhere: what comes after is as if nothing had been.
@Suite struct FaultTests {
  private static let streams = ["balances", "charges", "refunds"]

  /// A night's work, which can be done again: what it finds done it leaves alone.
  private static func work(_ workplace: Workplace, night number: Int) throws {
    let landing = try workplace.landing.forRun(clockInDoubt: nil)
    let from = night - 86_400 + Int64(number) * 86_400
    for stream in streams {
      let pull = StreamPull.charges(stream: stream, windowFrom: from)
      let isDone = try landing.manifests(provider: "stripe", stream: stream).contains {
        $0.complete && $0.pull.windowFrom == from
      }
      if isDone { continue }
      let writer = try landing.open(pull, observedAt: from + 86_400)
      let next = writer.resumeCursor.flatMap { Int($0) }.map { $0 + 1 } ?? 0
      for page in next..<3 {
        for record in 0..<2 {
          try writer.append(line: Array(#"{"id":"\#(stream)-\#(number)-\#(page)-\#(record)"}"#.utf8))
        }
        try writer.endPage(cursor: "\(page)", requestID: nil)
      }
      _ = try writer.finish(complete: true)
    }
    let log = LogFile(path: workplace.directory + "/published.jsonl")
    _ = try log.mend()
    let line = Data(#"{"night":\#(number)}"#.utf8)
    if try !log.lines().lines.contains(line) { try log.append([line]) }
  }

  /// Everything that the nights leave that somebody can read.
  private static func content(_ workplace: Workplace) throws -> [String] {
    let survey = try workplace.landing.survey()
    #expect(survey.faults.isEmpty && survey.manifests.allSatisfy { workplace.landing.fault(in: $0) == nil })
    let log = LogFile(path: workplace.directory + "/published.jsonl")
    #expect(try log.faults().isEmpty)
    // A file that landed, although the writer was given an error, is not landed again.
    return try workplace.lines() + log.lines().lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `whatever call fails, is cut short or is the last one, the night that comes after makes it whole`() throws
  {
    let calm = try Workplace()
    let counting = Disk.Plan(.broken, at: -1)
    try Disk.$plan.withValue(counting) { for number in 1...3 { try Self.work(calm, night: number) } }
    let expected = try Self.content(calm)
    #expect(expected.count == 3 * 3 * 3 * 2 + 3 && counting.calls > 200, "\(counting.calls) calls")
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var seen: [Disk.Fault: Int] = [:]
    for round in 0..<150 {
      let fault = Disk.Fault.allCases[round % Disk.Fault.allCases.count]
      let place = Int.random(in: 0..<counting.calls, using: &random)
      let workplace = try Workplace()
      let plan = Disk.Plan(fault, at: place)
      var number = 1
      do {
        try Disk.$plan.withValue(plan) {
          while number <= 3 {
            try Self.work(workplace, night: number)
            number += 1
          }
        }
      } catch { seen[fault, default: 0] += 1 }
      for number in min(number, 3)...3 { try Self.work(workplace, night: number) }
      #expect(try Self.content(workplace) == expected, "seed \(seed), round \(round): \(fault) at call \(place)")
    }
    print("seed \(seed): \(seen.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))")
    #expect(seen.count == Disk.Fault.allCases.count)
  }
}
