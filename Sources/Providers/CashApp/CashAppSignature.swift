import Cryptography
import Foundation

/// The signature that Cash App's Network API requires of every request, `X-Signature: V1 …`
/// (docs/providers/cashapp.md section 1).
struct CashAppSignature {
  /// The signed headers, names in lower case, in the order that the vendor prescribes; a header that is not sent is
  /// left out.
  static let signedHeaders = ["accept", "authorization", "content-type", "host"]

  let variant: CashAppAccess.Variant

  /// The text that is signed: method, path with query exactly as sent, the headers, the digest of the body.
  func text(method: String, path: String, headers: [(String, String)], body: [UInt8] = []) -> String {
    let lines = Self.signedHeaders.compactMap { name in
      headers.first { $0.0.lowercased() == name }.map { "\(name):\(Self.trimmed($0.1))" }
    }
    let gap = variant == .prose ? "\n\n" : "\n"
    return "\(method)\n\(path)\n\(lines.joined(separator: "\n"))\(gap)\(SHA256.hash(body).hexadecimal)"
  }

  /// The header's value.
  func value(method: String, path: String, headers: [(String, String)], body: [UInt8] = [], secret: String) -> String {
    let text = text(method: method, path: path, headers: headers, body: body)
    return "V1 \(HMACSHA256.code(for: text.utf8, key: secret.utf8).hexadecimal)"
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
