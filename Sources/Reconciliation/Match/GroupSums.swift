/// One group at one snapshot: its members and their sums.
struct GroupSums: Sendable {
  var facts = GroupFacts()
  /// Positions of the orders that were placed by then, sorted by their ids.
  var orders: [Int32] = []
  /// Positions of the payments that are captured or may still be, captured ones first, then sorted by their ids.
  var payments: [Int32] = []
  /// The provider of its payments, the first by name; else the order's expected provider.
  var provider: TextID?
  private var holder: TextID?
  var account: TextID?

  /// Sums up a group.
  ///
  /// - Returns: nil where no order was placed and nothing captured by then.
  /// - Throws: `AmountOverflow` where a sum needs more than 64 bits.
  init?(_ group: MatchGroup, at moment: Int64, _ inputs: MatchInputs, _ hashes: InitHashes) throws(AmountOverflow) {
    facts.instant = inputs.instants[Int(moment)]
    orders = group.orders.filter { inputs.orders[Int($0)].placedAt < facts.instant }
    payments = GroupSums.active(group, at: moment, inputs)
    if orders.isEmpty, !payments.contains(where: { inputs.payments[Int($0)][moment]?.isCaptured == true }) {
      return nil
    }
    try addOrders(inputs)
    try addPayments(at: moment, inputs)
    for place in group.payments { addRelease(inputs.payments[Int(place)], at: moment, inputs) }
    facts.toleranceMinor = inputs.tolerance(in: facts.orderCurrency ?? facts.paymentCurrency)
    try addFits(at: moment, inputs)
    addHashes(group, inputs, hashes)
  }

  private mutating func addRelease(_ payment: MatchPayment, at moment: Int64, _ inputs: MatchInputs) {
    guard let snapshot = payment[moment], let releasedAt = snapshot.releasedAt else { return }
    facts.releasedAt = max(facts.releasedAt, releasedAt)
    guard !snapshot.isCaptured, let coverage = inputs.paymentCoverage[payment.provider],
      releasedAt >= coverage.coversFrom, releasedAt <= coverage.completeTo
    else { return }
    facts.lapseReadUntil = max(facts.lapseReadUntil ?? 0, coverage.completeTo)
  }

  /// The payments that count, captured ones first, then by their ids.
  private static func active(_ group: MatchGroup, at moment: Int64, _ inputs: MatchInputs) -> [Int32] {
    let active = group.payments.filter { inputs.payments[Int($0)][moment]?.isActive == true }
    if active.count < 2 { return active }
    return active.sorted { first, second in
      let (one, other) = (inputs.payments[Int(first)], inputs.payments[Int(second)])
      let isCaptured = one[moment]?.isCaptured ?? false
      if isCaptured != other[moment]?.isCaptured ?? false { return isCaptured }
      if one.paymentID == other.paymentID { return first < second }
      return inputs.texts.precedes(one.paymentID, other.paymentID)
    }
  }

  private mutating func addOrders(_ inputs: MatchInputs) throws(AmountOverflow) {
    var currencies = SingleCurrency()
    var expected: TextID?
    facts.isCaptureReadable = true
    for place in orders {
      let order = inputs.orders[Int(place)]
      facts.orders += 1
      facts.placedAt = max(facts.placedAt, order.placedAt)
      facts.tenderMinor = try facts.tenderMinor.adding(order.tenderMinor, "the tenders of its orders")
      if order.status == .pending {
        facts.pendingMinor = try facts.pendingMinor.adding(order.tenderMinor, "the tenders of its pending orders")
      }
      facts.cancelled += order.status == .cancelled ? 1 : 0
      facts.served += order.isServed ? 1 : 0
      facts.cancelReadAt = max(facts.cancelReadAt, order.cancelReadAt ?? 0)
      currencies.add(order.currency)
      expected = inputs.texts.greater(expected, order.provider)
      if order.isDue { try addDue(order, inputs) }
    }
    facts.isCaptureReadable = facts.isCaptureReadable && facts.due > 0
    facts.orderCurrency = currencies.currency
    provider = expected
  }

  private mutating func addDue(_ order: MatchOrder, _ inputs: MatchInputs) throws(AmountOverflow) {
    let delay = order.provider.flatMap { inputs.policies[$0]?.captureCompleteWithin } ?? inputs.longestCaptureDelay
    let dueAt = order.placedAt + delay
    facts.due += 1
    facts.dueMinor = try facts.dueMinor.adding(order.tenderMinor, "the tenders of its due orders")
    facts.dueAt = max(facts.dueAt ?? dueAt, dueAt)
    let coverage = inputs.paymentCoverage[order.provider ?? inputs.empty]
    let isReadable = coverage.map { order.placedAt >= $0.coversFrom && dueAt <= $0.completeTo } ?? false
    facts.isCaptureReadable = facts.isCaptureReadable && isReadable
    if let coverage {
      facts.isRestCovered = facts.isRestCovered && order.placedAt >= coverage.coversFrom
      facts.restReadUntil = min(facts.restReadUntil, coverage.completeTo)
    } else if order.provider != nil {
      facts.restReadUntil = .min
    }
  }

