import Foundation
import Testing

@testable import Decisions

@Suite("The decision log")
struct DecisionLogTests {
  let folder: String
  let log: DecisionLog

  init() throws {
    folder = NSTemporaryDirectory() + "decisions-\(UUID().uuidString)"
    log = DecisionLog(landing: folder)
  }

  func decision(_ id: String, _ action: Decision.Action = .acknowledge, at: Int64 = 1_772_600_000, text: String? = nil)
    -> Decision
  {
    Decision(
      at: at, who: "anna", source: "book.xlsx", action: action, discrepancyID: id, differenceMinor: -49, text: text)
  }

  @Test("What was appended is read again, in order")
  func roundTrip() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let decisions = Decision.Action.allCases.enumerated().map {
      decision("d_\($0)", $1, text: "Zeile\n\"zwei\" ü \u{1F600}")
    }
    try log.append(Array(decisions.prefix(3)))
    try log.append(Array(decisions.dropFirst(3)))
    let read = try log.read()
    #expect(read.decisions == decisions)
    #expect(read.bad.isEmpty)
  }

  @Test("A log that does not exist contains nothing")
  func missing() throws {
    let read = try log.read()
    #expect(read.decisions.isEmpty && read.bad.isEmpty)
  }

  @Test("As it was known then")
  func asOf() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try log.append([decision("d_1", at: 1_772_600_100), decision("d_2", at: 1_772_600_200)])
    #expect(try log.read(asOf: 1_772_600_150).decisions.map(\.discrepancyID) == ["d_1"])
    #expect(try log.read(asOf: 1_772_600_200).decisions.count == 2)
  }

  @Test("A line that a crash cut short is cut off and swallows nothing")
  func cutShort() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try log.append([decision("d_1"), decision("d_2")])
    let whole = try Data(contentsOf: URL(fileURLWithPath: log.path))
    try whole.dropLast(20).write(to: URL(fileURLWithPath: log.path))
    try log.append([decision("d_3")])
    let read = try log.read()
    #expect(read.decisions.map(\.discrepancyID) == ["d_1", "d_3"])
    #expect(read.bad.isEmpty)
  }

  @Test(
    "A line of another shape says what is wrong with it",
    arguments: [
      (
        #"{"at":"2026-03-04T00:00:00Z","who":"a","from":"x","action":"forget","discrepancy_id":"d_1"}"#,
        "\"forget\" is none of"
      ),
      (#"{"at":"yesterday","who":"a","from":"x","action":"note","discrepancy_id":"d_1"}"#, "no RFC 3339 time"),
      (#"{"at":"2026-03-04T00:00:00Z","who":"a","from":"x","action":"note"}"#, "it has no discrepancy_id"),
      (
        #"{"at":"2026-03-04T00:00:00Z","who":"a","from":"x","action":"note","discrepancy_id":7}"#,
        "discrepancy_id is of another type"
      ),
      ("[]", "another type"), ("null", "another type"),
    ])
  func badLine(line: String, words: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try log.append([decision("d_1")])
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log.path))
    try file.seekToEnd()
    try file.write(contentsOf: Data((line + "\n").utf8))
    let read = try log.read()
    #expect(read.decisions.count == 1)
    #expect(read.bad.count == 1)
    #expect(read.bad.first?.description.contains(words) == true, "\(read.bad)")
  }
}
