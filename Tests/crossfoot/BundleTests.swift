import Disk
import Foundation
import Landing
import Payments
import Reconciliation
import TestSupport
import Testing

@testable import crossfoot

/// Bundles that are not as they were made, and closes that do not come to their end.
@Suite("Seals and bundles under stress", .onItsOwnThread, .serialized)
struct BundleTests {
  /// Whether every byte of every file is tried; else all of some and a sample of the others.
  private static let triesAll = ProcessInfo.processInfo.environment["CROSSFOOT_EVERY_BYTE"] != nil

  @Test("Every single-byte change of a bundle is found and located")
  func everyByte() async throws {
    try await ClosingSite.serve(orders: 4, faults: 2) { world in
      for line in try world.site.lines("discrepancies.csv", night: 1).prefix(1) {
        let id = String(line.prefix { $0 != "," })
        #expect(try await world.command(["discrepancies", "note", id, "--text", "seen"]).status == 0)
      }
      try await world.close("P01")
      #expect(try await world.command(["bundle", "P01", "bundle"]).status == 0)
      let folder = world.path + "/bundle"
      let bundle = try BundleVerification(folder)
      #expect(try bundle.examine().faults.map(\.sentence) == [])
      var random = SeededGenerator(seed: 9)
      var tried = 0
      for (name, bytes) in ClosingSite.files(folder).sorted(by: { $0.key < $1.key }) where !bytes.isEmpty {
        #expect(chmod("\(folder)/\(name)", 0o640) == 0)
        let isLog = ["periods.jsonl", "decisions.jsonl"].contains { name.hasSuffix("/\($0)") }
        let places =
          Self.triesAll
          ? Array(bytes.indices)
          : isLog
            ? Array(stride(from: Int(random.next() % 4), to: bytes.count, by: 4))
            : [Int(random.next() % UInt64(bytes.count)), bytes.count - 1]
        for place in places {
          var altered = bytes
          altered[place] ^= UInt8(1 + random.next() % 255)
          try altered.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
          let faults = try bundle.examine().faults
          tried += 1
          #expect(
            faults.contains { Self.isAbout($0, name) },
            "\(name), byte \(place) \(bytes[place]) as \(altered[place]): \(faults.map(\.file))")
        }
        try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      #expect(try bundle.examine().isWhole && tried > 300, "\(tried)")
      try Self.wholeFiles(folder, bundle)
    }
  }

