/// A stream of Adyen's landing zone: one kind of delivery, in one folder.
enum AdyenStream: String, CaseIterable, Sendable {
  /// The rows of settlement detail reports: the money.
  case settlement = "settlement_details"
  /// Stored standard notifications: what happened to payments, refunds and disputes. They move no money.
  case notifications
  /// A balance platform's accounting and payout reports: what sellers and the liable account got, and were paid.
  case platform = "platform_reports"

  /// What happened to payments, refunds and disputes: notifications report it, and so does the settlement, where there
  /// are none alone.
  private static let states = ["payments", "refunds", "disputes"]

  /// The words of `known.subject` that rest on it; without notifications the settlement reports states too.
  func subjects(hasNotifications: Bool) -> [String] {
    switch self {
    case .settlement: ["ledger", "payouts"] + (hasNotifications ? [] : AdyenStream.states)
    case .notifications: AdyenStream.states
    case .platform: AdyenStream.settlement.subjects(hasNotifications: hasNotifications) + ["transfers"]
    }
  }

  /// A capture of which no notification came is in the settlement.
  func alsoReports(hasNotifications: Bool) -> [String] {
    self != .notifications && hasNotifications ? AdyenStream.states : []
  }
}
