/// A stream of Adyen's landing zone: one kind of delivery, in one folder.
enum AdyenStream: String, CaseIterable, Sendable {
  /// The rows of settlement detail reports: the money.
  case settlement = "settlement_details"
  /// Stored standard notifications: what happened to payments, refunds and disputes. They move no money.
  case notifications
  /// A balance platform's accounting and payout reports: what sellers and the liable account earned, and what was paid
  /// out.
  case platform = "platform_reports"

  /// The states of payments, refunds and disputes: reported by notifications and by the settlement, by the latter alone
  /// where there are no notifications.
  private static let states = ["payments", "refunds", "disputes"]

  /// The values of `known.subject` that rely on it; without notifications, the settlement reports states too.
  func subjects(hasNotifications: Bool) -> [String] {
    switch self {
    case .settlement: ["ledger", "payouts"] + (hasNotifications ? [] : AdyenStream.states)
    case .notifications: AdyenStream.states
    case .platform: AdyenStream.settlement.subjects(hasNotifications: hasNotifications) + ["transfers"]
    }
  }

  /// A capture without a notification is still in the settlement.
  func alsoReports(hasNotifications: Bool) -> [String] {
    self != .notifications && hasNotifications ? AdyenStream.states : []
  }
}
