import Foundation
import Marketplace
import Payments
import Yams

/// A case in one file: what the provider and the orders hold, night by night, and what the reports must say of it.
/// Tests/Cases/stories/README.md describes the format.
struct Story: Sendable, CustomStringConvertible {
  struct Night: Sendable {
    var days: String
    /// Rows of orders.csv and order_refunds.csv from this night on; nil: as the night before.
    var orders: [[String: String]]?
    var refunds: [[String: String]]?
    var objects: [JSONTree]
    var payoutRows: [String: [String]]
    /// What `/v1/balance` states too much from this night on, minor units by currency.
    var misstated: [String: Int64]
    var faults: FaultPlan
    /// Text put into order files as it is, after their rows: what no careful exporter would write.
    var extraOrderLines: [String]
    var verdict: String?
    var tables: [String: [[String: String]]]
    var counts: [String: Int]
    /// What a table's column adds up to, by `table.column`, or `table.column other=word` for the rows that have a word.
    var sums: [String: String] = [:]
    /// What is written below the folder before the pull; nil: deleted.
    var files: [(path: String, text: String?)] = []
    /// What the loopback servers answer; nil: as the night before.
    var answers: [StoryAnswer]?
    /// How often what was asked for in this night; -1: at least once.
    var requests: [String: Int] = [:]
    var moment: Moment = .afterEnd(3600)
    /// Part of what a run that publishes nothing says.
    var refused: String?
  }

  /// When a night's pull is.
  enum Moment: Sendable {
    case afterEnd(Int64)
    case at(Int64)
  }
  /// The path below the folder of the stories, without its ending.
  let name: String
  let title: String
  let settings: String
  /// The provider's `retry`, as YAML on one line.
  let retry: String
  /// The configuration as YAML; nil: one Stripe account.
  let configuration: String?
  /// Texts that may be found nowhere afterwards.
  let secrets: [String]
  /// Answers for every night, tried after the night's own.
  let answers: [StoryAnswer]
  let nights: [Night]

  var description: String { "\(name): \(title)" }

  /// The folder of the stories, beside this file.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("stories").path

