import Foundation
import Testing

@testable import Marketplace

/// A market over every provider: what holds whatever the provider is.
@Suite struct MixedMarketTests {
  private func market(_ seed: UInt64, orders: Int = 400, faults: Int = 160) throws -> Market {
    try Market.generate(MarketPlan(seed: seed, accounts: AccountPlan.all, orders: orders, faults: faults))
  }

  @Test func `the same seed gives the same bytes`() throws {
    let (first, second) = (try market(7), try market(7))
    #expect(first.truth == second.truth)
    #expect(first.nights.map(\.orders) == second.nights.map(\.orders))
    for (one, other) in zip(first.nights, second.nights) {
      for (name, account) in one.accounts { #expect(account.files == other.accounts[name]?.files, "\(name)") }
    }
    #expect(try market(8).truth != first.truth)
  }

  @Test func `over ten seeds every account plants each of its types and has look-alikes`() throws {
    var planted: [String: Set<FaultType>] = [:]
    let book = OrderBook(MarketPlan(seed: 1))
    for seed in MarketTests.seeds {
      for fault in try market(seed).planted { planted[fault.provider, default: []].insert(fault.type) }
    }
    for account in AccountPlan.all {
      let missing = Set(account.simulator(book).types).subtracting(planted[account.name] ?? [])
      #expect(missing.isEmpty, "\(account.name) never plants \(missing.map(\.rawValue).sorted())")
    }
  }

  @Test(arguments: MarketTests.seeds) func `no order or payment carries two faults, and no look-alike carries one`(
    seed: UInt64
  ) throws {
    let market = try market(seed)
    var seen: Set<String> = []
    for fault in market.planted {
      for id in fault.orderIDs + fault.paymentIDs {
        #expect(seen.insert(id).inserted, "\(id) carries two faults, seed \(seed)")
      }
    }
    for lookAlike in market.lookAlikes {
      #expect(seen.isDisjoint(with: lookAlike.orderIDs + lookAlike.paymentIDs), "\(lookAlike.story), seed \(seed)")
    }
  }

  @Test func `accounts share orders and faults by their weights`() throws {
    let plan = MarketPlan(seed: 1, accounts: AccountPlan.all, orders: 1_003, faults: 97)
    #expect(plan.shares(of: 1_003).reduce(0, +) == 1_003)
    #expect(plan.shares(of: 97).reduce(0, +) == 97)
    let market = try Market.generate(plan)
    #expect(market.planted.filter { $0.night == 1 || $0.type.needsSecondNight }.count == 97)
  }
}
