import Foundation
import Logging

/// A synthetic marketplace: its orders, the reports of its providers, and the truth about both.
///
/// The same plan gives the same bytes. What is wrong in it is known from having been planted: nothing here reads, posts
/// or checks.
package struct Market: Sendable {
  package let plan: MarketPlan
  /// The faults: one discrepancy is expected of each, and no others.
  package let planted: [Planted]
  /// What no discrepancy may name.
  package let lookAlikes: [LookAlike]
  let nights: [Night]
  let settings: [AccountSettings]
  let misstatements: [String: Int64]

  /// What the order system and the accounts show at the end of a night.
  struct Night: Sendable {
    /// By the account's name.
    var accounts: [String: AccountState]
    var orders: String
    var orderRefunds: String

    /// Stripe's new objects and new versions.
    var objects: [ServedObject] { stripe?.objects ?? [] }
    /// The rows that each of Stripe's payouts pays.
    var payouts: [String: [String]] { stripe?.payouts ?? [:] }

    private var stripe: StripeNight? { accounts.values.lazy.compactMap(\.stripe).first }
  }

  /// Makes the market of a plan.
  ///
  /// - Throws: `MarketplaceError.tooManyFaults` where the plan asks for more than its types have room for.
  package static func generate(_ plan: MarketPlan) throws -> Market {
    try MarketWriter(plan).write()
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

  /// How many objects Stripe's endpoint serves on the first night.
  package var objects: Int { nights[0].objects.count }

  /// Texts of which none may be found in anything that is landed or published: they occur in every personal value.
  package static var personalTraces: [String] { Shopper.traces }
}
