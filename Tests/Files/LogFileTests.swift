import Foundation
import Testing

@testable import Files

@Suite("A log")
struct LogFileTests {
  private let folder = NSTemporaryDirectory() + "log-" + UUID().uuidString
  private var log: LogFile { LogFile(path: folder + "/log.jsonl") }

  private func write(_ lines: [String]) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: log.path))
  }

  /// A log of ten lines, written in three pieces.
  private func written() throws -> [String] {
    let lines = (0..<10).map { #"{"n":\#($0)}"# }
    for piece in [0..<1, 1..<4, 4..<10] { try log.append(lines[piece].map { Data($0.utf8) }) }
    return lines
  }

  @Test("Every line removed, changed by a byte, or swapped with its neighbour is found where it was")
  func everyLine() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let lines = try written()
    #expect(try log.faults().isEmpty)
    for index in lines.indices {
      var removed = lines
      removed.remove(at: index)
      try write(removed)
      #expect(try log.faults().map(\.place) == ["log.jsonl:\(index + 1)"], "line \(index + 1) removed")
      var changed = lines
      changed[index] = changed[index].replacing("n", with: "m")
      try write(changed)
      #expect(try log.faults().map(\.place) == ["log.jsonl:\(index + 1)"], "line \(index + 1) changed")
      guard index + 1 < lines.count else { continue }
      var swapped = lines
      swapped.swapAt(index, index + 1)
      try write(swapped)
      #expect(try log.faults().first?.place == "log.jsonl:\(index + 1)", "line \(index + 1) swapped")
    }
    try write(lines)
    #expect(try log.faults().isEmpty)
  }

  @Test("What is lost stays found after more was added, until the log is taken as it is")
  func stays() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let lines = try written()
    try write(Array(lines.dropLast(2)))
    try log.append([Data(#"{"n":10}"#.utf8)])
    #expect(try log.faults().map(\.place) == ["log.jsonl:9"])
    try log.accept()
    #expect(try log.faults().isEmpty)
    try log.append([Data(#"{"n":11}"#.utf8)])
    #expect(try log.faults().isEmpty)
  }

  @Test("A torn last line is cut off and reported once; lines of a log without sums get theirs")
  func torn() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let lines = try written()
    let text = lines.map { $0 + "\n" }.joined()
    for cut in [1, 4, 8] {
      try Data((text + #"{"n":10}"#.prefix(cut)).utf8).write(to: URL(fileURLWithPath: log.path))
      #expect(try log.lines().lines.count == 10 && log.faults().isEmpty)
      #expect(try log.mend() == "log.jsonl:11: a crash cut this line short before it counted; it was cut off")
      #expect(try log.mend() == nil && String(contentsOfFile: log.path, encoding: .utf8) == text)
    }
    try FileManager.default.removeItem(atPath: folder + "/.log.jsonl.sums")
    try log.append([Data("{}".utf8)])
    try write([lines[1]] + lines.dropFirst(1) + ["{}"])
    #expect(try log.faults().map(\.place) == ["log.jsonl:1"])
  }
}
