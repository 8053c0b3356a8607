import Payments

/// One refund of a comparable group, from the orders or from the provider.
struct RefundSide: Sendable, Equatable {
  enum Side: String, Sendable { case order, provider }

  var side: Side
  /// The orders' id, or the provider's; if only the status of an order records the refund, the order's id.
  var refundID: TextID
  /// Nil on the provider's side.
  var orderID: TextID?
  /// The provider's refund that both sides name.
  var named: TextID?
  /// The payment; nil: an order's refund that does not name which of several payments it is from.
  var flowKey: TextID?
  var provider: TextID
  /// The status as in `refund_at`; the orders' refunds are succeeded.
  var status: TextID
  var standing = RefundClaim.succeeded
  var currency: String
  var amountMinor: Int64
  /// When the orders recorded it, or the provider created it.
  var happenedAt: Int64
  /// Whether every payment of the group is within its provider's coverage.
  var isCovered: Bool
}

/// The rank of a provider's refund: failed and pending ones are compared only if no succeeded one is left.
enum RefundClaim: Int, Sendable, Comparable {
  case succeeded, pending, ended

  init(_ status: RefundStatus?) {
    switch status {
    case .succeeded: self = .succeeded
    case .pending: self = .pending
    default: self = .ended
    }
  }

  static func < (first: RefundClaim, second: RefundClaim) -> Bool { first.rawValue < second.rawValue }
}

/// Collects the refunds of both sides of one comparable group.
struct RefundSides {
  let inputs: MatchInputs
  let indexes: RefundIndex
  let moment: Int64
  let sums: GroupSums
  let pairs: [MatchPair]

  private var instant: Int64 { sums.facts.instant }

  /// The refunds of both sides; none where nothing was captured or the orders have no refunds at all.
  func all() -> [RefundSide] {
    guard let coverage = inputs.orderRefundCoverage else { return [] }
    let captured = sums.payments.filter { inputs.payments[Int($0)][moment]?.isCaptured == true }
    guard let group = Captured(captured, at: moment, inputs) else { return [] }
    let paired = distinct(pairs.compactMap { $0.payment == nil ? nil : $0.order })
    let ofOrders =
      coverage.isAsked ? paired.flatMap { recorded(of: $0, group) } : paired.compactMap { stated(by: $0, group) }
    return ofOrders + refunded(group, isAsked: coverage.isAsked)
  }

  /// The refunds that the order system records for an order.
  private func recorded(of order: Int32, _ group: Captured) -> [RefundSide] {
    var sides: [RefundSide] = []
    for place in indexes.recorded(of: order) {
      let refund = inputs.orderRefunds[Int(place)]
      if refund.refundedAt < instant { sides.append(side(of: refund, group)) }
    }
    return sides
  }

  private func side(of refund: OrderRefundRecord, _ group: Captured) -> RefundSide {
    var flowKey = group.onlyFlowKey
    var found: ProviderRefund?
    if let reference = refund.reference {
      found = named(by: reference, in: refund.currency, group)
      let payment = indexes.payments(knownBy: reference).filter(group.contains).min()
      if let payment { flowKey = inputs.payments[Int(payment)].flowKey }
    }
    return RefundSide(
      side: .order, refundID: refund.refundID, orderID: inputs.orders[Int(refund.order)].orderID,
      named: found?.refundID,
      flowKey: found?.flowKey ?? flowKey, provider: found?.provider ?? group.provider, status: inputs.succeeded,
      currency: refund.currency,
      amountMinor: refund.amountMinor, happenedAt: refund.refundedAt, isCovered: group.isCovered)
  }

  /// The provider's refund that an order's refund names, among the captured payments of the group.
  private func named(by reference: TextID, in currency: String, _ group: Captured) -> ProviderRefund? {
    let found = indexes.refunds(named: reference, at: moment).filter { place in
      let refund = inputs.refunds[Int(moment)][Int(place)]
      return refund.currency == currency && inputs.paymentPlaces[refund.flowKey].map(group.contains) == true
    }
    return found.map { inputs.refunds[Int(moment)][Int($0)] }.min { inputs.texts.precedes($0.flowKey, $1.flowKey) }
  }

