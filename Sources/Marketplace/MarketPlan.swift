/// What kind of market to make.
package struct MarketPlan: Sendable {
  package var seed: UInt64
  /// Orders of the first range, look-alikes and faults among them.
  package var orders: Int
  /// Faults to plant, spread over the types.
  package var faults: Int
  /// The types to plant; all of them by default.
  package var types: [FaultType]
  /// Look-alikes of each kind; at least one of each when there are faults at all.
  package var lookAlikes: Int
  /// The first instant of the range, UTC midnight, Unix seconds: 2026-03-01 by default.
  package var startsAt: Int64
  /// Whole days of the first night's range, at least 10, so that everything falls due inside it.
  package var days: Int64
  /// 1, or 2: then a second night reports one more day.
  package var nights: Int

  package init(
    seed: UInt64, orders: Int = 2_000, faults: Int = 90, types: [FaultType] = FaultType.allCases, lookAlikes: Int? = nil,
    startsAt: Int64 = 1_772_323_200, days: Int64 = 10, nights: Int = 2
  ) {
    self.seed = seed
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

  /// The end of a night's range: the second reports one day more.
  package func end(of night: Int) -> Int64 {
    endsAt + Int64(night - 1) * 86_400
  }
}
