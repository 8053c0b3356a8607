/// The result of matching one group at one snapshot.
struct GroupResult: Sendable {
  var moment: Int64
  var group: Int32
  var sums: GroupSums
  var verdict: GroupVerdict
  var pairs: [MatchPair]
  /// One currency on both sides and no finding about the group as a whole: checks of fees, transfers and refunds may
  /// compare its pairs.
  var isComparable: Bool
  var refunds: [(side: RefundSide, match: RefundMatch)]
}

/// A group that could not be matched because of its amounts: it has no verdict, all other groups have one.
struct UnresolvedGroup: Sendable, Equatable {
  /// `match_node.group_id`.
  var groupID: String
  var orderIDs: [String]
  var flowKeys: [String]
  var reason: String
}

/// Matches one group at a time: a function of values, which any number of threads may call.
struct GroupMatcher: Sendable {
  let inputs: MatchInputs
  private let hashes: InitHashes
  private let links: LinksOfOrders
  private let refunds: RefundIndex

  init(_ inputs: MatchInputs, hashes: InitHashes, links: [MatchLink]) {
    self.inputs = inputs
    self.hashes = hashes
    self.links = LinksOfOrders(links, inputs)
    refunds = RefundIndex(inputs, aliases: hashes.aliases)
  }

  /// The results of a group at both snapshots; fewer where nothing of it was placed or captured by then.
  ///
  /// - Throws: `AmountOverflow` where a sum needs more than 64 bits.
  func match(_ group: MatchGroup) throws(AmountOverflow) -> [GroupResult] {
    var results: [GroupResult] = []
    for moment in inputs.instants.indices {
      if let result = try match(group, at: Int64(moment)) { results.append(result) }
    }
    return results
  }

  private func match(_ group: MatchGroup, at moment: Int64) throws(AmountOverflow) -> GroupResult? {
    guard let sums = try GroupSums(group, at: moment, inputs, hashes) else { return nil }
    let verdict = try GroupVerdict(sums.facts)
    let pairs = GroupPairs.of(sums, at: moment, inputs, links)
    let isComparable = sums.facts.isOneCurrency && !GroupMatcher.ofWholeGroup.contains(verdict.finding)
    var result = GroupResult(
      moment: moment, group: group.id, sums: sums, verdict: verdict, pairs: pairs, isComparable: isComparable,
      refunds: [])
    if isComparable { result.refunds = try matchRefunds(result) }
    return result
  }

  /// Findings about the group as a whole: its orders and payments are not compared one with one.
  private static let ofWholeGroup: Set<GroupVerdict.Condition> = [
    .duplicatePayment, .duplicateInitHash, .ambiguousMatch, .currencyMismatch,
  ]

  private func matchRefunds(_ result: GroupResult) throws(AmountOverflow) -> [(side: RefundSide, match: RefundMatch)] {
    let sides = RefundSides(
      inputs: inputs, indexes: refunds, moment: result.moment, sums: result.sums, pairs: result.pairs
    ).all()
    if sides.isEmpty { return [] }
    let matches = try RefundPairing.pair(sides, texts: inputs.texts, tolerances: inputs.tolerances)
    return zip(sides, matches).map { ($0, $1) }
  }

  /// A group that is left out, with the ids of its members.
  func unresolved(_ group: MatchGroup, _ overflow: AmountOverflow) -> UnresolvedGroup {
    UnresolvedGroup(
      groupID: inputs.nodeName(group.id),
      orderIDs: group.orders.map { inputs.texts.string(inputs.orders[Int($0)].orderID) },
      flowKeys: group.payments.map { inputs.texts.string(inputs.payments[Int($0)].flowKey) },
      reason: overflow.description)
  }
}

extension MatchInputs {
  /// The prefix and the text of a node, or of a group named by its smallest node: `o:` for an order, `p:` for a
  /// payment.
  func node(_ node: Int32) -> (prefix: StaticString, text: TextID) {
    let place = Int(node)
    return place < orders.count ? ("o:", orders[place].orderID) : ("p:", payments[place - orders.count].flowKey)
  }

  /// `match_node.node`.
  func nodeName(_ place: Int32) -> String {
    let (prefix, text) = node(place)
    return "\(prefix)\(texts.string(text))"
  }
}
