import Marketplace
import Reconciliation
import Storage
import TestSupport
import Testing

/// No statement compares each row with each: over twice the orders it takes about twice the steps.
@Suite("Plans", .serialized)
struct PlanTests {
  /// Twice, and what sorting and deeper trees add.
  private static let mostGrowth = 2.3
  /// Below that a statement's fixed part and the choice of the planner weigh more than its rows.
  private static let leastSteps: [TestStore: Int64] = [.sqlite: 60_000, .postgresql: 6_000]

  @Test("a statement's steps grow with the orders, not with their square", arguments: TestStore.all)
  func growth(engine: TestStore) async throws {
    let (one, two) = (try await steps(orders: 400, engine), try await steps(orders: 800, engine))
    let counted = two.filter { $0.value >= Self.leastSteps[engine, default: 0] && one[$0.key, default: 0] > 0 }
    #expect(counted.count > 20, "\(counted.count) statements on \(engine.rawValue)")
    let growths = counted.map {
      (sql: $0.key, growth: Double($0.value) / Double(one[$0.key, default: 1]), steps: $0.value)
    }
    for found in growths.sorted(by: { $0.growth > $1.growth }) where found.growth > Self.mostGrowth {
      Issue.record("\(engine.rawValue): \(found.growth) times, to \(found.steps) steps: \(found.sql.prefix(400))")
    }
  }

  /// A first night over every provider, derived from everything: steps by statement.
  private func steps(orders: Int, _ engine: TestStore) async throws -> [String: Int64] {
    let market = try Market.generate(
      MarketPlan(seed: 7, accounts: AccountPlan.all, orders: orders, faults: orders / 10))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    return try await withStoryStore(engine) { folder, url in
      var night = MarketNight(servers: servers, night: 1, folder: folder, storeURL: url)
      night.batchSize = 10_000
      let costs = StatementCosts()
      let run = try night.make()
      _ = try await StatementCosts.$current.withValue(costs) { try await run.run() }
      return costs.all
    }
  }
}
