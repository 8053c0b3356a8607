import Marketplace
import Reconciliation
import Storage
import TestSupport
import Testing

/// No statement compares each row with each: over twice the orders it takes about twice the steps.
@Suite("Plans", .serialized)
struct PlanTests {
  /// Twice, and what sorting and deeper trees add; PostgreSQL counts rows, which of one provider may be more than twice
  /// as many.
  private static let mostGrowth: [TestStore: Double] = [.sqlite: 2.3, .postgresql: 2.5]
  /// Below that a statement's fixed part and the choice of the planner weigh more than its rows.
  private static let leastSteps: [TestStore: Int64] = [.sqlite: 60_000, .postgresql: 8_000]

  @Test("a statement's steps grow with the orders, not with their square", arguments: TestStore.all)
  func growth(engine: TestStore) async throws {
    let least = Self.leastSteps[engine, default: 0]
    let (one, more) = (try await costs(orders: 240, engine).all, try await costs(orders: 480, engine))
    let counted = more.all.filter { $0.value >= least && one[$0.key, default: 0] > 0 }
    #expect(counted.count > 10, "\(counted.count) statements on \(engine.rawValue)")
    for (sql, steps) in counted {
      let growth = Double(steps) / Double(one[sql, default: 1])
      guard growth > Self.mostGrowth[engine, default: 2.3] else { continue }
      Issue.record("\(growth) times, to \(steps) steps: \(sql)\n\(more.plan(of: sql) ?? "")")
    }
  }

  /// A first night over every provider, derived from everything: steps by statement.
  private func costs(orders: Int, _ engine: TestStore) async throws -> StatementCosts {
    let market = try Market.generate(
      MarketPlan(seed: 7, accounts: AccountPlan.all, orders: orders, faults: orders / 10))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    return try await withStoryStore(engine) { folder, url in
      var night = MarketNight(servers: servers, night: 1, folder: folder, storeURL: url)
      night.batchSize = 10_000
      let costs = StatementCosts(explainedFrom: Self.leastSteps[.sqlite, default: 0])
      let run = try night.make()
      _ = try await StatementCosts.$current.withValue(costs) { try await run.run() }
      return costs
    }
  }
}
