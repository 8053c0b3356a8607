/// A rule that finds orders for a payment.
///
/// Rules are tried surest first; once a rule finds an order for a payment, later rules skip the payment.
struct MatchRule: Sendable {
  /// The value of `rule` in order_matches.csv.
  let name: String
  /// Why the rule can be trusted.
  let reason: String
  /// The orders it finds for a payment with the given references.
  let claims: @Sendable (_ references: [PaymentReference], _ orders: OrderIndex) -> [Claim]

  /// An order that a rule found.
  struct Claim: Hashable, Sendable {
    /// The position of the order.
    var order: Int32
    /// The identifier that both have in common.
    var value: TextID
    /// The position of the payment's field among those configured as `order_reference`; 0 where the order names the
    /// payment.
    var rank: Int64
  }

  /// Every rule, surest first. A new rule needs one more entry here, and one in the table of its test.
  static let all = [paymentReferences, orderReference]

  static let paymentReferences = MatchRule(
    name: "payment-references",
    reason: "the order itself names an identifier of the payment that it learned at checkout"
  ) { references, orders in
    references.flatMap { reference in
      orders.naming(reference.value).map { Claim(order: $0, value: reference.value, rank: 0) }
    }
  }

  static let orderReference = MatchRule(
    name: "order-reference",
    reason:
      "the payment names the order in one of the provider's `order_reference` fields, tried in the configured order"
  ) { references, orders in
    let named = references.compactMap { reference -> Claim? in
      guard let rank = reference.rank, let order = orders.place(of: reference.value) else { return nil }
      return Claim(order: order, value: reference.value, rank: rank)
    }
    let best = named.map(\.rank).min()
    return named.filter { $0.rank == best }
  }
}

/// The orders by their ids, and by the identifiers of payments that they name.
struct OrderIndex: Sendable {
  private let places: Places
  private let orders: [Int32]
  private let byValue: Buckets

  init(_ inputs: MatchInputs) {
    places = inputs.orderPlaces
    orders = inputs.orderReferences.map(\.order)
    byValue = Buckets(keys: inputs.orderReferences.map(\.value.index), count: inputs.texts.count)
  }

  /// The orders that name an identifier.
  func naming(_ value: TextID) -> [Int32] { byValue[value.index].map { orders[Int($0)] } }

  /// The order with that id.
  func place(of orderID: TextID) -> Int32? { places[orderID] }
}

/// A payment and an order that a rule linked.
struct MatchLink: Sendable {
  var flowKey: TextID
  var claim: MatchRule.Claim
  /// The name of the rule.
  var rule: String

  /// The links of all payments, each from the first rule that finds an order.
  static func all(
    _ inputs: MatchInputs, aliases: [PaymentReference], rules: [MatchRule] = MatchRule.all
  ) -> [MatchLink] {
    let references = inputs.references + aliases
    let byPayment = Buckets(keys: references.map(\.flowKey.index), count: inputs.texts.count)
    let orders = OrderIndex(inputs)
    var links: [MatchLink] = []
    for flowKey in 0..<Int32(byPayment.count) where !byPayment[flowKey].isEmpty {
      let own = byPayment[flowKey].map { references[Int($0)] }
      for rule in rules {
        let claims = rule.claims(own, orders)
        if claims.isEmpty { continue }
        links += distinct(claims, inputs.texts).map {
          MatchLink(flowKey: TextID(index: flowKey), claim: $0, rule: rule.name)
        }
        break
      }
    }
    return links
  }

  /// One claim per order, in the order of the orders' ids; where several identifiers make the same claim, the smallest
  /// counts.
  private static func distinct(_ claims: [MatchRule.Claim], _ texts: TextPool) -> [MatchRule.Claim] {
    if claims.count == 1 { return claims }
    var best: [Int32: MatchRule.Claim] = [:]
    for claim in claims {
      if let other = best[claim.order], !texts.precedes(claim.value, other.value) { continue }
      best[claim.order] = claim
    }
    return best.values.sorted { $0.order < $1.order }
  }
}
