import Foundation

/// A market on loopback: one endpoint for each account that serves anything, and its files in a directory.
package struct MarketServers: Sendable {
  package let market: Market
  /// Stripe's endpoint; nil where the market has no account there.
  package let stripe: StripeEndpoint?
  /// The endpoints of the other accounts, by name.
  package let accounts: [String: AccountEndpoint]
  private let baseURLs: [String: String]

  private init(
    _ market: Market, _ stripe: StripeEndpoint?, _ accounts: [String: AccountEndpoint], _ baseURLs: [String: String]
  ) {
    self.market = market
    self.stripe = stripe
    self.accounts = accounts
    self.baseURLs = baseURLs
  }

  /// Begins to serve a market.
  ///
  /// - Parameter faults: what goes wrong at every endpoint.
  /// - Throws: `MarketplaceError.notListening`.
  package static func start(_ market: Market, faults: FaultPlan = FaultPlan()) async throws -> MarketServers {
    var stripe: StripeEndpoint?
    var accounts: [String: AccountEndpoint] = [:]
    var baseURLs: [String: String] = [:]
    for account in market.plan.accounts {
      let sites = market.nights.compactMap { $0.accounts[account.name]?.site }
      if account.kind == .stripe {
        let endpoint = StripeEndpoint(account: account.id, faults: faults)
        market.fill(endpoint)
        baseURLs[account.name] = try await endpoint.start()
        stripe = endpoint
      } else if !sites.isEmpty {
        let endpoint = AccountEndpoint(sites, faults: faults)
        baseURLs[account.name] = try await endpoint.start()
        accounts[account.name] = endpoint
      }
    }
    return MarketServers(market, stripe, accounts, baseURLs)
  }

  /// Turns every endpoint to a night, and writes the files of that night.
  ///
  /// - Throws: what the file system says.
  package func write(night: Int, to directory: URL) throws {
    stripe?.night = night
    for endpoint in accounts.values { endpoint.night = night }
    try market.write(to: directory, baseURLs: baseURLs, night: night, apiKey: stripe?.key ?? "")
  }

  /// Stops every endpoint.
  package func stop() async {
    await stripe?.stop()
    for endpoint in accounts.values { await endpoint.stop() }
  }
}
