import Foundation
import Logging

/// A synthetic marketplace: its orders, what Stripe says of them, and the truth about both.
///
/// The same plan gives the same bytes. What is wrong in it is known from having been planted: nothing here reads, posts or checks.
package struct Market: Sendable {
  package let plan: MarketPlan
  /// The faults: one discrepancy is expected of each, and no others.
  package let planted: [Planted]
  /// What no discrepancy may name.
  package let lookAlikes: [LookAlike]
  let nights: [Night]
  let misstatements: [String: Int64]

  /// What a night adds to the one before.
  struct Night: Sendable {
    /// New objects and new versions.
    var objects: [ServedObject]
    /// The rows that each payout pays.
    var payouts: [String: [String]]
    var orders: String
    var orderRefunds: String
  }

  /// Makes the market of a plan.
  ///
  /// - Throws: `MarketplaceError.tooManyFaults` where the plan asks for more than its types have room for.
  package static func generate(_ plan: MarketPlan) throws -> Market {
    let builder = MarketBuilder(plan)
    try builder.tellFirstNight()
    var nights = [builder.night(after: nil)]
    if plan.nights > 1 {
      builder.tellSecondNight()
      nights.append(builder.night(after: nights[0]))
    }
    return Market(
      plan: plan, planted: builder.planted, lookAlikes: builder.lookAlikes, nights: nights, misstatements: builder.misstatements)
  }

  /// Puts everything on an endpoint's shelf, each night's objects from their night on.
  package func fill(_ endpoint: StripeEndpoint) {
    for (place, night) in nights.enumerated() {
      endpoint.add(night.objects, visibleFrom: place + 1)
      for payout in night.payouts.keys.sorted() { endpoint.assign(rows: night.payouts[payout] ?? [], to: payout) }
    }
    for (currency, amount) in misstatements { endpoint.misstate(currency, by: amount, from: 2) }
  }

  /// The faults that are open at the end of a night's range.
  package func expected(on night: Int) -> [Planted] {
    planted.filter { $0.isOpen(on: night) }
  }

  /// How many objects the endpoint serves on the first night.
  package var objects: Int { nights[0].objects.count }

  /// Texts of which none may be found in anything that is landed or published: they occur in every personal value.
  package static var personalTraces: [String] { Shopper.traces }

  /// Makes a market, serves it on loopback and writes its files; for the demo.
  ///
  /// - Returns: the endpoint, which listens until it is stopped, and the directory with `crossfoot.yml`.
  /// - Throws: `MarketplaceError`, or what the file system says.
  package static func serve(
    _ plan: MarketPlan, in directory: URL, apiKey: String = "${STRIPE_API_KEY}", logger: Logger? = nil
  ) async throws -> StripeEndpoint {
    let market = try generate(plan)
    let endpoint = StripeEndpoint()
    market.fill(endpoint)
    let baseURL = try await endpoint.start()
    try market.write(to: directory, baseURL: baseURL, apiKey: apiKey)
    logger?.info(
      "serving a synthetic marketplace",
      metadata: ["seed": "\(plan.seed)", "objects": "\(market.objects)", "planted": "\(market.planted.count)"])
    return endpoint
  }
}

extension MarketBuilder {
  /// The ten days that the first night reports.
  func tellFirstNight() throws {
    let quotas = try quotas()
    accountRows()
    if plan.faults > 0 { tellLookAlikes(times: plan.lookAlikes) }
    for type in FaultType.allCases {
      for _ in 0..<quotas[type, default: 0] { tell(type) }
    }
    while orders.count < plan.orders { ordinarySale() }
    settle(mismatches: quotas[.payoutMismatch, default: 0], failures: quotas[.payoutFailed, default: 0])
  }

  /// The day after: what was under way concludes, and business goes on.
  func tellSecondNight() {
    night = 2
    for happen in tomorrow { happen() }
    tomorrow = []
    let first = orders.count
    while orders.count < first + max(5, plan.orders / Int(plan.days)) { ordinarySale(.nextDay) }
    ledger.payOut(onDay: plan.endsAt)
    lookAlikes.append(
      LookAlike(
        resembles: [.recordChanged, .lateRecord, .balanceMismatch], orderIDs: orders[first...].map(\.id), paymentIDs: [],
        story: "sales of the second day, rows that become available, payouts that arrive"))
  }
}
