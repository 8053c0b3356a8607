import Foundation
import Landing
import Marketplace
import TestSupport
import Testing

/// Runs that publish although something could not be read: 2, named, and everything else reconciled.
@Suite("An incomplete run", .onItsOwnThread, .serialized)
struct IncompleteTests {
  @Test("A bad row of orders: quarantined with file, row and reason, the rest is reconciled")
  func badRow() async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let matches = try site.lines("order_matches.csv")
      let orders = try site.folder.read("orders.csv")
      let columns = orders.split(separator: "\n")[0].split(separator: ",").count
      let cells = ["o-bad", "2026-03-02T10:00:00Z", "paid", "USD", "10.005"] + Array(repeating: "", count: columns - 5)
      try site.folder.write("orders.csv", orders + cells.joined(separator: ",") + "\nhalf a row\n")
      let row = orders.split(separator: "\n").count + 1
      let ended = try await site.run()
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(
        ended.output.contains("INCOMPLETE\n  shop/orders: some of it was refused: see quarantine.csv\n"),
        "\(ended.output)")
      let quarantine = try site.lines("quarantine.csv")
      #expect(quarantine.count == 2, "\(quarantine)")
      #expect(
        quarantine.contains { $0.hasPrefix("shop,orders.csv:\(row),o-bad,") && $0.contains("10.005") }, "\(quarantine)")
      #expect(
        quarantine.contains {
          $0.hasPrefix("shop,orders.csv:\(row + 1),") && $0.contains("the row has 1 cells, the header")
        },
        "\(quarantine)")
      #expect(try site.lines("order_matches.csv") == matches)
      try site.folder.write("orders.csv", orders)
      try await site.run().expect(0, "the next good delivery mends it")
      #expect(try site.lines("quarantine.csv").isEmpty)
    }
  }

  @Test(
    "A permission that is missing: stream and permission named, the others reconciled", arguments: StripeList.allCases)
  func forbidden(list: StripeList) async throws {
    try await NightSite.serve(orders: 20) { site in
      site.endpoint.faults = .forbidden(list)
      let ended = try await site.run()
      #expect(ended.status == 2, "\(ended.errors)")
      let said =
        "stripe/\(list.rawValue): stripe \(list.rawValue): the API key lacks the permission \(list.permission) "
        + "(status 403"
      #expect(ended.output.contains(said), "\(ended.output)")
      #expect(ended.output.contains("grant it in the Dashboard, then run again"))
      #expect(site.link() != nil)
      site.endpoint.faults = FaultPlan()
      let mended = try await site.run()
      #expect(mended.status == 0, "\(mended.output)")
    }
  }

  @Test(
    "A landed file cut in half, or with one byte altered: named, quarantined, and nothing claimed from the rest",
    arguments: [true, false])
  func damagedFile(isCut: Bool) async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let calm = try site.published()
      let name = try #require(try site.landed("refunds").first)
      let path = "\(site.folder.path)/\(name)"
      var bytes = try #require(FileManager.default.contents(atPath: path))
      if isCut { bytes = bytes.prefix(bytes.count / 2) } else { bytes[bytes.count / 2] ^= 1 }
      try bytes.write(to: URL(fileURLWithPath: path))
      try site.forgetStore()
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 2, "\(ended.errors)")
      let place = String(name.dropFirst("landing/".count))
      #expect(ended.output.contains("stripe/refunds: \(place): found "), "\(ended.output)")
      let quarantine = try site.lines("quarantine.csv")
      #expect(quarantine.count == 1 && quarantine[0].hasPrefix("stripe,\(place),,"), "\(quarantine)")
      #expect(quarantine[0].contains("the file is damaged: restore it from a backup, or move it and its manifest away"))
      try await site.run().expect(0, "pulling its window again mends it")
      // The workbook says which landed files it rests on, and these are others.
      let mended = try site.published()
      #expect(Set(mended.keys) == Set(calm.keys))
      #expect(calm.keys.filter { $0 != "reconciliation.xlsx" && mended[$0] != calm[$0] } == [])
    }
  }

  @Test("A manifest cut in half: named, quarantined, incomplete")
  func damagedManifest() async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let name = try #require(try site.landed("charges").first).replacing(".jsonl.zst", with: ".manifest.json")
      let path = "\(site.folder.path)/\(name)"
      let bytes = try #require(FileManager.default.contents(atPath: path))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 2, "\(ended.output)\(ended.errors)")
      #expect(ended.output.contains("\(name.dropFirst("landing/".count)): found "), "\(ended.output)")
      #expect(try site.lines("quarantine.csv").contains { $0.contains(name.dropFirst("landing/".count)) })
    }
  }

  /// Answers that repeat what was asked with, and whom they are about.
  static let talkativeAnswers: [FaultPlan.Kind] = [
    .body(
      400,
      "{\"error\":{\"message\":\"Bearer \(NightSite.key) may not see "
        + "jenny@shopper.example\",\"param\":\"\(NightSite.key)\"}}"
    ),
    .body(403, "{\"error\":{\"message\":\"The key \(NightSite.key) lacks '\(NightSite.key)' for Jenny Rosen\"}}"),
    .body(500, "<html>Authorization: Bearer \(NightSite.key), customer jenny@shopper.example</html>"),
    .body(200, "{\"object\":\"list\",\"data\":[{\"id\":\"\(NightSite.key)\",\"email\":\"jenny@shopper.example\"}"),
    .body(200, "Authorization: Bearer \(NightSite.key)"),
  ]

  @Test(
    "What an answer repeats of the key or of a person is said and kept nowhere", arguments: 0..<talkativeAnswers.count)
  func talkative(row: Int) async throws {
    try await NightSite.serve(orders: 20) { site in
      site.endpoint.faults = FaultPlan([.init(Self.talkativeAnswers[row], path: "/v1/refunds")])
      for arguments in [["--verbose"], ["--log-format", "json"], ["--format", "json"]] {
        let ended = try await site.run("run", arguments)
        #expect(ended.status == 2 && ended.output.contains("stripe/refunds: "), "\(ended.output)\(ended.errors)")
      }
      for command in ["status", "doctor"] {
        let ended = try await CommandRun(
          [command, "--resources", NightSite.checkout], in: site.folder.path,
          environment: ["STRIPE_API_KEY": NightSite.key])
        try Secrets(keys: [NightSite.key]).expectNone(
          in: site.folder.path, said: ended.output + ended.errors, #_sourceLocation)
      }
    }
  }
}