  /// Files that are gone, and files that nobody sealed.
  private static func wholeFiles(_ folder: String, _ bundle: BundleVerification) throws {
    for (name, bytes) in ClosingSite.files(folder) where !name.hasSuffix(".sums") {
      chmod((("\(folder)/\(name)") as NSString).deletingLastPathComponent, 0o750)
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      #expect(try !bundle.examine().isWhole, "\(name) removed")
      try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/landing/more.txt"))
    #expect(try bundle.examine().faults.map(\.file) == ["landing/more.txt"])
  }

  private static func isAbout(_ fault: Verification.Fault, _ name: String) -> Bool {
    let inZone = name.hasPrefix("landing/") ? String(name.dropFirst("landing/".count)) : name
    let log = inZone.hasPrefix(".") ? String(inZone.dropFirst()).replacing(".sums", with: "") : inZone
    return fault.file.hasPrefix(name) || fault.file.hasPrefix(inZone) || fault.file.hasPrefix(log)
  }

  @Test("Figures that were changed together with their hashes are found by working the period out again")
  func forged() async throws {
    try await ClosingSite.serve(orders: 4, faults: 0) { world in
      try await world.close("P01")
      #expect(try await world.command(["bundle", "P01", "bundle"]).status == 0)
      let folder = world.path + "/bundle"
      let night = try Wiring.yesterday(
        CommandContext(
          configuration: try BundleVerification(folder).configuration(), connects: false,
          resources: { try Resources.find(option: NightSite.checkout) }))
      let examined = try BundleVerification(folder).examine()
      #expect(try BundleVerification(folder).derive(night, after: examined).faults.map(\.sentence) == [])
      let path = "\(folder)/closed/P01/entries.csv"
      chmod(path, 0o640)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("capture", with: "refund", maxReplacements: 1).write(
        toFile: path, atomically: false, encoding: .utf8)
      let faults = try BundleVerification(folder).derive(night, after: examined).faults
      #expect(faults.count == 1 && faults[0].file.hasPrefix("entries.csv:"), "\(faults)")
    }
  }

  @Test("Killed after any amount of its own work, a close seals as a whole or not at all, and so does a bundle")
  func killed() async throws {
    try await ClosingSite.serve(orders: 6, faults: 2) { world in
      let order = ["close", "P01", "--force", "--note", "a test"]
      let kills = try await Self.killUntilItEnds(order, world, step: 0.015) {
        let lines = (try? world.site.folder.read("landing/periods.jsonl").split(separator: "\n").count) ?? 0
        let isThere = FileManager.default.fileExists(atPath: world.closed + "/P01/seal.json")
        #expect(lines == 0 || isThere)
        #expect(!FileManager.default.fileExists(atPath: world.closed + "/P01") || isThere)
      }
      #expect(kills > 5, "\(kills) kills")
      let verified = try await world.command(["verify"])
      #expect(verified.status == 0, "\(verified.output)")
      let packed = try await Self.killUntilItEnds(["bundle", "P01", "bundle"], world, step: 0.004) {
        if FileManager.default.fileExists(atPath: world.path + "/bundle") {
          #expect(try BundleVerification(world.path + "/bundle").examine().isWhole)
          try ClosingSite.remove(world.path + "/bundle")
        }
      }
      #expect(packed > 2, "\(packed) kills")
      #expect(try await world.command(["verify", "bundle"]).status == 0)
    }
  }

  /// - Parameter step: how many seconds of processor time each attempt has more than the one before.
  private static func killUntilItEnds(
    _ order: [String], _ world: ClosingSite, step: Double, _ look: () throws -> Void
  ) async throws -> Int {
    let start =
      "import os, signal, sys; signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1])); os.execv(sys.argv[2], "
      + "sys.argv[2:])"
    var (kills, ended): (Int, Int32) = (0, SIGPROF)
    while ended == SIGPROF {
      let seconds = step * Double(kills + 1)
      let run = try await CommandRun(
        ["-c", start, "\(seconds)", CommandRun.binary.path] + order + ["--resources", NightSite.checkout],
        binary: "/usr/bin/python3", in: world.path)
      ended = run.status
      if ended == SIGPROF {
        kills += 1
        try look()
      } else {
        // Killed after the last line was written: it is closed, and says so.
        let isDone = ended == 1 && (run.output + run.errors).contains("was closed on")
        #expect(ended == 0 || isDone, "\(run.output)\(run.errors)")
      }
    }
    return kills
  }

  @Test("A disk that fails in the last steps of a close leaves it sealed or not, and the next close finishes it")
  func failing() async throws {
    try await ClosingSite.serve(orders: 4, faults: 0) { world in
      func night() throws -> ReconciliationRun {
        var night = try Wiring.yesterday(
          CommandContext(
            configuration: world.path + "/crossfoot.yml", connects: false,
            resources: { try Resources.find(option: NightSite.checkout) }))
        night.jobs = 1
        return night
      }
      var order = CloseOrder(
        period: try Period("P01", night().settings, night().calendar), preparedBy: "ada", note: "a test")
      order.overrides = true
      let counted = Disk.Plan(.broken, at: .max)
      _ = try Disk.$plan.withValue(counted) { try night().close(order) }
      try night().reopen("P01", who: "ada", note: "once more")
      var finished = 0
      for back in 1...8 {
        for fault in [Disk.Fault.kill, .full] {
          let plan = Disk.Plan(fault, at: counted.calls - back)
          do { _ = try Disk.$plan.withValue(plan) { try night().close(order) } } catch {}
          if (try? night().adjustments(of: "P01")) == nil {
            let closing = try night().close(order)
            #expect(closing.isClosed, "\(closing.reasons)")
            if closing.remarks.contains(where: { $0.contains("is finished now") }) { finished += 1 }
          }
          #expect(try night().verify().faults.map(\.sentence) == [], "\(fault), \(back) from the end")
          try night().reopen("P01", who: "ada", note: "once more")
        }
      }
      #expect(finished > 0)
    }
  }
}
