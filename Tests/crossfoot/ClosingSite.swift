import Foundation
import Landing
import Testing

@testable import crossfoot

/// A site with two nights behind it, whose first ten days are a period of their own.
struct ClosingSite {
  static let periods = """
    periods:
      - {name: P01, from: 2026-03-01, to: 2026-03-10}
      - {name: P02, from: 2026-03-11, to: 2026-03-11}

    """
  let site: NightSite
  var path: String { site.folder.path }
  var closed: String { path + "/output/closed" }

  static func serve(orders: Int = 12, faults: Int = 6, _ body: (ClosingSite) async throws -> Void) async throws {
    try await NightSite.serve(seed: 6, orders: orders, faults: faults, nights: 2) { site in
      for night in 1...2 {
        try site.configure(night: night, further: periods)
        #expect(try await site.run(night: night).status < 2)
      }
      try await body(ClosingSite(site: site))
    }
  }

  /// A command without days.
  @discardableResult
  func command(_ arguments: [String], environment: [String: String] = ["STRIPE_API_KEY": NightSite.key]) async throws
    -> CommandRun
  {
    try await CommandRun(arguments + ["--resources", NightSite.checkout], in: path, environment: environment)
  }

  /// Closes a period whatever contradicts it.
  func close(_ period: String) async throws {
    let ended = try await command([
      "close", period, "--force", "--note", "a test", "--prepared-by", "ada", "--reviewed-by", "bo",
    ])
    #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
  }

  /// Lands ledger rows that are dated in the first period.
  func land(_ rows: [(id: String, amount: Int64)]) throws { try land(lines: rows.map { Self.line($0.id, $0.amount) }) }

  /// Lands ledger rows as the provider writes them.
  func land(lines: [String]) throws {
    let landing = Landing(directory: path + "/landing")
    let newest = try #require(try landing.manifests(provider: "stripe", stream: "balance_transactions").last)
    let writer = try landing.open(newest.pull, observedAt: newest.observedAt + 1)
    for line in lines { try writer.append(line: Array(line.utf8)) }
    _ = try writer.finish(complete: true)
  }

  /// 2026-03-05T00:00:00Z
  static func line(
    _ id: String, _ amount: Int64, type: String = "adjustment", category: String = "other_adjustment"
  ) -> String {
    """
    {"id":"\(id)","object":"balance_transaction","amount":\(amount),"available_on":1772668800,\
    "balance_type":"payments",\
    "created":1772668800,"currency":"usd","description":"late","exchange_rate":null,"fee":0,"fee_details":[],\
    "net":\(amount),"reporting_category":"\(category)","source":null,"status":"available","type":"\(type)"}
    """
  }

  /// Every file below a folder, with its bytes.
  static func files(_ folder: String) -> [String: Data] {
    var files: [String: Data] = [:]
    for name in FileManager.default.subpaths(atPath: folder) ?? [] {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    return files
  }

  static func remove(_ folder: String) throws {
    for name in FileManager.default.subpaths(atPath: folder) ?? [] { chmod("\(folder)/\(name)", 0o750) }
    chmod(folder, 0o750)
    try FileManager.default.removeItem(atPath: folder)
  }
}
