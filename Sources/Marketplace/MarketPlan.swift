/// What kind of market to make.
package struct MarketPlan: Sendable {
  package var seed: UInt64
  /// The accounts, which share orders and faults by their weights.
  package var accounts: [AccountPlan]
  /// Orders of the first range, look-alikes and faults among them.
  package var orders: Int
  /// Faults to plant, spread over the types.
  package var faults: Int
  /// The types to plant, each where an account can show it; all of them by default.
  package var types: [FaultType]
  /// Look-alikes of each kind and account; at least one of each when there are faults at all.
  package var lookAlikes: Int
  /// The first instant of the range, UTC midnight, Unix seconds: 2026-03-01 by default.
  package var startsAt: Int64
  /// Whole days of the first night's range, at least 10, so that everything falls due inside it.
  package var days: Int64
  /// Each night after the first reports one more day: on the second what was under way concludes, on later ones
  /// business goes on.
  package var nights: Int

  package init(
    seed: UInt64, accounts: [AccountPlan] = [.stripe], orders: Int = 2_000, faults: Int = 90,
    types: [FaultType] = FaultType.allCases, lookAlikes: Int? = nil,
    startsAt: Int64 = 1_772_323_200, days: Int64 = 10, nights: Int = 2
  ) {
    self.seed = seed
    self.accounts = accounts
    self.orders = orders
    self.faults = faults
    self.types = types
    self.lookAlikes = lookAlikes ?? max(1, faults / 100)
    self.startsAt = startsAt
    self.days = max(10, days)
    self.nights = nights
  }

  /// The end of the first night's range.
  package var endsAt: Int64 { startsAt + days * 86_400 }

  /// The end of a night's range: each after the first reports one day more.
  package func end(of night: Int) -> Int64 {
    endsAt + Int64(night - 1) * 86_400
  }

  /// An amount shared by the accounts' weights, the remainders to the first.
  func shares(of whole: Int) -> [Int] {
    let weight = accounts.reduce(0) { $0 + $1.weight }
    var shares = accounts.map { whole * $0.weight / weight }
    for place in 0..<(whole - shares.reduce(0, +)) { shares[place % shares.count] += 1 }
    return shares
  }
}
