import Marketplace
import Reconciliation
import Storage
import TestSupport
import Testing

/// No statement compares each row with each: over twice the orders it takes about twice the steps.
@Suite("Plans", .onItsOwnThread, .serialized)
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
    #expect(counted.count > 8, "\(counted.count) statements on \(engine.rawValue)")
    for (sql, steps) in counted {
      let growth = Double(steps) / Double(one[sql, default: 1])
      guard growth > Self.mostGrowth[engine, default: 2.3] else { continue }
      Issue.record("\(growth) times, to \(steps) steps: \(sql)\n\(more.plan(of: sql) ?? "")")
    }
  }

  /// Statements over what a night adds some rows to, however many orders it has: landed files, days with kept sums.
  /// They grow with the nights; statistics end after a thousand rows, and the whole store is examined once a week.
  private static let perNight = ["landed_file", "from kept_sum", "analyze ", "pragma integrity_check"]

  /// A night among many: what it brings is new, what lies behind it is looked up.
  @Test("a night's steps do not grow with the orders behind it")
  func history() async throws {
    let (early, late) = (8...14, 29...35)
    let nights = try await costsOfNights(through: late.upperBound)
    // Once a week a run reads further back, as far as coverage reaches.
    func ordinary(_ week: ClosedRange<Int>) -> [StatementCosts] {
      Array(week.map { nights[$0 - 1] }.sorted { $0.total < $1.total }.dropLast())
    }
    let (before, after) = (ordinary(early).steps, ordinary(late).steps)
    let counted = after.filter { sql, steps in
      steps >= 60_000 && !Self.perNight.contains { sql.contains($0) }
    }
    #expect(counted.count > 10, "\(counted.count) statements")
    for (sql, steps) in counted {
      // Of so many steps one night's share may be half as many again.
      let growth = Double(steps) / Double(max(before[sql, default: 0], 60_000))
      guard growth > 1.6 else { continue }
      Issue.record("\(growth) times, to \(steps) steps: \(sql)\n\(nights[late.upperBound - 1].plan(of: sql) ?? "")")
    }
  }

  /// At Stripe, whose longest deadline is soon past: of the others more groups are open every night for months.
  private func costsOfNights(through last: Int) async throws -> [StatementCosts] {
    let market = try Market.generate(
      MarketPlan(seed: 7, accounts: [.stripe], orders: 800, faults: 80, nights: last))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    return try await withStoryStore(.sqlite) { folder, url in
      var nights: [StatementCosts] = []
      for number in 1...last {
        let run = try MarketNight(servers: servers, night: number, folder: folder, storeURL: url).make()
        let costs = StatementCosts(explainedFrom: 1_000)
        _ = try await StatementCosts.$current.withValue(costs) { try await run.run() }
        nights.append(costs)
      }
      return nights
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

extension StatementCosts {
  fileprivate var total: Int64 { all.values.reduce(0, +) }
}

extension [StatementCosts] {
  /// Steps of all of them, by the statement's text.
  fileprivate var steps: [String: Int64] { reduce(into: [:]) { $0.merge($1.all) { $0 + $1 } } }
}
