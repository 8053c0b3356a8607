// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// One step of a payout whose provider reports it row by row: it was booked, it failed, it was returned.
///
/// sql/payouts makes one payout of its steps at every run: it began with the first and has the status of the newest.
package struct PayoutStep: Hashable, Sendable {
  package var provider: String
  /// The balance it was paid from.
  package var account: String
  package var payoutID: String
  /// The ledger row; for a step that moved nothing, a name of its own.
  package var rowID: String
  /// The provider's word.
  package var status: String
  package var currency: String
  /// Positive towards the bank; for a step that moved nothing, the amount it is about.
  package var amountMinor: Int64
  package var happenedAt: Int64
  package var bankReference: String?
  package var origin: Origin

  package init(
    provider: String, account: String, payoutID: String, rowID: String, status: String, currency: String,
    amountMinor: Int64,
    happenedAt: Int64, bankReference: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.payoutID = payoutID
    self.rowID = rowID
    self.status = status
    self.currency = currency
    self.amountMinor = amountMinor
    self.happenedAt = happenedAt
    self.bankReference = bankReference
    self.origin = origin
  }
}
