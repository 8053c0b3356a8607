/// A stream of Adyen's landing zone: one kind of delivery, in one folder.
enum AdyenStream: String, CaseIterable, Sendable {
  /// The rows of settlement detail reports: the money.
  case settlement = "settlement_details"
  /// Stored standard notifications: what happened to payments, refunds and disputes. They move no money.
  case notifications

  /// The words of `known.subject` that rest on it; without notifications the settlement tells states too.
  func subjects(hasNotifications: Bool) -> [String] {
    switch self {
    case .settlement: hasNotifications ? ["ledger", "payouts"] : ["ledger", "payouts", "payments", "refunds", "disputes"]
    case .notifications: ["payments", "refunds", "disputes"]
    }
  }
}
