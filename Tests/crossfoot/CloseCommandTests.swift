import Foundation
import TestSupport
import Testing

@testable import crossfoot

/// A month's end at the command line: refused with every reason, sealed, adjusted, opened again.
@Suite("Closing at the command line", .onItsOwnThread, .serialized)
struct CloseCommandTests {
  @Test("It is refused with every reason, and closed with a note that the seal keeps; a sealed file never changes")
  func walk() async throws {
    try await ClosingSite.serve { world in
      let checked = try await world.command(["close", "P01", "--check"])
      #expect(checked.status == 1 && checked.output.contains("P01 cannot be closed"), "\(checked.output)")
      #expect(checked.output.contains(" is open and has no owner and no note"), "\(checked.output)")
      #expect(!FileManager.default.fileExists(atPath: world.closed))
      let refused = try await world.command(["close", "P01"])
      #expect(refused.status == 1 && refused.output.contains("P01 was not closed"), "\(refused.output)")
      #expect(try await world.command(["close", "P01", "--force"]).status == 64)
      #expect(try await world.command(["close", "P07"]).status == 64)
      try await world.close("P01")
      let sealed = ClosingSite.files(world.closed)
      let seal = try #require(sealed["P01/seal.json"].map { String(decoding: $0, as: UTF8.self) })
      #expect(seal.contains("\"note\" : \"a test\"") && seal.contains("is open and has no owner and no note"))
      #expect(sealed["P01/statements.csv"] != nil && sealed["P01/movements.csv"] != nil)
      #expect(try await world.command(["close", "P01", "--force", "--note", "again"]).status == 1)
      #expect(try await world.command(["verify"]).status == 0)

      try world.land([("txn_late", 700)])
      let run = try await world.site.run("run", ["--no-pull"], night: 2)
      #expect(run.status == 1, "\(run.output)\(run.errors)")
      let lines = try world.site.lines("prior_period_adjustments.csv", night: 2)
      #expect(lines.count == 1 && lines[0].contains(",late_record,adjustments,0.00,7.00,7.00"), "\(lines)")
      try world.land([("txn_late", 500)])
      try await world.site.run("run", ["--no-pull"], night: 2).expect(1)
      let both = try world.site.lines("prior_period_adjustments.csv", night: 2)
      #expect(
        both.count == 2 && both.contains { $0.contains(",changed_record,adjustments,7.00,5.00,-2.00") }, "\(both)")
      try await world.site.run("run", ["--no-pull"], night: 2).expect(1)
      #expect(try world.site.lines("prior_period_adjustments.csv", night: 2) == both)
      let again = try await world.site.run("run", ["--no-pull"], night: 1)
      #expect(again.errors.contains("P01 was closed on") && again.errors.contains("2 adjustments since"))
      #expect(try world.site.lines("prior_period_adjustments.csv", night: 1).isEmpty)
      for (format, tag, count) in [("beancount", " #P01\n", 2), ("hledger", "; period:P01,", 2), ("csv", ",P01\n", 4)] {
        let journal = try await world.command([
          "export", "journal", "--format", format, "--date", "2026-03-11", "--config", "crossfoot.yml",
        ])
        #expect(
          journal.output.components(separatedBy: tag).count == count + 1,
          "\(format): \(journal.errors)\(journal.output.prefix(3000))")
      }
      let diff = try await world.command(["diff", "P01"])
      #expect(diff.status == 0 && diff.output.contains("late_record: 1\n"), "\(diff.output)")
      let before = try await world.command(["diff", "P01", "--as-of", "2026-01-01T00:00:00Z"])
      #expect(before.status == 64, "\(before.output)")
      #expect(ClosingSite.files(world.closed) == sealed)

      #expect(try await world.command(["reopen", "P01", "--note", "a mistake"]).status == 0)
      #expect(try await world.command(["diff", "P01"]).status == 64)
      try await world.close("P01")
      #expect(FileManager.default.fileExists(atPath: world.closed + "/P01.2/seal.json"))
      try await world.site.run("run", ["--no-pull"], night: 2).expect(1)
      #expect(try world.site.lines("prior_period_adjustments.csv", night: 2).isEmpty)
      for (name, bytes) in sealed { #expect(ClosingSite.files(world.closed)[name] == bytes, "\(name)") }
      #expect(try await world.command(["verify"]).status == 0)
    }
  }

  @Test("What is not as it was sealed is compared with nothing: the night says so, and no adjustment is noted")
  func damaged() async throws {
    try await ClosingSite.serve { world in
      try await world.close("P01")
      try world.land([("txn_late", 700)])
      try await world.site.run("run", ["--no-pull"], night: 2).expect(1)
      let noted = try world.site.folder.read("landing/adjustments.jsonl")
      for name in ["movements.csv", "opening.csv", "figures.json"] {
        let path = "\(world.closed)/P01/\(name)"
        let sealed = try #require(FileManager.default.contents(atPath: path))
        chmod("\(world.closed)/P01", 0o750)
        for damage in [sealed + Data("1\n".utf8), nil] {
          try FileManager.default.removeItem(atPath: path)
          if let damage { try damage.write(to: URL(fileURLWithPath: path)) }
          try world.site.forgetStore()
          let run = try await world.site.run("run", ["--no-pull"], night: 2)
          run.expect(2, name)
          #expect(run.output.contains("P01/\(name)"), "\(run.output)")
        }
        try sealed.write(to: URL(fileURLWithPath: path))
        try await world.site.run("run", ["--no-pull"], night: 2).expect(1, name)
        #expect(try world.site.folder.read("landing/adjustments.jsonl") == noted, "\(name)")
      }
    }
  }

  @Test("A bundle is verified in an empty folder with an empty environment, after adjustments too")
  func bundle() async throws {
    try await ClosingSite.serve { world in
      try await world.close("P01")
      try world.land([("txn_late", 700)])
      try await world.site.run("run", ["--no-pull"], night: 2).expect(1)
      try await world.close("P02")
      for period in ["P01", "P02"] {
        let packed = try await world.command(["bundle", period, "given/\(period)"], environment: [:])
        #expect(packed.status == 0, "\(packed.output)\(packed.errors)")
        let away = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: "\(world.path)/given/\(period)", toPath: "\(away.path)/bundle")
        let verified = try await CommandRun(
          ["verify", "bundle", "--resources", NightSite.checkout], in: away.path, environment: [:])
        #expect(verified.status == 0 && verified.output.hasPrefix("whole: "), "\(verified.output)\(verified.errors)")
        try ClosingSite.remove("\(away.path)/bundle")
      }
      #expect(try await world.command(["bundle", "P01", "landing"]).status == 64)
      #expect(try await world.command(["bundle", "P01", "output/closed/P01/mine"]).status == 64)
      #expect(try await world.command(["reopen", "P02", "--note", " "]).status == 64)
      #expect(try await world.command(["verify", "landing"]).status == 64)
    }
  }
}
