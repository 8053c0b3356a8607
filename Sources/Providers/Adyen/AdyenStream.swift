/// A stream of Adyen's landing zone: one kind of delivery, in one folder.
enum AdyenStream: String, CaseIterable, Sendable {
  /// The rows of settlement detail reports: the money.
  case settlement = "settlement_details"
  /// Stored standard notifications: what happened to payments, refunds and disputes. They move no money.
  case notifications
  /// A balance platform's accounting and payout reports: what sellers and the liable account got, and were paid.
  case platform = "platform_reports"

  /// The words of `known.subject` that rest on it; without notifications the settlement tells states too.
  func subjects(hasNotifications: Bool) -> [String] {
    switch self {
    case .settlement: hasNotifications ? ["ledger", "payouts"] : ["ledger", "payouts", "payments", "refunds", "disputes"]
    case .notifications: ["payments", "refunds", "disputes"]
    case .platform: AdyenStream.settlement.subjects(hasNotifications: hasNotifications) + ["transfers"]
    }
  }
}
