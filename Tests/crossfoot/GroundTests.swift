import ArgumentParser
import Foundation
import Logging
import Payments
import Providers
import Settings
import TestSupport
import Testing

@testable import crossfoot

@Suite("The environment of the commands", .onItsOwnThread)
struct GroundTests {
  @Test("Resources are looked for by option, by variable, beside the binary and above it, in this order")
  func resources() throws {
    let folder = try TemporaryFolder()
    for place in ["option", "variable", "prefix/share/crossfoot", "checkout"] {
      try folder.write("\(place)/sql/schema/keep", "")
      try folder.write("\(place)/reports/keep", "")
    }
    let environment = ["CROSSFOOT_RESOURCES": folder.path + "/variable"]
    let installed = folder.path + "/prefix/bin/crossfoot"
    let built = folder.path + "/checkout/.build/debug/crossfoot"
    func found(_ option: String?, _ environment: [String: String], _ binary: String) throws -> String {
      String(
        try Resources.find(option: option, environment: environment, binary: binary).folder.dropFirst(
          folder.path.count + 1))
    }
    #expect(try found(folder.path + "/option", environment, installed) == "option")
    #expect(try found(nil, environment, installed) == "variable")
    #expect(try found(nil, [:], installed) == "prefix/share/crossfoot")
    #expect(try found(nil, [:], built) == "checkout")
  }

  @Test("A place that was named and contains nothing is refused by its name")
  func emptyResources() throws {
    let folder = try TemporaryFolder()
    func refusal(_ option: String?, _ environment: [String: String]) -> crossfoot.ExitStatus? {
      do {
        _ = try Resources.find(option: option, environment: environment, binary: folder.path + "/bin/crossfoot")
        return nil
      } catch { return (error as? Failure)?.status }
    }
    #expect(refusal(folder.path, [:]) == .usage)
    #expect(refusal(nil, ["CROSSFOOT_RESOURCES": folder.path]) == .configuration)
    #expect(refusal(nil, [:]) == .configuration)
  }

  @Test("Without days the range is yesterday in the reporting time zone, and a day that has not begun is refused")
  func ranges() throws {
    let amsterdam = BusinessCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Amsterdam")))
    let now = try Instant.parse("2026-03-01T23:30:00Z")  // 00:30 on the 2nd there
    #expect("\(try RangeOptions.parse([]).range(in: amsterdam, now: now))" == "2026-03-01")
    let named = try RangeOptions.parse(["--from", "2026-02-27", "--to", "2026-03-01"])
    #expect("\(try named.range(in: amsterdam, now: now))" == "2026-02-27_2026-03-01" && named.isNamed)
    #expect(throws: Failure.self) { try RangeOptions.parse(["--date", "2026-03-03"]).range(in: amsterdam, now: now) }
  }

  @Test("--fail-on counts its severity and the worse ones, never what is ignored")
  func failOn() {
    #expect(Severity.allCases.map(FailOn.high.counts) == [true, true, false, false, false])
    #expect(Severity.allCases.map(FailOn.low.counts) == [true, true, true, true, false])
    #expect(Severity.allCases.map(FailOn.never.counts) == [false, false, false, false, false])
  }

  @Test("A log line is one line, as text and as JSON")
  func logLines() {
    let text = LineLogHandler(label: "pull", format: .text, logLevel: .info)
    let json = LineLogHandler(label: "pull", format: .json, logLevel: .info)
    #expect(text.line(at: 0, .info, "a\nb", ["n": "1", "c": "x"]) == "1970-01-01T00:00:00Z info pull: a b c=x n=1")
    #expect(
      json.line(at: 0, .warning, "a\nb", ["n": "1"])
        == #"{"at":"1970-01-01T00:00:00Z","level":"warning","logger":"pull","message":"a\nb","n":"1"}"#)
  }

  @Test("A clock before something already written is bad, one after it is not called wrong")
  func clock() throws {
    let folder = try TemporaryFolder()
    #expect(ClockExamination.finding(now: 1_000_000_000, witnesses: [folder.path]).grade == .bad)
    #expect(ClockExamination.finding(now: 4_000_000_000, witnesses: [folder.path, "/nowhere"]).grade == .good)
  }

  @Test("A folder that is not there yet is examined where it would be made")
  func folders() throws {
    let folder = try TemporaryFolder()
    #expect(FolderExamination.finding("reports", folder.path + "/a/b").grade != .bad)
    #expect(FolderExamination.finding("reports", "/proc/nowhere/a").grade == .bad)
  }
}