  private mutating func addPayments(at moment: Int64, _ inputs: MatchInputs) throws(AmountOverflow) {
    var currencies = SingleCurrency()
    facts.isCovered = true
    for place in payments {
      let payment = inputs.payments[Int(place)]
      guard let snapshot = payment[moment] else { continue }
      facts.authorised += snapshot.progress == .authorised || snapshot.openMinor > 0 ? 1 : 0
      facts.failed += snapshot.failedMinor > 0 ? 1 : 0
      facts.capturedMinor = try facts.capturedMinor.adding(snapshot.capturedMinor, "what its payments captured")
      facts.refundedMinor = try facts.refundedMinor.adding(snapshot.refundedMinor, "what its payments refunded")
      facts.capturedAt = max(facts.capturedAt, snapshot.capturedAt ?? 0)
      facts.failedAt = snapshot.failedAt.map { max(facts.failedAt ?? $0, $0) } ?? facts.failedAt
      facts.disputedMinor = try facts.disputedMinor.adding(snapshot.disputedMinor, "what disputes took of its payments")
      facts.isRefundedLater = facts.isRefundedLater || inputs.isRefunded(payment, from: facts.instant)
      hold(payment.provider, snapshot.account, inputs)
      if snapshot.isCaptured {
        facts.payments += 1
        currencies.add(snapshot.currency)
        facts.isCovered = facts.isCovered && snapshot.isCovered
      }
    }
    facts.isCovered = facts.isCovered && facts.payments > 0
    facts.paymentCurrency = currencies.currency
    if facts.payments > 1, facts.paymentCurrency == nil { facts.isAnyCurrencyHeld = try isAnyHeld(at: moment, inputs) }
    addCoverage(of: Set(payments.map { inputs.payments[Int($0)].provider }), inputs)
    provider = holder ?? provider
  }

  /// Whether anything of what was captured in one of several currencies is still held.
  private func isAnyHeld(at moment: Int64, _ inputs: MatchInputs) throws(AmountOverflow) -> Bool {
    var held: [String: Int64] = [:]
    for place in payments {
      guard let snapshot = inputs.payments[Int(place)][moment], snapshot.isCaptured else { continue }
      held[snapshot.currency] = try held[snapshot.currency, default: 0].adding(
        snapshot.capturedMinor.subtracting(snapshot.refundedMinor, "captured less refunded"), "what is held"
      ).subtracting(snapshot.disputedMinor, "what is held less disputed")
    }
    return held.contains { $0.value > inputs.tolerance(in: $0.key) }
  }

  /// The group is listed under one provider, the first by name, and an account of that one.
  private mutating func hold(_ provider: TextID, _ account: TextID, _ inputs: MatchInputs) {
    if provider == holder {
      self.account = inputs.texts.greater(self.account, account)
    } else if inputs.texts.smaller(holder, provider) == provider {
      (holder, self.account) = (provider, account)
    }
  }

  private mutating func addCoverage(of providers: Set<TextID>, _ inputs: MatchInputs) {
    let read = providers.compactMap { inputs.paymentCoverage[$0] }
    facts.paymentsFrom = read.map(\.coversFrom).max() ?? 0
    facts.paymentsUntil = read.map(\.completeTo).min() ?? 0
    let refunds = providers.compactMap { inputs.refundCoverage[$0] }
    facts.refundsReadUntil = refunds.map(\.completeTo).min() ?? .max
    facts.areRefundsRead = refunds.allSatisfy(\.isRead)
    guard let orders = inputs.orderCoverage else { return }
    facts.ordersUntil = orders.completeTo
    facts.areOrdersReadable =
      orders.isAsked && facts.capturedAt >= orders.coversFrom && facts.capturedAt <= orders.completeTo
  }

  /// Counts single members that already equal the sum of the other side; only where there are several to choose from.
  private mutating func addFits(at moment: Int64, _ inputs: MatchInputs) throws(AmountOverflow) {
    if facts.due > 0, payments.count > 1, let currency = facts.orderCurrency,
      let tolerance = inputs.tolerances[currency]
    {
      for place in payments {
        guard let snapshot = inputs.payments[Int(place)][moment], snapshot.isCaptured, snapshot.currency == currency
        else { continue }
        let difference = try snapshot.capturedMinor.subtracting(facts.dueMinor, "captured less tender")
        facts.fullPayments += difference.magnitude <= tolerance.magnitude ? 1 : 0
      }
    }
    guard orders.count > 1, let currency = facts.paymentCurrency, let tolerance = inputs.tolerances[currency] else {
      return
    }
    for place in orders {
      let order = inputs.orders[Int(place)]
      guard order.isDue, order.currency == currency else { continue }
      let difference = try order.tenderMinor.subtracting(facts.capturedMinor, "tender less captured")
      facts.fullOrders += difference.magnitude <= tolerance.magnitude ? 1 : 0
    }
  }

  private mutating func addHashes(_ group: MatchGroup, _ inputs: MatchInputs, _ hashes: InitHashes) {
    if orders.count > 1, !hashes.ofOrders.isEmpty {
      var seen: Set<TextID> = []
      for order in orders where inputs.orders[Int(order)].isDue {
        if let hash = hashes.ofOrders[order], !seen.insert(hash).inserted { facts.isHashOnSeveralOrders = true }
      }
    }
    if orders.isEmpty, !hashes.ofPayments.isEmpty {
      let started = group.payments.compactMap { hashes.ofPayments[inputs.payments[Int($0)].flowKey]?.startedAt }.min()
      facts.hasInitHash = started != nil
      guard let started, let policy = provider.flatMap({ inputs.policies[$0] }) else { return }
      facts.initDueAt = max(facts.capturedAt, started + policy.approvalWithin)
    }
  }
}

/// The common currency of several amounts; nil where there is none or more than one.
private struct SingleCurrency {
  private(set) var currency: String?
  private var isMixed = false

  mutating func add(_ other: String) {
    if isMixed { return }
    if let currency, currency != other {
      isMixed = true
      self.currency = nil
    } else {
      currency = other
    }
  }
}
