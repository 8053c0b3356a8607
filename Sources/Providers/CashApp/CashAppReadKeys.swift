import JSON
import Payments

/// The API key in use: it expires 30 days after it was created (docs/providers/cashapp.md section 1, Keys).
extension CashAppReader {
  /// A key without an expiry needs no warning.
  func readKey(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    guard let end = try record["expires_at"].optionalString(), !end.isEmpty else { return }
    try sink.add(
      Credential(
        provider: provider, account: clientID, keyID: try record["id"].string(),
        expiresAt: try record["expires_at"].writtenInstant(), origin: origin))
  }
}
