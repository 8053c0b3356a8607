/// The result of comparing the two sides of a group for one refund.
struct RefundMatch: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case matched
    /// The other side has it with a different amount.
    case differs
    /// The other side has nothing for it.
    case alone
  }

  var outcome: Outcome
  /// The payment within which sums were compared; nil: the whole group.
  var unit: TextID?
}

/// Pairs the refunds that the orders record with those of the provider, surest first and each once.
///
/// 1. The same refund by its id, whatever the amounts: the order's refund names it.
/// 2. The same amount on the same payment: the first of one side with the first of the other.
/// 3. The same amount in the group: an order's refund need not name which of several payments it is from.
/// 4. The sums of what then remains on both sides of a payment: a refund may be recorded in parts. Where an order's
///    refund does not name the payment, the sums of what remains in the group.
///
/// Amounts of two currencies never meet.
struct RefundPairing {
  private let sides: [RefundSide]
  private let texts: TextPool
  private let tolerances: [String: Int64]
  private var matches: [RefundMatch?]

  /// - Returns: one match for each side, in their order.
  /// - Throws: `AmountOverflow` where a sum needs more than 64 bits.
  static func pair(_ sides: [RefundSide], texts: TextPool, tolerances: [String: Int64]) throws(AmountOverflow)
    -> [RefundMatch]
  {
    var pairing = RefundPairing(sides: sides, texts: texts, tolerances: tolerances)
    try pairing.pairByName()
    pairing.pairByAmountOnPayment()
    pairing.pairByAmountInGroup()
    try pairing.compareRest()
    return pairing.matches.map { $0 ?? RefundMatch(outcome: .alone) }
  }

  private init(sides: [RefundSide], texts: TextPool, tolerances: [String: Int64]) {
    self.sides = sides
    self.texts = texts
    self.tolerances = tolerances
    matches = Array(repeating: nil, count: sides.count)
  }

  private var open: [Int] { sides.indices.filter { matches[$0] == nil } }

  /// What the refunds compared in one step have in common.
  private struct Key: Hashable {
    var currency: String
    var text: TextID?
    var amountMinor: Int64 = 0
    var isCompared = true
  }

  private mutating func pairByName() throws(AmountOverflow) {
    let named = Dictionary(grouping: sides.indices.filter { sides[$0].named != nil }) {
      Key(currency: sides[$0].currency, text: sides[$0].named)
    }
    for (key, members) in named {
      let outcome: RefundMatch.Outcome = try difference(members) <= tolerance(key) ? .matched : .differs
      for member in members { matches[member] = RefundMatch(outcome: outcome, unit: sides[member].flowKey) }
    }
  }

  private mutating func pairByAmountOnPayment() {
    pairEqual(open.filter { sides[$0].flowKey != nil }) {
      Key(currency: $0.currency, text: $0.flowKey, amountMinor: $0.amountMinor)
    }
  }

  private mutating func pairByAmountInGroup() {
    pairEqual(open) { Key(currency: $0.currency, amountMinor: $0.amountMinor) }
  }

  /// Pairs refunds with the same key: the first of one side with the first of the other.
  private mutating func pairEqual(_ members: [Int], by key: (RefundSide) -> Key) {
    for group in Dictionary(grouping: members, by: { key(sides[$0]) }).values where group.count > 1 {
      let orders = group.filter { sides[$0].side == .order }.sorted(by: precedes)
      let providers = group.filter { sides[$0].side == .provider }.sorted(by: precedes)
      for (order, provider) in zip(orders, providers) {
        for member in [order, provider] {
          matches[member] = RefundMatch(outcome: .matched, unit: sides[member].flowKey)
        }
      }
    }
  }

  /// Succeeded refunds first, then the earliest.
  private func precedes(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (sides[first], sides[second])
    if one.standing != other.standing { return one.standing < other.standing }
    if one.happenedAt != other.happenedAt { return one.happenedAt < other.happenedAt }
    return one.refundID == other.refundID
      ? texts.precedes(one.provider, other.provider) : texts.precedes(one.refundID, other.refundID)
  }

  /// Compares the sums of what is left. While a succeeded refund of the provider is left, its refunds in another status
  /// are not compared.
  private mutating func compareRest() throws(AmountOverflow) {
    let rest = open
    if rest.isEmpty { return }
    let whole = Set(rest.filter { sides[$0].flowKey == nil }.map { sides[$0].currency })
    let units = Dictionary(grouping: rest) { Key(currency: sides[$0].currency, text: unit(of: $0, whole)) }
    for group in units.values {
      let hasSucceeded = group.contains { sides[$0].side == .provider && sides[$0].standing == .succeeded }
      let compared = group.filter { !hasSucceeded || sides[$0].side == .order || sides[$0].standing == .succeeded }
      let agreed = try outcome(ofSums: compared)
      for member in group { matches[member] = RefundMatch(outcome: .alone, unit: unit(of: member, whole)) }
      for member in compared { matches[member]?.outcome = agreed }
    }
  }

  /// The payment within which a refund is compared; nil: the whole group, where a refund in its currency does not name
  /// its payment.
  private func unit(of member: Int, _ whole: Set<String>) -> TextID? {
    whole.contains(sides[member].currency) ? nil : sides[member].flowKey
  }

  private func outcome(ofSums members: [Int]) throws(AmountOverflow) -> RefundMatch.Outcome {
    let orders = members.count { sides[$0].side == .order }
    if orders == 0 || orders == members.count { return .alone }
    return try difference(members) <= tolerance(Key(currency: sides[members[0]].currency)) ? .matched : .differs
  }

  private func tolerance(_ key: Key) -> UInt64 { (tolerances[key.currency] ?? 0).magnitude }

  /// The sum that the orders record less that of the provider, as a magnitude.
  private func difference(_ members: [Int]) throws(AmountOverflow) -> UInt64 {
    var sum: Int64 = 0
    for member in members {
      let amount = sides[member].amountMinor
      let isOrder = sides[member].side == .order
      sum =
        isOrder
        ? try sum.adding(amount, "the sum of its refunds") : try sum.subtracting(amount, "the sum of its refunds")
    }
    return sum.magnitude
  }
}
