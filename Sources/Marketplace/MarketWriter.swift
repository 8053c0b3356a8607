/// Writes a market: every account's simulator in turn, night by night.
struct MarketWriter {
  private let plan: MarketPlan
  private let book: OrderBook
  private let tellers: [any AccountSimulator]

  init(_ plan: MarketPlan) {
    self.plan = plan
    let book = OrderBook(plan)
    self.book = book
    tellers = plan.accounts.map { $0.simulator(book) }
  }

  /// - Throws: `MarketplaceError.tooManyFaults`.
  func write() throws -> Market {
    var nights = [try firstNight()]
    for night in stride(from: 2, through: plan.nights, by: 1) { nights.append(laterNight(night)) }
    let stripe = tellers.lazy.compactMap { $0 as? StripeStories }.first
    return Market(
      plan: plan, planted: book.planted, lookAlikes: book.lookAlikes, nights: nights, settings: tellers.map(\.settings),
      misstatements: stripe?.misstatements ?? [:])
  }

  /// The days that the first night reports.
  private func firstNight() throws -> Market.Night {
    let (orders, faults) = (plan.shares(of: plan.orders), plan.shares(of: plan.faults))
    for (place, simulator) in tellers.enumerated() {
      let first = book.orders.count
      let quotas = try quotas(of: simulator, faults: faults[place])
      simulator.begin()
      if plan.faults > 0 {
        for _ in 0..<plan.lookAlikes { simulator.plantLookAlikes() }
      }
      for type in simulator.types {
        for _ in 0..<quotas[type, default: 0] { simulator.plantFault(type) }
      }
      while book.orders.count < first + orders[place] { simulator.ordinarySale() }
      simulator.settle(quotas)
    }
    return night()
  }

  /// A day later: what was under way concludes, and business goes on.
  private func laterNight(_ night: Int) -> Market.Night {
    book.night = night
    for simulator in tellers { simulator.begin() }
    if night == 2 { book.concludeFirstNight() }
    let orders = plan.shares(of: plan.orders)
    for (place, simulator) in tellers.enumerated() {
      let first = book.orders.count
      while book.orders.count < first + max(5, orders[place] / Int(plan.days)) { simulator.ordinarySale() }
      simulator.settle([:])
      book.note(
        [.recordChanged, .lateRecord, .balanceMismatch], orders: Array(book.orders[first...]),
        "sales of a later day at \(simulator.account.name), rows that become available, payouts that arrive")
    }
    return self.night()
  }

  private func night() -> Market.Night {
    let accounts = tellers.map { ($0.account.name, $0.show()) }
    return Market.Night(
      accounts: Dictionary(uniqueKeysWithValues: accounts), orders: book.ordersText, orderRefunds: book.refundsText)
  }

  /// How often each type is planted: all in turn, in an order of the seed's, as far as each has room.
  private func quotas(of simulator: any AccountSimulator, faults: Int) throws -> [FaultType: Int] {
    let possible = simulator.types.filter { plan.types.contains($0) && (plan.nights > 1 || !$0.needsSecondNight) }
    let types = simulator.dice.shuffled(possible)
    var quotas: [FaultType: Int] = [:]
    var left = faults
    while left > 0 {
      let open = types.filter { quotas[$0, default: 0] < simulator.room(for: $0) ?? Int.max }
      guard !open.isEmpty else { throw MarketplaceError.tooManyFaults(asked: faults, room: faults - left) }
      for type in open.prefix(left) { quotas[type, default: 0] += 1 }
      left -= min(left, open.count)
    }
    return quotas
  }
}
