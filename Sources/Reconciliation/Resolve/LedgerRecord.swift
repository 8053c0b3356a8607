import Payments

/// A row of the provider's ledger as it landed: the movement, and the identifiers that the row names.
struct LedgerRecord: Sendable {
  /// Its number in the store; negative: derived for a settlement day.
  var number: Int64 = 0
  var rowID: Text
  var account: Text = ""
  var category: Text = ""
  /// The object that the provider names as its source.
  var sourceID: Text?
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var feeMinor: Int64 = 0
  var netMinor: Int64 = 0
  var exchangeRate: Text?
  var bookedAt: Int64 = 0
  var availableAt: Int64?
  /// The payout or batch that the row names as paying it.
  var payoutID: Text?
  var paymentID: Text?
  var recordID: Text?
  var recordKind: RecordKind?
  var connectedAccount: Text?
  var presentmentCurrency: Text?
  var presentmentMinor: Int64?
  /// Whether it counts only if no other row reports the same movement.
  var isSecondary = false
  /// Its name in reports; nil: its id.
  var name: Text?
  /// The range of its postings in the provider's array.
  var postings: Range<Int> = 0..<0
}

/// One movement between roles that the posting rules derived from a ledger row.
struct PostingRecord: Sendable {
  var ordinal: Int64 = 0
  var kind: EntryKind
  var from: Role
  var to: Role
  var currency: Text
  /// Above zero.
  var amountMinor: Int64
  var feeType: Text?
  var description: Text?
}

/// The exact net of a settlement row, before the provider rounds the sum of its day.
struct ExactNet: Sendable {
  var account: Text = ""
  /// The settlement day.
  var payoutID: Text
  var rowID: Text
  /// The row with the movement's fee.
  var feeRowID: Text?
  var currency: Text = ""
  /// In millionths of the major unit.
  var netMillionths: Int64 = 0
  /// One minor unit, in millionths of the major unit.
  var minorMillionths: Int64 = 10_000
  var settledAt: Int64 = 0
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}
