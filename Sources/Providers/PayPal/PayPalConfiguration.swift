import HTTP
import Settings

/// A configured PayPal account: its host, the application's credentials, and how far to read back.
package struct PayPalConfiguration: Sendable {
  /// The configured name, as it is in every report.
  package var name: String
  /// The client id of a REST application of the account.
  package var clientID: String
  /// Its secret; revealed only in the header of the request for a token.
  package var clientSecret: Secret
  /// `https://api-m.paypal.com`, the sandbox's, or a loopback address.
  package var baseURL: String
  /// Where a payment contains its order reference, most reliable first: `custom_id`, `invoice_id`, `order` …
  package var orderReference: [String]
  /// The merchant id, unless it is to be taken from the answers.
  package var account: String?
  /// How far the API lags, seconds: younger records may be missing (PayPal states up to three hours).
  package var lag: Int64 = 10_800
  /// How far each pull reads back for rows that changed or became visible late, seconds.
  package var lookBack: Int64 = 259_200
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits.
  package var retry = RetryPolicy()
  /// Requests at once, 1…8.
  package var connections = 4
  /// Rows on a page, 1…500.
  package var pageSize = 500

  /// A configuration with the defaults of docs/contract.md section 2.
  package init(
    name: String, clientID: String, clientSecret: Secret, baseURL: String = "https://api-m.paypal.com",
    orderReference: [String] = ["custom_id", "invoice_id", "order"], account: String? = nil
  ) {
    self.name = name
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.baseURL = baseURL
    self.orderReference = orderReference
    self.account = account
  }

  /// The configuration of a provider entry of kind `paypal`.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry.
  package init(_ entry: ProviderEntry) throws {
    let node = entry.node
    self.init(
      name: entry.name, clientID: node.credential("client_id"), clientSecret: node.secret("client_secret"),
      baseURL: node.url("base_url", default: "https://api-m.paypal.com", isBase: true),
      orderReference: node.strings("order_reference", default: ["custom_id", "invoice_id", "order"]),
      account: node.optionalString("account"))
    lag = entry.lag ?? lag
    lookBack = node.duration("look_back", default: lookBack)
    connections = Int(node.integer("connections", default: Int64(connections), in: 1...8))
    caFile = entry.caFile
    retry = entry.retryPolicy()
    try node.finish()
  }
}
