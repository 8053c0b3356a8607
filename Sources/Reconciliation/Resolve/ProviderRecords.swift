/// All landed records of one provider: the inputs of resolve and assemble.
struct ProviderRecords: Sendable {
  let provider: Text
  var rows: [LedgerRecord] = []
  /// In the order of their rows.
  var postings: [PostingRecord] = []
  /// Payments, refunds and disputes that the provider states as a whole.
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
  /// For payments captured before, no record is claimed to be missing; nil: payments were never read.
  var paymentsFrom: Int64?
  /// Nil: refunds were never requested.
  var areRefundsComplete: Bool?
}

/// A record that could not be derived because one of its sums needs more than 64 bits: it is left out, and all others
/// are not.
package struct Unresolved: Error, Hashable, Sendable {
  package let provider: String
  /// The provider's id of a payment, refund or payout.
  package let recordID: String
  package let reason: String
}
