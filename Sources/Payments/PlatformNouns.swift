// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// One thing that happened to a payout whose provider reports it row by row: it was booked, it failed, it came back.
///
/// sql/payouts makes one payout of its steps at every run: it began with the first and stands as the newest says.
package struct PayoutStep: Hashable, Sendable {
  package var provider: String
  /// The balance it was paid from.
  package var account: String
  package var payoutID: String
  /// The ledger row; of a step that moved nothing a name of its own.
  package var rowID: String
  /// The provider's word.
  package var status: String
  package var currency: String
  /// Positive towards the bank; of a step that moved nothing what it was about.
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
