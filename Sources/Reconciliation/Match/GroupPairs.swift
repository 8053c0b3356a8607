/// A payment paired with an order: a row of order_matches.csv.
struct MatchPair: Sendable, Equatable {
  /// Positions in the inputs; one of them is nil where the other has no counterpart.
  var order: Int32?
  var payment: Int32?
  /// The name of the rule.
  var rule: String?
}

/// The pairs of one group.
enum GroupPairs {
  /// The pairs of orders and payments that a rule linked, then those without a counterpart.
  ///
  /// An authorisation is paired with its order only while a capture is still to come; a started approval only while
  /// nothing was captured.
  static func of(_ sums: GroupSums, at moment: Int64, _ inputs: MatchInputs, _ links: LinksOfOrders) -> [MatchPair] {
    let beside = sums.payments.filter { place in
      guard let snapshot = inputs.payments[Int(place)][moment] else { return false }
      return snapshot.isCaptured || snapshot.progress == .authorised || sums.facts.payments == 0
    }
    var paired: Set<Int32> = []
    var pairs: [MatchPair] = []
    let candidates = Set(beside)
    for order in sums.orders {
      let found = links[order].filter { candidates.contains($0.payment) }
      pairs += found.map { MatchPair(order: order, payment: $0.payment, rule: $0.rule) }
      if found.isEmpty { pairs.append(MatchPair(order: order)) }
      paired.formUnion(found.map { $0.payment })
    }
    for payment in beside where !paired.contains(payment) && inputs.payments[Int(payment)][moment]?.isCaptured == true {
      pairs.append(MatchPair(payment: payment))
    }
    return pairs
  }
}

/// The payments that rules found for each order.
struct LinksOfOrders: Sendable {
  private let links: [(payment: Int32, rule: String)]
  private let byOrder: Buckets

  init(_ links: [MatchLink], _ inputs: MatchInputs) {
    let found = links.compactMap { link in
      inputs.paymentPlaces[link.flowKey].map { (order: link.claim.order, payment: $0, rule: link.rule) }
    }
    byOrder = Buckets(keys: found.map { $0.order }, count: inputs.orders.count)
    self.links = found.map { (payment: $0.payment, rule: $0.rule) }
  }

  /// The payments of an order, by their positions.
  subscript(_ order: Int32) -> [(payment: Int32, rule: String)] { byOrder[order].map { links[Int($0)] } }
}
