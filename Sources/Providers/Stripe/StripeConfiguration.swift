import HTTP
import Settings

/// A configured Stripe account: whom to ask, with which key, and how far to look.
package struct StripeConfiguration: Sendable {
  /// The configured name, as it is in every report.
  package var name: String
  /// A restricted key that may read is enough; it leaves this struct only in a request's header.
  package var apiKey: Secret
  /// `https://api.stripe.com`, or a loopback address.
  package var baseURL: String
  /// Where a payment names its order, surest first: `metadata.order_id`, `payment_intent` …
  package var orderReference: [String]
  /// False: transfers, their reversals and application fees are not asked for.
  package var connect: Bool
  /// The platform's `acct_…` where the key may not ask for it.
  package var account: String?
  /// How far the API runs behind, seconds: nothing younger counts as known.
  package var lag: Int64 = 300
  /// How far each pull reads back for rows that became visible late, seconds (docs/providers/stripe.md section 1.2).
  package var lookBack: Int64 = 7200
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits.
  package var retry = RetryPolicy()
  /// Requests at once, 1…8.
  package var connections = 4
  /// A list of more pages than this never ends.
  package var pageLimit = 200_000

  /// Whether the key is a secret one, which may do everything in the account; of a restricted key its permissions
  /// decide.
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
