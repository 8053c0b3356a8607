import Cryptography
import Foundation

/// Notifications as Adyen sends them: one item a body, signed (digest 4.1 and 4.2).
struct AdyenNotices {
  /// Hexadecimal; of the company's one endpoint, which receives the items of all its accounts.
  static let companyKey = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB01"

  let account: AdyenAccount
  var key = companyKey

  /// The body of one item.
  func body(_ event: AdyenEvent) -> String {
    var additional = event.additional.map { member($0.name, $0.value) }
    if let shopper = event.shopper {
      additional.append(member("shopperName", "[first name=\(shopper.name)]"))
      additional.append(member("shopperEmail", shopper.email))
      additional.append(member("cardSummary", shopper.lastDigits))
    }
    additional.append(member("hmacSignature", signature(event)))
    var members = [
      "\"additionalData\":{\(additional.joined(separator: ","))}",
      "\"amount\":{\"currency\":\"\(event.currency.uppercased())\",\"value\":\(event.value)}",
      member("eventCode", event.code), member("eventDate", account.eventDate(event.at)),
      member("merchantAccountCode", account.name),
      member("merchantReference", event.reference),
    ]
    if let original = event.original { members.append(member("originalReference", original)) }
    members += [
      member("paymentMethod", event.method), member("pspReference", event.psp), member("reason", event.reason),
      member("success", event.isSuccess ? "true" : "false"),
    ]
    return
      "{\"live\":\"false\",\"notificationItems\":[{\"NotificationRequestItem\":{\(members.joined(separator: ","))}}]}"
  }

  /// Base64 of the HMAC over the eight signed fields, joined by colons and not escaped.
  func signature(_ event: AdyenEvent) -> String {
    let fields = [
      event.psp, event.original ?? "", account.name, event.reference, "\(event.value)", event.currency.uppercased(),
      event.code,
      event.isSuccess ? "true" : "false",
    ]
    let code = HMACSHA256.code(for: fields.joined(separator: ":").utf8, key: keyBytes)
    return Data(code.bytes).base64EncodedString()
  }

  private var keyBytes: [UInt8] {
    let digits = Array(key.utf8).map { UInt8($0 < 65 ? $0 - 48 : $0 - 55) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func member(_ name: String, _ value: String) -> String {
    "\"\(name)\":\(JSONTree.quoted(value))"
  }
}
