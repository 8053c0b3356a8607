import JSON
import Payments

/// What a notification's event code means (docs/providers/adyen.md section 4.1).
struct AdyenEventRule {
  let subject: EventSubject
  /// What happened when `success` is true, and when it is false; nil: nothing.
  let whenTrue: EventState?
  let whenFalse: EventState?

  private init(_ subject: EventSubject, _ whenTrue: EventState?, false whenFalse: EventState? = nil) {
    self.subject = subject
    self.whenTrue = whenTrue
    self.whenFalse = whenFalse
  }

  func state(isSuccess: Bool) -> EventState? { isSuccess ? whenTrue : whenFalse }

  /// The rule of an item; nil when its code is unknown or has nothing to do with money.
  ///
  /// An authorisation whose result is still open (Cash App Pay: `Received`) counts as started only. Failures
  /// (`CAPTURE_FAILED`, `REFUND_FAILED`) come with `success` true: the failure happened.
  static func of(_ code: String, _ item: JSONValue) throws -> AdyenEventRule? {
    switch code {
    case "AUTHORISATION":
      try isOpen(item)
        ? AdyenEventRule(.payment, .started, false: .started) : AdyenEventRule(.payment, .authorised, false: .declined)
    case "CANCEL_OR_REFUND":
      switch try item["additionalData"]["modification.action"].optionalString() {
      case "refund": AdyenEventRule(.refund, .succeeded)
      case "cancel": AdyenEventRule(.payment, .released)
      default: nil
      }
    default: byCode[code]
    }
  }

  private static func isOpen(_ item: JSONValue) throws -> Bool {
    let result = try item["resultCode"].optionalString() ?? item["additionalData"]["resultCode"].optionalString() ?? ""
    return ["received", "pending", "presenttoshopper"].contains(result.lowercased())
  }

  /// `"true"`, or the boolean; the text `"false"` is not a success.
  static func isSuccess(_ item: JSONValue) throws -> Bool {
    if item["success"].kind == .bool { return try item["success"].bool() }
    return try item["success"].optionalString()?.lowercased() == "true"
  }

  private static let byCode: [String: AdyenEventRule] = [
    "PENDING": .init(.payment, .started), "OFFER_CLOSED": .init(.payment, .declined),
    "CAPTURE": .init(.payment, .captured), "CAPTURE_FAILED": .init(.payment, .captureFailed),
    "CANCELLATION": .init(.payment, .released), "TECHNICAL_CANCEL": .init(.payment, .released),
    "EXPIRE": .init(.payment, .released),
    "REFUND": .init(.refund, .succeeded), "REFUND_WITH_DATA": .init(.refund, .succeeded),
    "POSTPONED_REFUND": .init(.refund, .pending),
    "REFUND_FAILED": .init(.refund, .failed), "REFUNDED_REVERSED": .init(.refund, .failed),
    "NOTIFICATION_OF_CHARGEBACK": .init(.dispute, .inquiry), "REQUEST_FOR_INFORMATION": .init(.dispute, .inquiry),
    "CHARGEBACK": .init(.dispute, .opened), "CHARGEBACK_REVERSED": .init(.dispute, .won),
    "PREARBITRATION_WON": .init(.dispute, .won),
    "SECOND_CHARGEBACK": .init(.dispute, .lost), "PREARBITRATION_LOST": .init(.dispute, .lost),
  ]

  /// Whether a code without a rule is worth reporting: it has an amount, and is not one of those known to move no
  /// money.
  static func couldMoveMoney(_ code: String, _ value: Int64) -> Bool {
    value != 0 && !quiet.contains(code) && !code.hasPrefix("PAYOUT_") && !code.hasPrefix("ORDER_")
      && !code.hasPrefix("MANUAL_REVIEW_")
  }

  private static let quiet: Set<String> = [
    "REPORT_AVAILABLE", "AUTHORISATION_ADJUSTMENT", "AUTHENTICATION", "RECURRING_CONTRACT", "NOTIFICATION_OF_FRAUD",
    "INFORMATION_SUPPLIED",
    "DISPUTE_DEFENSE_PERIOD_ENDED", "PREARBITRATION_OPENED", "ISSUER_COMMENTS", "ISSUER_RESPONSE_TIMEFRAME_EXPIRED",
    "AUTORESCUE",
    "AUTORESCUE_NEXT_ATTEMPT", "CANCEL_AUTORESCUE", "PROCESS_RETRY", "VOID_PENDING_REFUND", "DONATION",
    "DEACTIVATE_RECURRING",
    "PAIDOUT_REVERSED", "HANDLED_EXTERNALLY",
  ]
}
