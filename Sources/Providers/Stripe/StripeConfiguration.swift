import HTTP
import Settings

/// A configured Stripe account: its host, its key, and how far to read back.
package struct StripeConfiguration: Sendable {
  /// The configured name, as it is in every report.
  package var name: String
  /// A restricted key with read permissions is enough; revealed only in a request's header.
  package var apiKey: Secret
  /// `https://api.stripe.com`, or a loopback address.
  package var baseURL: String
  /// Where a payment contains its order reference, most reliable first: `metadata.order_id`, `payment_intent` …
  package var orderReference: [String]
  /// False: transfers, their reversals and application fees are not requested.
  package var connect: Bool
  /// The platform's `acct_…`, for keys that may not request it.
  package var account: String?
  /// How far the API lags, seconds: younger records do not count as known.
  package var lag: Int64 = 300
  /// How far each pull reads back for rows that became visible late, seconds (docs/providers/stripe.md section 1.2).
  package var lookBack: Int64 = 7200
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits.
  package var retry = RetryPolicy()
  /// Requests at once, 1…8.
  package var connections = 4
  /// A list with more pages than this never ends.
  package var pageLimit = 200_000

  /// Whether the key is a secret key, which may do everything in the account; a restricted key is limited by its
  /// permissions.
  package var mayWrite: Bool { apiKey.revealed.hasPrefix("sk_") }

  /// A configuration with the defaults of docs/contract.md section 2.
  package init(
    name: String, apiKey: Secret, baseURL: String = "https://api.stripe.com",
    orderReference: [String] = ["metadata.order_id", "payment_intent"], connect: Bool = true, account: String? = nil
  ) {
    self.name = name
    self.apiKey = apiKey
    self.baseURL = baseURL
    self.orderReference = orderReference
    self.connect = connect
    self.account = account
  }

  /// The configuration of a provider entry of kind `stripe`.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry.
  package init(_ entry: ProviderEntry) throws {
    let node = entry.node
    self.init(
      name: entry.name, apiKey: node.secret("api_key"),
      baseURL: node.url("base_url", default: "https://api.stripe.com", isBase: true),
      orderReference: node.strings("order_reference", default: ["metadata.order_id", "payment_intent"]),
      connect: node.bool("connect", default: true), account: node.optionalString("account"))
    lag = entry.lag ?? lag
    lookBack = node.duration("look_back", default: lookBack)
    connections = Int(node.integer("connections", default: Int64(connections), in: 1...8))
    caFile = entry.caFile
    retry = entry.retryPolicy()
    try node.finish()
  }
}