  /// Without a source of order refunds, an order with the status refunded counts as one refund of its tender, under the
  /// order's id.
  ///
  /// The status is undated, so it proves nothing at a snapshot after which the provider made further refunds.
  private func stated(by place: Int32, _ group: Captured) -> RefundSide? {
    let order = inputs.orders[Int(place)]
    guard order.status == .refunded,
      !group.payments.contains(where: { inputs.isRefunded(inputs.payments[Int($0)], from: instant) })
    else { return nil }
    return RefundSide(
      side: .order, refundID: order.orderID, orderID: order.orderID, flowKey: group.onlyFlowKey,
      provider: group.provider,
      status: inputs.succeeded, currency: order.currency, amountMinor: order.tenderMinor,
      happenedAt: max(order.placedAt, group.capturedAt),
      isCovered: group.isCovered)
  }

  /// The provider's refunds of the payments that are paired with an order.
  private func refunded(_ group: Captured, isAsked: Bool) -> [RefundSide] {
    let payments = distinct(pairs.compactMap { $0.order == nil ? nil : $0.payment })
    let places = payments.flatMap { indexes.refunds(of: $0, at: moment) }
    if places.isEmpty { return [] }
    let named = isAsked ? namedRefunds(group) : []
    return places.map { place in
      let refund = inputs.refunds[Int(moment)][Int(place)]
      let isNamed = named.contains(NamedRefund(refundID: refund.refundID, currency: refund.currency))
      return RefundSide(
        side: .provider, refundID: refund.refundID, named: isNamed ? refund.refundID : nil, flowKey: refund.flowKey,
        provider: refund.provider, status: refund.status, standing: refund.standing, currency: refund.currency,
        amountMinor: refund.amountMinor, happenedAt: refund.createdAt, isCovered: group.isCovered)
    }
  }

  /// The identifiers that refunds name, for orders paired with captured payments.
  private func namedRefunds(_ group: Captured) -> Set<NamedRefund> {
    let orders = distinct(pairs.compactMap { pair in pair.payment.map(group.contains) == true ? pair.order : nil })
    let refunds = orders.flatMap { indexes.recorded(of: $0) }.map { inputs.orderRefunds[Int($0)] }.filter {
      $0.refundedAt < instant
    }
    return Set(
      refunds.compactMap { refund in refund.reference.map { NamedRefund(refundID: $0, currency: refund.currency) } })
  }

  private struct NamedRefund: Hashable {
    var refundID: TextID
    var currency: String
  }

  private func distinct(_ places: [Int32]) -> [Int32] { places.count < 2 ? places : Set(places).sorted() }
}

/// The captured payments of a group.
private struct Captured {
  let payments: [Int32]
  /// The provider whose refunds are read least far, the first by name of several: nothing is missing before it is read.
  let provider: TextID
  let isCovered: Bool
  /// The last capture.
  let capturedAt: Int64
  /// The payment, if there is only one.
  let onlyFlowKey: TextID?
  private let places: Set<Int32>

  /// Nil where nothing was captured.
  init?(_ payments: [Int32], at moment: Int64, _ inputs: MatchInputs) {
    let snapshots = payments.compactMap { inputs.payments[Int($0)][moment] }
    let providers = payments.map { inputs.payments[Int($0)].provider }
    let readUntil = providers.map { inputs.refundCoverage[$0]?.completeTo ?? .max }
    let least = zip(providers, readUntil).filter { $0.1 == readUntil.min() }.map(\.0)
    guard let provider = least.reduce(nil, { inputs.texts.smaller($0, $1) }) else { return nil }
    self.payments = payments
    self.provider = provider
    isCovered = snapshots.allSatisfy(\.isCovered)
    capturedAt = snapshots.compactMap(\.capturedAt).max() ?? 0
    onlyFlowKey = payments.count == 1 ? inputs.payments[Int(payments[0])].flowKey : nil
    places = Set(payments)
  }

  func contains(_ payment: Int32) -> Bool { places.contains(payment) }
}
