import Cryptography
import Foundation

/// The key of a webhook, as the Customer Area shows it in hexadecimal; never printed.
package struct AdyenSignatureKey: Sendable {
  private let key: [UInt8]

  /// - Returns: nil unless the text is hexadecimal digits, two for each byte.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard !digits.isEmpty, digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    key = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Whether the key signed the text; takes the same time for every wrong signature.
  func hasSigned(_ text: String, signature: String) -> Bool {
    guard let code = Data(base64Encoded: signature) else { return false }
    return HMACSHA256.isValid(Array(code), for: text.utf8, key: key)
  }
}

extension AdyenSignatureKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What Adyen signs of a notification item (docs/providers/adyen.md section 4.2): eight values joined by colons, none
/// of them escaped.
///
/// Date, reason and additional values are not signed: no request and no movement of money may depend on them alone.
struct AdyenSignedText {
  let text: String

  init(
    pspReference: String, originalReference: String, merchantAccount: String, merchantReference: String, value: String,
    currency: String, eventCode: String, success: String
  ) {
    text = [pspReference, originalReference, merchantAccount, merchantReference, value, currency, eventCode, success]
      .joined(separator: ":")
  }

  func isSigned(by keys: [AdyenSignatureKey], _ signature: String) -> Bool {
    keys.contains { $0.hasSigned(text, signature: signature) }
  }
}
