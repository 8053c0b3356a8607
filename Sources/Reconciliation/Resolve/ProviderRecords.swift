/// Everything that landed of one provider: what resolve and assemble are functions of.
struct ProviderRecords: Sendable {
  let provider: Text
  var rows: [LedgerRecord] = []
  /// In the order of their rows.
  var postings: [PostingRecord] = []
  /// Payments, refunds and disputes that the provider states whole.
  var payments: [PaymentRecord] = []
  var refunds: [RefundRecord] = []
  var disputes: [DisputeRecord] = []
  /// The dispute that names a ledger row, by the row.
  var disputeRows: [(rowID: Text, disputeID: Text)] = []
  var intents: [IntentRecord] = []
  /// In the order of their owners.
  var references: [ReferenceRecord] = []
  var transfers: [TransferRecord] = []
  var reversals: [ReversalRecord] = []
  var commissions: [CommissionRecord] = []
  var commissionRefunds: [CommissionRefundRecord] = []
  var payouts: [PayoutRecord] = []
  var payoutLines: [PayoutLineRecord] = []
  var exactNets: [ExactNet] = []
  /// In the order of subject and record.
  var observations: [Observation] = []
  var coverage = RecordCoverage()

  init(provider: Text) { self.provider = provider }

  /// The key under which every table names a payment.
  func flowKey(_ paymentID: Text) -> Text { Text("\(provider):\(paymentID)") }
}

/// How far a provider's payments and refunds are complete.
struct RecordCoverage: Sendable {
  /// Nothing is claimed missing of payments captured before; nil: payments were never read.
  var paymentsFrom: Int64?
  /// Nil: refunds were never asked for.
  var areRefundsComplete: Bool?
}

/// What could not be derived, because a sum of it needs more than 64 bits: it is left out, and the rest is not.
package struct Unresolved: Error, Hashable, Sendable {
  package let provider: String
  /// A payment, refund or payout of the provider, as it names it.
  package let recordID: String
  package let reason: String
}
