/// A key of ours at a provider, with the expiry that the provider states: the key's name, never its secret.
package struct Credential: Hashable, Sendable {
  package var provider: String
  package var account: String
  /// The provider's name of the key.
  package var keyID: String
  /// Unix seconds UTC.
  package var expiresAt: Int64
  package var origin: Origin

  package init(provider: String, account: String, keyID: String, expiresAt: Int64, origin: Origin) {
    self.provider = provider
    self.account = account
    self.keyID = keyID
    self.expiresAt = expiresAt
    self.origin = origin
  }
}
