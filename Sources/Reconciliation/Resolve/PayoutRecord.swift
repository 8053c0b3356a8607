/// Money that a provider pays to the bank: stated as a whole, folded from its steps, or of a settlement day
/// (sql/payouts).
struct PayoutRecord: Sendable {
  var payoutID: Text
  var account: Text = ""
  var currency: Text = ""
  /// Above zero towards the bank.
  var amountMinor: Int64 = 0
  var createdAt: Int64 = 0
  var arrivalOn: Text?
  var status: Text = ""
  /// Whether the provider lists the rows that it pays.
  var isItemised = false
  var rowID: Text?
  var failureRowID: Text?
  var failureCode: Text?
  var bankReference: Text?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

/// A row that an itemised payout pays.
struct PayoutLineRecord: Sendable {
  var payoutID: Text
  var rowID: Text
  var currency: Text = ""
  var netMinor: Int64 = 0
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}
