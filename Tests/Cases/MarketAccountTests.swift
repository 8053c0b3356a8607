import Foundation
import Marketplace
import TestSupport
import Testing

/// Each provider's accounts by themselves: what is planted at them is found, and nothing else.
@Suite("Marketplace accounts", .onItsOwnThread, .serialized)
struct MarketAccountTests {
  static let seeds: [UInt64] = Array(1...10)

  @Test(
    "Adyen's three merchant accounts and the ordering front end: recall and precision are 1 on both nights",
    arguments: seeds)
  func adyen(seed: UInt64) async throws {
    try await compareNights(seed, [.adyenNL, .adyenUS, .adyenUK])
  }

  @Test("Cash App, known from settlement files alone: recall and precision are 1 on both nights", arguments: seeds)
  func cashApp(seed: UInt64) async throws {
    try await compareNights(seed, [.cashApp])
  }

  @Test(
    "Afterpay in two regions, API and settlement exports: recall and precision are 1 on both nights", arguments: seeds)
  func afterpay(seed: UInt64) async throws {
    try await compareNights(seed, [.afterpayUS, .afterpayAU])
  }

  private func compareNights(_ seed: UInt64, _ accounts: [AccountPlan]) async throws {
    let orders = 250 * accounts.count
    let market = try Market.generate(MarketPlan(seed: seed, accounts: accounts, orders: orders, faults: orders / 8))
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    try await withStoryStore(.sqlite) { folder, url in
      for night in 1...market.plan.nights {
        let run = MarketNight(servers: servers, night: night, folder: folder, storeURL: url)
        try run.compare(try await run.publish())
      }
    }
  }
}
