/// Where each record of a provider is, by its id.
struct RecordDirectory {
  private let resolution: Resolution
  private let payments: [Text: Int]
  private let refunds: [Text: Int]
  private let disputes: [Text: Int]
  private let payouts: [Text: Int]
  private let intents: [Text: Int]
  private let transfers: [Text: Int]
  private let commissions: [Text: Int]

  init(_ resolution: Resolution) {
    self.resolution = resolution
    payments = Self.places(resolution.payments.map(\.paymentID))
    refunds = Self.places(resolution.refunds.map(\.refundID))
    disputes = Self.places(resolution.disputes.map(\.disputeID))
    payouts = Self.places(resolution.payouts.map(\.payoutID))
    intents = Self.places(resolution.records.intents.map(\.intentID))
    transfers = Self.places(resolution.records.transfers.map(\.transferID))
    commissions = Self.places(resolution.records.commissions.map(\.feeID))
  }

  private static func places(_ ids: [Text]) -> [Text: Int] {
    Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  func isPayment(_ id: Text) -> Bool { payments[id] != nil }
  func payment(_ id: Text?) -> PaymentRecord? { id.flatMap { payments[$0] }.map { resolution.payments[$0] } }
  func refund(_ id: Text?) -> RefundRecord? { id.flatMap { refunds[$0] }.map { resolution.refunds[$0] } }
  func dispute(_ id: Text?) -> DisputeRecord? { id.flatMap { disputes[$0] }.map { resolution.disputes[$0] } }
  func payout(_ id: Text?) -> PayoutRecord? { id.flatMap { payouts[$0] }.map { resolution.payouts[$0] } }
  func intent(_ id: Text?) -> IntentRecord? { id.flatMap { intents[$0] }.map { resolution.records.intents[$0] } }
  func transfer(_ id: Text?) -> TransferRecord? {
    id.flatMap { transfers[$0] }.map { resolution.records.transfers[$0] }
  }
  func commission(_ id: Text?) -> CommissionRecord? {
    id.flatMap { commissions[$0] }.map { resolution.records.commissions[$0] }
  }

  /// The payment that a refund or a dispute names; if it names only an intent, the intent's latest payment.
  func paymentID(named id: Text?) -> Text? { intent(id)?.latestPaymentID ?? id }
}
