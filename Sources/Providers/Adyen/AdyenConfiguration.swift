import HTTP
import Settings

/// A configured Adyen merchant account: where its settlement files come from, where its notifications lie, and how both
/// are read.
package struct AdyenConfiguration: Sendable {
  /// Where settlement detail reports come from.
  package enum Reports: Sendable {
    /// Downloaded as report service user; `https://ca-live.adyen.com` or a loopback address.
    case download(baseURL: String, username: String, password: Secret)
    /// A folder that receives the files, absolute path.
    case folder(String)
  }
  /// The configured name, as it is in every report.
  package var name: String
  /// The merchant account as Adyen names it (`AcmeNL`); nil only for a balance platform without one.
  package var merchantAccount: String?
  /// nil: no settlement reports are read, only the balance platform's.
  package var reports: Reports?
  /// The number of the first settlement batch to read; nil: the lowest that a notification names.
  package var firstBatch: Int64?
  /// Stored notification bodies, absolute path.
  package var webhooksDirectory: String?
  /// The keys that may have signed a notification, decoded; several while one is being replaced.
  package var signatureKeys: [AdyenSignatureKey] = []
  /// IANA name of the account's time zone, in which its reports state local times.
  package var timeZone = "Europe/Amsterdam"
  /// Where a payment names its order, surest first: `merchant_reference`, `merchant_order_reference`, `metadata.<key>`.
  package var orderReference = ["merchant_reference", "merchant_order_reference"]
  /// Adyen for Platforms: the balance platform, the folder that receives its reports, and the balance account that pays
  /// its costs.
  package var balancePlatform: String?
  package var balancePlatformReportsDirectory: String?
  package var liableAccount: String?
  /// Patterns of file names to skip in the folders of reports.
  package var ignoredFiles: [String] = []
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits.
  package var retry = RetryPolicy()

  /// A configuration with the defaults of docs/contract.md section 2.
  package init(name: String, merchantAccount: String?, reports: Reports?) {
    self.name = name
    self.merchantAccount = merchantAccount
    self.reports = reports
  }

  /// The configuration of a provider entry of kind `adyen`.
  ///
  /// With `reports_directory` nothing is downloaded; without `webhooks_directory` no `hmac_keys` are needed; a balance
  /// platform's reports may be read without a merchant account's.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry.
  package init(_ entry: ProviderEntry) throws {
    let node = entry.node
    self.init(name: entry.name, merchantAccount: nil, reports: nil)
    balancePlatform = node.optionalString("balance_platform")
    balancePlatformReportsDirectory = node.optionalPath("balance_platform_reports_directory")
    liableAccount = node.optionalString("liable_account")
    let needsAccount = balancePlatformReportsDirectory == nil
    merchantAccount = needsAccount ? node.string("merchant_account") : node.optionalString("merchant_account")
    if balancePlatformReportsDirectory != nil && balancePlatform == nil {
      node.object(
        to: "balance_platform",
        "must name the balance platform whose reports balance_platform_reports_directory receives")
    }
    if balancePlatformReportsDirectory != nil && liableAccount == nil {
      node.object(
        to: "liable_account",
        "must name the balance account that bears the platform's costs; every other one is a seller's")
    }
    if let account = merchantAccount, !account.isEmpty, !Self.isName(account) {
      node.object(
        to: "merchant_account",
        "expected the account's name as Adyen writes it: letters, digits, \"_\", \"-\" and \".\" only")
    }
    reports = Self.reports(node, isOptional: !needsAccount)
    firstBatch = node.optionalInteger("first_batch", in: 0...99_999_999)
    webhooksDirectory = node.optionalPath("webhooks_directory")
    signatureKeys = Self.keys(node, areNeeded: webhooksDirectory != nil)
    timeZone = node.timeZone("time_zone", default: timeZone)
    orderReference = node.strings("order_reference", default: orderReference)
    ignoredFiles = entry.ignored
    caFile = entry.caFile
    retry = entry.retryPolicy()
    try node.finish()
  }

  /// File name patterns to skip in a folder of reports: stored notifications too, where they are in the same folder.
  func ignored(in folder: String) -> [String] {
    ignoredFiles + (folder == webhooksDirectory ? ["*.json", "*.jsonl"] : [])
  }

  /// Whether reports are delivered into a folder.
  func hasReports(in folder: String) -> Bool {
    if case .folder(folder) = reports { return true }
    return balancePlatformReportsDirectory == folder
  }

  /// All keys are read, so that the keys of the other variant are recognised too.
  private static func reports(_ node: SettingsNode, isOptional: Bool) -> Reports? {
    let folder = node.optionalPath("reports_directory")
    let address = node.optionalString("base_url")
    let username = node.optionalString("username")
    let password = node.optionalSecret("password")
    if let folder { return .folder(folder) }
    if isOptional && address == nil && username == nil && password == nil { return nil }
    return .download(
      baseURL: node.url("base_url", isBase: true), username: node.credential("username"),
      password: node.secret("password"))
  }

  private static func keys(_ node: SettingsNode, areNeeded: Bool) -> [AdyenSignatureKey] {
    let texts = node.secrets("hmac_keys").filter { !$0.isEmpty }
    let keys = texts.compactMap { AdyenSignatureKey(hexadecimal: $0.revealed) }
    if keys.count < texts.count {
      node.object(
        to: "hmac_keys",
        "expected the hexadecimal digits that the Customer Area shows for the webhook, two for each byte")
    }
    if areNeeded && texts.isEmpty && !node.isUnset("hmac_keys") {
      node.object(
        to: "hmac_keys",
        "must hold the webhook's HMAC key: notifications in webhooks_directory are believed by their signature only")
    }
    return keys
  }

  /// It becomes part of a URL's path.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 80 && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "_-.".utf8.contains(byte)
      }
  }
}
