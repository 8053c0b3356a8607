import HTTP
import Settings

/// The credentials and options of the Network API, where it is configured at all (docs/providers/cashapp.md section 1).
///
/// Parts of the API are not confirmed by the vendor's own documentation; without a key no request is sent to it.
package struct CashAppAccess: Sendable {
  /// Which of the two published readings of the signed text is used.
  package enum Variant: String, Sendable, CaseIterable {
    /// The vendor's own sample: one line break between the headers and the digest of the body.
    case sample = "A"
    /// The vendor's prose, taken literally: an empty line between them.
    case prose = "B"
  }
  /// The id of the API key; no secret.
  package var keyID: String
  /// Signs every request; revealed only to compute an HMAC.
  package var secret: Secret
  /// `https://api.cash.app`, `https://sandbox.api.cash.app`, or a loopback address.
  package var baseURL: String
  /// The code of the answering region, three letters like an airport code.
  package var region: String
  /// The reading of the signature.
  package var variant: Variant
  /// True: every night the lists of payments and refunds are read in full, since they cannot be filtered by date;
  /// false: only those that earlier nights left open are requested, by id. Disputes and keys are read in full either
  /// way.
  package var crawl: Bool
  /// A private certificate authority, absolute path.
  package var caFile: String?
  /// Attempts, waits and time limits.
  package var retry = RetryPolicy()

  /// Access with the defaults of a live account.
  package init(
    keyID: String, secret: Secret, baseURL: String = CashAppAccess.liveHost, region: String = "PDX",
    variant: Variant = .sample,
    crawl: Bool = true
  ) {
    self.keyID = keyID
    self.secret = secret
    self.baseURL = baseURL
    self.region = region
    self.variant = variant
    self.crawl = crawl
  }

  package static let liveHost = "https://api.cash.app"
  package static let sandboxHost = "https://sandbox.api.cash.app"

  /// The access that an entry configures; nil when it contains neither key nor secret.
  ///
  /// - Parameter clientID: must fit the host: live ids begin with `CA-CI_`, those of the sandbox with `CAS-CI_`.
  init?(_ entry: ProviderEntry, clientID: String) {
    let node = entry.node
    let (key, secret) = (node.optionalCredential("key_id"), node.optionalSecret("secret"))
    let baseURL = node.url("base_url", default: Self.liveHost, isBase: true)
    let region = node.string("region", default: "PDX")
    let variant = node.word("signature_variant", of: Variant.allCases.map(\.rawValue), default: Variant.sample.rawValue)
    let crawl = node.bool("crawl", default: true)
    let retry = entry.retryPolicy()
    if key == nil && secret == nil { return nil }
    if key == nil { node.object(to: "key_id", "missing; `secret` belongs to an API key, whose id is expected here") }
    if secret == nil {
      node.object(to: "secret", "missing; expected the secret of the API key, best as ${NAME} or ${file:/path}")
    }
    if !region.utf8.allSatisfy({ (65...90).contains($0) }) || region.utf8.count != 3 {
      node.object(to: "region", "expected a code of three capital letters, as in PDX")
    }
    if let expected = Self.prefix(of: baseURL), !clientID.isEmpty, !clientID.hasPrefix(expected) {
      node.object(
        to: "client_id",
        "expected an id that begins with \(expected), as those of \(baseURL) do; check client_id and base_url")
    }
    self.init(
      keyID: key ?? "", secret: secret ?? Secret(""), baseURL: baseURL, region: region,
      variant: Variant(rawValue: variant) ?? .sample,
      crawl: crawl)
    caFile = entry.caFile
    self.retry = retry
  }

  /// The prefix of the client ids of a host; nil for a custom host, which may use either.
  private static func prefix(of baseURL: String) -> String? {
    switch baseURL {
    case liveHost: "CA-CI_"
    case sandboxHost: "CAS-CI_"
    default: nil
    }
  }
}