  /// The files of the folder and of those in it.
  static let files = (FileManager.default.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".yml") }.sorted()

  /// Every story, or those whose file name or path begins with a word of
  /// `CROSSFOOT_TEST_STORIES`: `S12 paypal/refunds`.
  ///
  /// A file that cannot be read, and a choice that nothing answers to, end the tests with their reason.
  static let all: [Story] = {
    let chosen = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_STORIES"] ?? ""
    let words = chosen.split(separator: " ")
    let stories = files.filter { path in
      words.isEmpty || words.contains { path.hasPrefix($0) || (path as NSString).lastPathComponent.hasPrefix($0) }
    }
    if stories.isEmpty { fatalError("no story of \(folder) begins with \(chosen)") }
    return stories.map { name in
      do { return try Story(file: "\(folder)/\(name)") } catch { fatalError("\(name): \(error)") }
    }
  }()

  init(file: String) throws {
    guard let root = try Yams.compose(yaml: String(contentsOfFile: file, encoding: .utf8)) else {
      throw StoryError("is empty")
    }
    try Self.expectKeys(of: root, in: "the story", Self.keys)
    name = (file.hasPrefix(Story.folder) ? String(file.dropFirst(Story.folder.count + 1)) : file)
      .replacingOccurrences(of: ".yml", with: "")
    title = root["title"]?.string ?? "without a title"
    settings = try root["settings"].map { try Yams.serialize(node: $0) } ?? ""
    retry = root["retry"]?.string ?? "{attempts: 2, wait_at_most: 1s}"
    configuration = root["configuration"]?.string
    secrets = root["secrets"]?.sequence?.compactMap(\.string) ?? []
    answers = try root["answers"].map { try StoryAnswer.list($0, copies: 1) } ?? []
    nights = try root["nights"]?.sequence?.map { try Story.night($0) } ?? []
    if nights.isEmpty { throw StoryError("has no nights") }
  }

  private static let keys = ["title", "settings", "retry", "configuration", "secrets", "answers", "nights"]
  private static let nightKeys = [
    "days", "now", "copies", "orders", "order_refunds", "extra_order_lines", "objects", "files", "answers",
    "payout_rows", "misstated", "faults", "dead", "expect",
  ]

  /// A key that is written wrong would be an expectation that nothing holds.
  private static func expectKeys(of node: Node, in place: String, _ known: [String]) throws {
    for (key, _) in node.mapping ?? [:] where !known.contains(key.string ?? "") {
      throw StoryError("\(place) has the key \"\(key.string ?? "")\"; known are \(known.joined(separator: ", "))")
    }
  }

  private static func night(_ node: Node) throws -> Night {
    try expectKeys(of: node, in: "a night", nightKeys)
    guard let days = node["days"]?.string else { throw StoryError("a night has no days") }
    let expect = node["expect"]
    let copies = node["copies"]?.int ?? 1
    var tables: [String: [[String: String]]] = [:]
    for (key, rows) in expect?.mapping ?? [:]
    where !["verdict", "counts", "sums", "requests", "refused"].contains(key.string) {
      tables[key.string ?? ""] = Story.rows(rows, copies: 1)
    }
    return Night(
      days: days, orders: node["orders"].map { rows($0, copies: copies) },
      refunds: node["order_refunds"].map { rows($0, copies: copies) },
      objects: try StoryObjects(repeated(node["objects"], copies: copies)).objects(),
      payoutRows: Dictionary(
        uniqueKeysWithValues: (node["payout_rows"]?.mapping ?? [:]).map {
          ($0.string ?? "", $1.sequence?.compactMap(\.string) ?? [])
        }),
      misstated: (node["misstated"]?.mapping ?? [:]).reduce(into: [:]) {
        $0[$1.key.string ?? ""] = Int64($1.value.int ?? 0)
      },
      faults: try StoryFaults.plan(node),
      extraOrderLines: node["extra_order_lines"]?.sequence?.compactMap(\.string) ?? [],
      verdict: expect?["verdict"]?.string,
      tables: tables,
      counts: (expect?["counts"]?.mapping ?? [:]).reduce(into: [:]) { $0[$1.key.string ?? ""] = $1.value.int },
      sums: (expect?["sums"]?.mapping ?? [:]).reduce(into: [:]) { $0[$1.key.string ?? ""] = $1.value.scalar?.string },
      files: try StoryFiles.list(node["files"], copies: copies),
      answers: try node["answers"].map { try StoryAnswer.list($0, copies: copies) },
      requests: try (expect?["requests"]?.mapping ?? [:]).reduce(into: [:]) {
        $0[$1.key.string ?? ""] = try times($1.value)
      },
      moment: try node["now"]?.string.map(moment) ?? .afterEnd(3600), refused: expect?["refused"]?.string)
  }

  private static func moment(_ text: String) throws -> Moment {
    try Int64(text).map { .afterEnd($0) } ?? .at(Instant.parse(text))
  }

  private static func times(_ node: Node) throws -> Int {
    switch node.string {
    case "absent": return 0
    case "some": return -1
    case let text: if let count = text.flatMap({ Int($0) }) { return count }
    }
    throw StoryError("requests are a count, some or absent")
  }

  private static func rows(_ node: Node, copies: Int) -> [[String: String]] {
    repeated(node, copies: copies).map { row in
      Dictionary(uniqueKeysWithValues: (row.mapping ?? [:]).map { ($0.string ?? "", $1.scalar?.string ?? "") })
    }
  }

  /// The nodes of a sequence; one with `{n}` in it as often as asked for.
  static func repeated(_ node: Node?, copies: Int) -> [Node] {
    (node?.sequence.map(Array.init) ?? []).flatMap { entry -> [Node] in
      guard numbered(entry, 1) != entry else { return [entry] }
      return (1...copies).map { numbered(entry, $0) }
    }
  }

  private static func numbered(_ node: Node, _ number: Int) -> Node {
    switch node {
    case .scalar(var scalar):
      scalar.string = scalar.string.replacingOccurrences(of: "{n}", with: String(number))
      return .scalar(scalar)
    case .mapping(let mapping):
      return Node(mapping.map { (numbered($0, number), numbered($1, number)) }, mapping.tag, mapping.style)
    case .sequence(let sequence): return Node(sequence.map { numbered($0, number) }, sequence.tag, sequence.style)
    default: return node
    }
  }
}

/// What goes wrong on the wire in a night.
enum StoryFaults {
  static func plan(_ night: Node) throws -> FaultPlan {
    let dead = try (night["dead"]?.sequence?.compactMap(\.string) ?? []).flatMap { name in
      guard let list = StripeList(rawValue: name) else { throw StoryError("there is no list \(name)") }
      return FaultPlan.dead(list).rules
    }
    return FaultPlan(try dead + (night["faults"]?.sequence.map(Array.init) ?? []).map(rule))
  }

  private static func rule(_ node: Node) throws -> FaultPlan.Rule {
    guard let list = node["list"]?.string else { throw StoryError("a fault has no list") }
    let bounds = (node["requests"]?.string ?? "1..999999").components(separatedBy: "..").compactMap { Int($0) }
    guard let first = bounds.first, let last = bounds.last else { throw StoryError("requests are like 1..2") }
    return FaultPlan.Rule(try kind(node), path: "/v1/\(list)", requests: first...last)
  }

  private static func kind(_ node: Node) throws -> FaultPlan.Kind {
    switch node["kind"]?.string {
    case "rate_limited": .rateLimited(retryAfter: node["retry_after"]?.int)
    case "status": .status(node["status"]?.int ?? 500)
    case "bad_gateway": .badGateway
    case "cut_body": .cutBody(0.6)
    case "ends_early": .endsEarly
    case "repeated_object": .repeatedObject
    case "forbidden": .forbidden
    case let other: throw StoryError("there is no fault \(other ?? "without a kind")")
    }
  }
}

/// What is wrong with a story's own text.
struct StoryError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
