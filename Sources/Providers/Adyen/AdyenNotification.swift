import JSON

/// One item of a stored standard notification (docs/providers/adyen.md section 4.1), before it is verified.
struct AdyenNotification {
  let item: JSONValue
  /// The file that contains it, and its number there.
  let location: String

  var eventCode: String { text(item["eventCode"]) }
  var merchantAccount: String { text(item["merchantAccountCode"]) }
  var pspReference: String { text(item["pspReference"]) }

  /// Whether one of the keys signed it. Without a signature only REPORT_AVAILABLE is accepted, which some accounts send
  /// unsigned: only a batch number is taken from it.
  func isBelieved(_ keys: [AdyenSignatureKey]) -> Bool {
    let signature = text(item["additionalData"]["hmacSignature"])
    if signature.isEmpty { return eventCode == "REPORT_AVAILABLE" }
    return signedText.isSigned(by: keys, signature)
  }

  private var signedText: AdyenSignedText {
    AdyenSignedText(
      pspReference: pspReference, originalReference: text(item["originalReference"]), merchantAccount: merchantAccount,
      merchantReference: text(item["merchantReference"]), value: text(item["amount"]["value"]),
      currency: text(item["amount"]["currency"]), eventCode: eventCode, success: text(item["success"]))
  }

  /// A value as Adyen signs it: text and numbers as written, `success` also where it is a boolean.
  private func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .string, .number: String(decoding: value.text, as: UTF8.self)
    case .bool: (try? value.bool()) == true ? "true" : "false"
    default: ""
    }
  }

  /// The line to land, and how many fields of the item are not in it.
  func line(keeping fields: FieldSet) -> (bytes: [UInt8], dropped: Int) {
    var line = Array("{\"location\":".utf8)
    JSONValue.writeString(location.utf8, into: &line)
    line.append(contentsOf: ",\"item\":".utf8)
    let dropped = item.writeJSON(into: &line, keeping: fields)
    line.append(UInt8(ascii: "}"))
    return (line, dropped)
  }

  /// The items of a stored body: a whole notification, several of them, or the item alone.
  ///
  /// - Returns: nil when it is something else; an empty list for messages of other kinds (tokens, transfers), which
  ///   move no money here.
  static func items(of body: JSONValue) -> [JSONValue]? {
    if body.kind == .array {
      let parts = body.elements.map(items)
      return parts.contains { $0 == nil } ? nil : parts.compactMap { $0 }.flatMap { $0 }
    }
    guard body.kind == .object else { return nil }
    if body["notificationItems"].kind == .array {
      return body["notificationItems"].elements.map {
        $0["NotificationRequestItem"].kind == .object ? $0["NotificationRequestItem"] : $0
      }
    }
    if body["NotificationRequestItem"].kind == .object { return [body["NotificationRequestItem"]] }
    if body["eventCode"].kind == .string { return [body] }
    return body["type"].kind == .string && (body["data"].kind == .object || body["eventId"].kind == .string) ? [] : nil
  }
}

/// The fields of a notification that are kept, and so the only ones that are landed.
///
/// Left out are shopper and card fields, the signature, and the reason of an authorisation, which holds a card's last
/// digits and expiry.
enum AdyenNotificationFields {
  static func kept(of eventCode: String, metadata: [String]) -> FieldSet {
    var fields: [String: FieldSet] = [
      "eventCode": .all, "eventDate": .all, "merchantAccountCode": .all, "merchantReference": .all,
      "originalReference": .all,
      "pspReference": .all, "paymentMethod": .all, "success": .all, "resultCode": .all,
      "amount": ["currency", "value"],
      "additionalData": additional(metadata),
    ]
    if tellsWhy(eventCode) { fields["reason"] = .all }
    return .fields(fields)
  }

  private static func additional(_ metadata: [String]) -> FieldSet {
    let names =
      [
        "modification.action", "merchantOrderReference", "defensePeriodEndsAt", "disputeStatus", "chargebackReasonCode",
        "resultCode",
      ]
      + metadata.filter { $0.hasPrefix("metadata.") }
    return .fields(Dictionary(names.map { ($0, FieldSet.all) }) { one, _ in one })
  }

  /// Reasons of refunds, captures and disputes are written by Adyen or the scheme.
  private static func tellsWhy(_ eventCode: String) -> Bool {
    ["REFUND", "CAPTURE", "CHARGEBACK", "CANCEL", "PREARBITRATION", "NOTIFICATION_OF", "REQUEST_FOR"].contains {
      eventCode.contains($0)
    }
  }
}
