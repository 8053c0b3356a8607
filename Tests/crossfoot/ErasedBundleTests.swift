import Foundation
import Reconciliation
import TestSupport
import Testing

@testable import crossfoot

/// What an auditor gets of a period that was closed before references of a customer were erased.
@Suite("Bundles after an erasure", .onItsOwnThread, .serialized)
struct ErasedBundleTests {
  /// Closes the first period, with a note about an order that its reports name, and erases the order.
  private static func serve(_ body: (ClosingSite, _ order: String) async throws -> Void) async throws {
    try await ClosingSite.serve(orders: 24, faults: 10) { world in
      // The newest night: only what it lists can be noted.
      let listed = try CSVTable(world.path + "/output/2026-03-11/discrepancies.csv").rows
      let row = try #require(listed.first { $0["order_id"]?.hasPrefix("ORD-") == true && $0["state"] == "persisting" })
      let (order, id) = (try #require(row["order_id"]), try #require(row["discrepancy_id"]))
      #expect(try await world.command(["discrepancies", "note", id, "--text", "asked about \(order)"]).status == 0)
      let closed = try await world.command(["close", "P01", "--force", "--note", "but for \(order)"])
      #expect(closed.status == 0, "\(closed.output)\(closed.errors)")
      #expect(try await world.command(["bundle", "P01", "before"]).status == 0)
      let erased = try await world.command(["erase", order, "--note", "request 7", "--by", "ada"])
      #expect(erased.status == 0 && erased.output.contains("closed periods hold it: P01"), "\(erased.output)")
      #expect(try await world.command(["bundle", "P01", "after"]).status == 0)
      try await body(world, order)
    }
  }

  @Test("It is named as erased, and everything that does not name it is as it was sealed")
  func erased() async throws {
    try await Self.serve { world, order in
      #expect(try await world.command(["verify"]).status == 0)
      let before = try await world.command(["verify", "before"])
      #expect(before.status == 0 && before.output.hasPrefix("whole: "), "\(before.output)")
      let after = try await world.command(["verify", "after"])
      #expect(after.status == 0, "\(after.output)\(after.errors)")
      for words in [
        ".jsonl.zst: erased on 20", "by ada (request 7): the bytes are those that the landing chain then recorded",
        "decisions.jsonl: erased on 20", "\nentries.csv: ", "\ndiscrepancies.csv: ", "\nreconciliation.xlsx: ",
        "\nwhole but for what was erased: ",
      ] {
        #expect(after.output.contains(words), "\(words) in \(after.output)")
      }
      let entries = try CSVTable(world.closed + "/P01/entries.csv").rows
      let naming = entries.count { $0.values.contains { $0.contains(order) } }
      #expect(naming > 0 && naming < entries.count)
      #expect(after.output.contains("\nentries.csv: \(naming) line"), "\(naming): \(after.output)")
      let files = ClosingSite.files(world.path + "/after").filter { $0.key.hasPrefix("landing/") }
      #expect(files.count > 20 && files.values.allSatisfy { $0.range(of: Data(order.utf8)) == nil })
      // What is closed later rests on the records as they are now.
      try await world.close("P02")
      #expect(try await world.command(["bundle", "P02", "next"]).status == 0)
      let next = try await world.command(["verify", "next"])
      #expect(next.status == 0 && next.output.hasPrefix("whole: "), "\(next.output)")
    }
  }

  @Test("A sealed amount beside the erased reference that was changed is found, as is a change of what the chain says")
  func forged() async throws {
    try await Self.serve { world, order in
      let folder = world.path + "/after"
      let bundle = try BundleVerification(folder)
      let examined = try bundle.examine()
      #expect(examined.faults.map(\.sentence) == [] && examined.erasures?.isEmpty == false)
      let night = try Wiring.yesterday(
        CommandContext(
          configuration: try bundle.configuration(), connects: false,
          resources: { try Resources.find(option: NightSite.checkout) }))
      let path = folder + "/closed/P01/entries.csv"
      chmod(path, 0o640)
      let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
      for (place, line) in lines.enumerated().dropFirst() where line.contains(order) || place == 1 {
        var forged = lines
        forged[place] = line.replacing(/(\d\d\.\d)(\d)/, maxReplacements: 1) { "\($0.1)\($0.2 == "9" ? "8" : "9")" }
        #expect(forged != lines, "\(line)")
        try forged.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let faults = try bundle.derive(night, after: examined).faults
        #expect(faults.map(\.file).filter { $0.hasPrefix("entries.csv") }.count == 1, "\(faults)")
        if line.contains(order) { break }
      }
      try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
      try Self.everyFile(folder, bundle)
    }
  }

  /// Every file of the landing zone that is changed in one byte, or is gone, is found.
  private static func everyFile(_ folder: String, _ bundle: BundleVerification) throws {
    var random = SeededGenerator(seed: 12)
    for (name, bytes) in ClosingSite.files(folder) where name.hasPrefix("landing/") && !bytes.isEmpty {
      chmod("\(folder)/\(name)", 0o640)
      chmod((("\(folder)/\(name)") as NSString).deletingLastPathComponent, 0o750)
      var altered = bytes
      altered[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 + random.next() % 255)
      try altered.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      #expect(try !bundle.examine().isWhole, "\(name) changed")
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      #expect(try !bundle.examine().isWhole, "\(name) removed")
      try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    #expect(try bundle.examine().isWhole)
  }
}
