import Cryptography
import Foundation
import Settings

/// A custom web service: JSON, signed if there is a secret.
///
/// `X-Crossfoot-Signature: v1=` HMAC-SHA256 in hex over the timestamp, a full stop and the body's bytes.
struct Webhook: Channel {
  let post: Post
  let secret: Secret?
  /// Unix seconds.
  let now: @Sendable () -> Int64

  func deliver(_ digest: Digest, key: String) async -> Delivery {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var shown = digest
    shown.workbook = nil
    guard let body = try? encoder.encode(Body(id: key, digest: shown)) else {
      return .failed("webhook: the message cannot be written", isForGood: true)
    }
    let timestamp = String(now())
    var headers = [("Idempotency-Key", key), ("X-Crossfoot-Timestamp", timestamp)]
    if let secret { headers.append(("X-Crossfoot-Signature", Self.signature(body, timestamp, secret))) }
    return await post.send(body, headers: headers, label: "webhook")
  }

  static func signature(_ body: Data, _ timestamp: String, _ secret: Secret) -> String {
    "v1=" + HMACSHA256.code(for: Data("\(timestamp).".utf8) + body, key: secret.revealed.utf8).hexadecimal
  }

  private struct Body: Encodable {
    var event = "crossfoot.digest"
    let id: String
    let digest: Digest
  }
}
