import HTTP
import Payments
import Settings

/// A configured Afterpay (Clearpay) merchant account: one region, one currency, one pair of credentials.
///
/// Captures and refunds come from the payments API; fees, nets and payouts only from the settlement file
/// (docs/providers/afterpay.md section 0).
package struct AfterpayConfiguration: Sendable {
  /// The configured name, as it is in every report.
  package var name: String
  /// The user of the credentials, and the account in every report.
  package var merchantID: String
  /// Revealed only in a request's header.
  package var secretKey: Secret
  /// The account's settlement currency: the settlement file has no column for it.
  package var currency: String
  /// `https://global-api.afterpay.com`, the region's older host, or a loopback address.
  package var baseURL: String
  /// The folder that receives the settlement exports, absolute path; nil: no fees, nets and payouts are read.
  package var settlementDirectory: String?
  /// Patterns of file names to skip in it.
  package var ignoredFiles: [String] = []
  /// How the export writes its dates.
  package var settlementDateFormat = AfterpayDateFormat.standard
  /// Where a settlement date begins and ends: the reporting time zone.
  package var timeZone = "UTC"
  /// How far the API lags, seconds.
  package var lag: Int64 = 0
  /// How far before the range payments are requested, seconds: the list is ordered by the date of the order, and a
  /// refund may come 120 days after it.
  package var lookBack: Int64 = 121 * 86_400
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits; Afterpay advises 10 s to connect and 20 s to read.
  package var retry = RetryPolicy(timeout: .seconds(60), connectTimeout: .seconds(10))
  /// Requests at once, 1…8.
  package var connections = 4
  /// Payments on a page, 1…250.
  package var pageSize = 250

  /// A configuration with the defaults of docs/contract.md section 2.
  package init(
    name: String, merchantID: String, secretKey: Secret, currency: String,
    baseURL: String = "https://global-api.afterpay.com",
    settlementDirectory: String? = nil
  ) {
    self.name = name
    self.merchantID = merchantID
    self.secretKey = secretKey
    self.currency = currency
    self.baseURL = baseURL
    self.settlementDirectory = settlementDirectory
  }

  /// The configuration of a provider entry of kind `afterpay`.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry.
  package init(_ entry: ProviderEntry) throws {
    let node = entry.node
    self.init(
      name: entry.name, merchantID: node.string("merchant_id"), secretKey: node.secret("secret_key"),
      currency: node.currency("currency"),
      baseURL: node.url("base_url", default: "https://global-api.afterpay.com", isBase: true),
      settlementDirectory: node.optionalPath("settlement_directory"))
    if !currency.isEmpty, (try? Currency(code: currency)) == nil {
      node.object(to: "currency", "expected a currency of ISO 4217, as in USD")
    }
    let written = node.string("settlement_date_format", default: AfterpayDateFormat.standard.text)
    if let format = AfterpayDateFormat(written) {
      settlementDateFormat = format
    } else {
      node.object(to: "settlement_date_format", "expected MM, dd and yyyy, each once, as in MM/dd/yyyy or dd/MM/yyyy")
    }
    ignoredFiles = entry.ignored
    timeZone = entry.reportingTimeZone
    lag = entry.lag ?? lag
    lookBack = max(lookBack, node.duration("look_back", default: lookBack))
    connections = Int(node.integer("connections", default: Int64(connections), in: 1...8))
    pageSize = Int(node.integer("page_size", default: Int64(pageSize), in: 1...250))
    caFile = entry.caFile
    retry = entry.retryPolicy(timeout: 60)
    retry.connectTimeout = .seconds(10)
    try node.finish()
  }
}
