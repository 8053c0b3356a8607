import Foundation
import Marketplace
import Yams

/// A case told in one file: what the provider and the orders hold, night by night, and what the reports must say of it.
///
///     title: a destination charge with an application fee keeps the fee less what Stripe takes
///     scenario: S01
///     nights:
///       - days: 2026-03-02            # or 2026-03-02..2026-03-05
///         orders: [{order_id: O-1, placed_at: 2026-03-02T10:00:00Z, status: paid, currency: USD, total: 10.00}]
///         objects:
///           - charge: {id: ch_1, amount: 1000, created: 2026-03-02T10:00:05Z, metadata: {order_id: O-1}}
///           - row: {id: txn_1, type: charge, reporting_category: charge, source: ch_1, amount: 1000, fee: 59, created: 2026-03-02T10:00:05Z}
///         expect:
///           verdict: clean
///           fund_flows: [{payment_id: ch_1, platform_net: 9.41}]
///           discrepancies: []
///
/// Objects get the members that every real one has (StoryObjects). Of a table named under `expect` every row must be listed; of a row only the
/// cells that matter. Objects of later nights are not there before. `settings` is merged into crossfoot.yml.
struct Story: Sendable, CustomStringConvertible {
  struct Night: Sendable {
    var days: String
    /// Rows of orders.csv and order_refunds.csv from this night on; nil: as the night before.
    var orders: [[String: String]]?
    var refunds: [[String: String]]?
    var objects: [JSONTree]
    var removed: [String]
    var payoutRows: [String: [String]]
    var balances: [String]
    var deadLists: [String]
    var verdict: String?
    var tables: [String: [[String: String]]]
  }
  let file: String
  let title: String
  let scenario: String
  let settings: String
  let nights: [Night]

  var description: String { "\(scenario) \(title)" }

  /// The folder of the stories, beside this file.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("stories").path

  /// Every story of the folder, by file name; a file that cannot be read ends the tests with its reason.
  static let all: [Story] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".yml") }.sorted().map { name in
      do { return try Story(file: "\(folder)/\(name)") } catch { fatalError("\(name): \(error)") }
    }
  }()

  init(file: String) throws {
    self.file = file
    guard let root = try Yams.compose(yaml: String(contentsOfFile: file, encoding: .utf8)) else { throw StoryError("is empty") }
    title = root["title"]?.string ?? (file as NSString).lastPathComponent
    scenario = root["scenario"]?.string ?? "story"
    settings = try root["settings"].map { try Yams.serialize(node: $0) } ?? ""
    nights = try root["nights"]?.sequence?.map { try Story.night($0) } ?? []
    if nights.isEmpty { throw StoryError("has no nights") }
  }

  private static func night(_ node: Node) throws -> Night {
    guard let days = node["days"]?.string else { throw StoryError("a night has no days") }
    let expect = node["expect"]
    var tables: [String: [[String: String]]] = [:]
    for (key, rows) in expect?.mapping ?? [:] where key.string != "verdict" { tables[key.string ?? ""] = Story.rows(rows) }
    return Night(
      days: days, orders: node["orders"].map(rows), refunds: node["order_refunds"].map(rows),
      objects: try StoryObjects(node["objects"]?.sequence.map(Array.init) ?? []).objects(),
      removed: node["removed"]?.sequence?.compactMap(\.string) ?? [],
      payoutRows: Dictionary(
        uniqueKeysWithValues: (node["payout_rows"]?.mapping ?? [:]).map {
          ($0.string ?? "", $1.sequence?.compactMap(\.string) ?? [])
        }),
      balances: node["balances"]?.sequence?.compactMap(\.string) ?? [],
      deadLists: node["dead"]?.sequence?.compactMap(\.string) ?? [],
      verdict: expect?["verdict"]?.string, tables: tables)
  }

  private static func rows(_ node: Node) -> [[String: String]] {
    (node.sequence ?? []).map { row in
      Dictionary(uniqueKeysWithValues: (row.mapping ?? [:]).map { ($0.string ?? "", $1.scalar?.string ?? "") })
    }
  }
}

/// What is wrong with a story's own text.
struct StoryError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
