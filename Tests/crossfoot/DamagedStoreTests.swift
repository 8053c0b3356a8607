import Foundation
import TestSupport
import Testing

/// A store of SQLite that is damaged, or of another version, is no end: it is derived again, and said.
@Suite("A damaged store", .onItsOwnThread, .serialized)
struct DamagedStoreTests {
  enum Damage: CaseIterable {
    case truncated, zeroedPage, text, emptied, flippedDigit
  }

  private static func command(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      arguments + ["--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  /// Damages the file as it would lie there after the program has ended.
  private static func damage(_ site: NightSite, _ damage: Damage) throws {
    let file = site.folder.path + "/crossfoot.db"
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    switch damage {
    case .truncated: bytes = bytes.prefix(bytes.count / 3)
    // A page of 8 KiB amid the tables.
    case .zeroedPage:
      let page = bytes.count / 8192 / 2
      bytes.replaceSubrange(page * 8192..<(page + 1) * 8192, with: Data(count: 8192))
    case .text: bytes = Data(String(repeating: "This is no database.\n", count: 1000).utf8)
    case .emptied: bytes = Data()
    // The number of an order in a row: the structure holds.
    case .flippedDigit:
      let place = try #require(bytes.firstRange(of: Data("ORD-".utf8))).upperBound + 5
      bytes[place] = bytes[place] == 0x31 ? 0x32 : 0x31
    }
    try bytes.write(to: URL(fileURLWithPath: file))
  }

  @Test(
    "run and rebuild derive it again from the landing zone, say so, and report the same", arguments: Damage.allCases)
  func derivedAgain(damage: Damage) async throws {
    try await NightSite.serve(orders: 20, faults: 8) { site in
      try await site.run().expect(1)
      let before = try site.published()
      for arguments in [["run", "--no-pull"] + site.days(), ["rebuild"]] {
        try Self.damage(site, damage)
        let ended = try await Self.command(site, arguments)
        #expect(ended.status == (arguments[0] == "run" ? 1 : 0), "\(arguments): \(ended.output)\(ended.errors)")
        // A file of no bytes is how a new store begins.
        if damage != .emptied {
          #expect(ended.errors.contains("derived again from the landing zone"), "\(arguments): \(ended.errors)")
        }
        let again = try await site.run("report")
        #expect(again.status == 1 && !again.errors.contains("derived again"), "\(again.errors)")
        #expect(try site.published().withoutWorkbook == before.withoutWorkbook, "\(arguments)")
      }
      guard damage == .text else { return }
      try Self.damage(site, damage)
      let status = try await Self.command(site, ["status"])
      #expect(
        status.status == 74 && status.errors.contains("`crossfoot run` and `crossfoot rebuild` derive it again"),
        "\(status.errors)")
    }
  }

  @Test("run derives a store of another version again")
  func otherVersion() async throws {
    try await NightSite.serve(orders: 20, faults: 8) { site in
      try await site.run().expect(1)
      let before = try site.published()
      let other = try TemporaryFolder()
      for part in ["sql", "reports"] {
        try FileManager.default.copyItem(atPath: "\(NightSite.checkout)/\(part)", toPath: "\(other.path)/\(part)")
      }
      let file = "sql/schema/sqlite/1-landed.sql"
      try other.write(file, "-- another version\n" + other.read(file))
      let ended = try await CommandRun(
        ["run", "--no-pull", "--resources", other.path] + site.days(), in: site.folder.path,
        environment: ["STRIPE_API_KEY": NightSite.key])
      #expect(ended.status == 1 && ended.errors.contains("derived again from the landing zone"), "\(ended.errors)")
      #expect(try site.published().withoutWorkbook == before.withoutWorkbook)
    }
  }
}
