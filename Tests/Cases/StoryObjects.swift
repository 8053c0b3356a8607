import Foundation
import Marketplace
import Payments
import Yams

/// Fills a story's short objects up to the shape of real ones (providers' fixtures), personal data included: none of it
/// may come through.
struct StoryObjects {
  private let entries: [Node]

  init(_ entries: [Node]) { self.entries = entries }

  /// The objects with their defaults; a ledger row is written into the object whose row it is.
  func objects() throws -> [JSONTree] {
    var objects: [[String: JSONTree]] = []
    for entry in entries {
      guard let (key, value) = entry.mapping?.first, let kind = key.string else {
        throw StoryError("an object is one key with its members")
      }
      objects.append(try StoryObjects.filled(kind, StoryObjects.members(value)))
    }
    for row in objects where row["object"]?.word == "balance_transaction" { StoryObjects.attach(row, to: &objects) }
    return objects.map(StoryObjects.tree)
  }

  static func tree(_ members: [String: JSONTree]) -> JSONTree {
    .object(members.filter { $0.key != "of" }.sorted { $0.key < $1.key }.map { JSONTree.Member($0.key, $0.value) })
  }

  private static func members(_ node: Node) throws -> [String: JSONTree] {
    Dictionary(
      uniqueKeysWithValues: try (node.mapping ?? [:]).map { ($0.string ?? "", try value($1, key: $0.string ?? "")) })
  }

  private static let moments: Set<String> = [
    "created", "available_on", "arrival_date", "canceled_at", "due_by", "capture_before",
  ]

  private static func value(_ node: Node, key: String) throws -> JSONTree {
    switch node {
    case .mapping: return tree(try members(node))
    case .sequence(let sequence): return .array(try sequence.map { try value($0, key: key) })
    case .scalar(let scalar):
      if moments.contains(key), scalar.string.contains("T") { return .number(String(try Instant.parse(scalar.string))) }
      if scalar.style != .plain { return .string(scalar.string) }
      switch scalar.string {
      case "null", "~", "": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: return Double(scalar.string) != nil ? .number(scalar.string) : .string(scalar.string)
      }
    default: return .null
    }
  }

  private static func filled(_ kind: String, _ given: [String: JSONTree]) throws -> [String: JSONTree] {
    let object = kind == "row" ? "balance_transaction" : kind
    guard given["id"] != nil || kind == "balance" else { throw StoryError("a \(kind) has no id") }
    var filled: [String: JSONTree] = ["object": .string(object), "currency": .string("usd"), "livemode": .bool(false)]
    for (key, value) in try defaults(object, given) { filled[key] = value }
    return filled.merging(given) { _, given in given }
  }

  /// Writes a row's id into the object that it belongs to: its source, or the one that `of` names.
  private static func attach(_ row: [String: JSONTree], to objects: inout [[String: JSONTree]]) {
    guard let owner = (row["of"] ?? row["source"])?.word, let id = row["id"] else { return }
    let type = row["type"]?.word ?? ""
    if row["of"] == nil && ["transfer_refund", "application_fee_refund"].contains(type) { return }
    let member =
      ["refund_failure", "payment_failure_refund", "payout_failure"].contains(type)
      ? "failure_balance_transaction" : "balance_transaction"
    for index in objects.indices {
      if objects[index]["id"]?.word == owner { set(member, id, row, in: &objects[index]) }
      for list in ["reversals", "refunds"] where objects[index][list] != nil {
        attachPart(list, owner, id, in: &objects[index])
      }
    }
  }

  private static func set(
    _ member: String, _ id: JSONTree, _ row: [String: JSONTree], in object: inout [String: JSONTree]
  ) {
    if object["object"]?.word == "dispute" {
      object["balance_transactions"] = .array((object["balance_transactions"]?.elements ?? []) + [tree(row)])
    } else if object[member] == nil || object[member] == .null {
      object[member] = id
    }
  }

  private static func attachPart(_ list: String, _ owner: String, _ id: JSONTree, in object: inout [String: JSONTree]) {
    let parts = (object[list]?["data"]?.elements ?? object[list]?.elements ?? []).map { part -> JSONTree in
      guard part["id"]?.word == owner, case .object(let members) = part else { return part }
      return .object(members.filter { $0.name != "balance_transaction" } + [JSONTree.Member("balance_transaction", id)])
    }
    object[list] = tree([
      "object": .string("list"), "has_more": .bool(false), "url": .string("/v1/\(list)"), "data": .array(parts),
    ])
  }
}
