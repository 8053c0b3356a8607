/// One object as the endpoint holds it: its JSON ready to send, and what lists need to know of it.
package struct ServedObject: Sendable {
  package var id: String
  /// The `object` member, e.g. `charge`.
  package var object: String
  /// Unix seconds.
  package var created: Int64
  /// The members that lists filter by, by name.
  package var keys: [String: String]
  /// Compact JSON; of a transfer or an application fee without its sub-list, which the endpoint adds.
  package var json: String
  /// The transfer or application fee whose sub-list holds the object.
  package var parent: String?
  /// What a ledger row adds to the balance, minor units of its `currency`; 0 of anything else.
  package var net: Int64

  package init(
    id: String, object: String, created: Int64, keys: [String: String] = [:], json: String, parent: String? = nil,
    net: Int64 = 0
  ) {
    self.id = id
    self.object = object
    self.created = created
    self.keys = keys
    self.json = json
    self.parent = parent
    self.net = net
  }
}

extension ServedObject {
  /// Takes a tree apart into the object itself and the objects of its embedded sub-list.
  ///
  /// - Throws: `MarketplaceError.notPlaceable` or `.unknownObject`.
  static func read(_ tree: JSONTree) throws -> [ServedObject] {
    let object = try word("object", of: tree, kind: "?")
    var tree = tree
    var parts: [ServedObject] = []
    let list = StripeList.holding(object)
    if let subList = list?.subList {
      parts = try (tree[subList.member]?["data"]?.elements ?? []).flatMap { try read($0) }
      tree[subList.member] = nil
    }
    return [try single(tree, object: object, list: list)] + parts
  }

  private static func single(_ tree: JSONTree, object: String, list: StripeList?) throws -> ServedObject {
    let parentMember = StripeList.allCases.compactMap(\.subList).first { $0.object == object }?.parent
    guard list != nil || parentMember != nil else { throw MarketplaceError.unknownObject(object) }
    var keys: [String: String] = [:]
    for name in list?.filters ?? [] {
      keys[name] = tree[name]?.reference ?? tree[name]?.word
    }
    for name in ["automatic", "balance_type"] { keys[name] = keys[name] ?? tree[name]?.word }
    return ServedObject(
      id: try word("id", of: tree, kind: object), object: object,
      created: Int64(try word("created", of: tree, kind: object)) ?? 0, keys: keys, json: tree.text,
      parent: parentMember.flatMap { tree[$0]?.reference },
      net: list == .balanceTransactions ? Int64(tree["net"]?.word ?? "0") ?? 0 : 0)
  }

  private static func word(_ member: String, of tree: JSONTree, kind: String) throws -> String {
    guard let word = tree[member]?.word else { throw MarketplaceError.notPlaceable(member: member, of: kind) }
    return word
  }
}
