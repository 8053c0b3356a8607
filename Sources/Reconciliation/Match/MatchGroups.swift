/// The groups that references connect: every order and every payment is in exactly one, named by its smallest node.
///
/// Nodes are numbered: orders first, then payments, both in the order of their ids, so that the smallest number is the
/// smallest node.
struct MatchGroups: Sendable {
  let orderCount: Int32
  /// The smallest node of each node's group.
  let groupOfNode: [Int32]
  private let members: Buckets

  init(orderCount: Int, paymentCount: Int, links: [(order: Int32, payment: Int32)], twins: [(Int32, Int32)]) {
    self.orderCount = Int32(orderCount)
    var sets = DisjointSets(count: orderCount + paymentCount)
    for link in links { sets.merge(link.order, self.orderCount + link.payment) }
    for (first, second) in twins { sets.merge(first, second) }
    groupOfNode = (0..<Int32(orderCount + paymentCount)).map { sets.root(of: $0) }
    members = Buckets(keys: groupOfNode, count: groupOfNode.count)
  }

  /// Forms the groups of a run: orders and payments that a rule linked, and orders that have the same init hash.
  init(_ inputs: MatchInputs, links: [MatchLink], hashes: InitHashes) {
    var firstOfHash: [TextID: Int32] = [:]
    var twins: [(Int32, Int32)] = []
    for (order, hash) in hashes.ofOrders {
      if let first = firstOfHash[hash] { twins.append((first, order)) } else { firstOfHash[hash] = order }
    }
    self.init(
      orderCount: inputs.orders.count, paymentCount: inputs.payments.count,
      links: links.compactMap { link in
        inputs.paymentPlaces[link.flowKey].map { (order: link.claim.order, payment: $0) }
      }, twins: twins)
  }

  /// The groups in the order of their ids, each by its smallest node.
  var ids: [Int32] { (0..<Int32(groupOfNode.count)).filter { groupOfNode[Int($0)] == $0 } }

  /// How many orders and payments a group has.
  func size(of group: Int32) -> Int { members[group].count }

  /// The members of a group: positions of orders and of payments, sorted by their ids.
  subscript(_ group: Int32) -> MatchGroup {
    let nodes = members[group]
    let firstPayment = nodes.firstIndex { $0 >= orderCount } ?? nodes.endIndex
    return MatchGroup(
      id: group, orders: Array(nodes[..<firstPayment]), payments: nodes[firstPayment...].map { $0 - orderCount })
  }
}

/// One group: positions of its orders and payments among the inputs, sorted by their ids.
struct MatchGroup: Sendable, Equatable {
  var id: Int32
  var orders: [Int32]
  var payments: [Int32]
}
