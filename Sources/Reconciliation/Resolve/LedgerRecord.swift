import Payments

/// A row of the provider's ledger as it landed: what moved, and whatever the row itself names.
struct LedgerRecord: Sendable {
  /// Its number in the store; below zero: derived for a settlement day.
  var number: Int64 = 0
  var rowID: Text
  var account: Text = ""
  var category: Text = ""
  /// The object that the provider names behind it.
  var sourceID: Text?
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var feeMinor: Int64 = 0
  var netMinor: Int64 = 0
  var exchangeRate: Text?
  var bookedAt: Int64 = 0
  var availableAt: Int64?
  /// The payout or batch that the row says it is paid by.
  var payoutID: Text?
  var paymentID: Text?
  var recordID: Text?
  var recordKind: RecordKind?
  var connectedAccount: Text?
  var presentmentCurrency: Text?
  var presentmentMinor: Int64?
  /// It counts only where no other row reports the same movement.
  var isSecondary = false
  /// As reports name it; nil: by its id.
  var name: Text?
  /// Its postings among those of its provider.
  var postings: Range<Int> = 0..<0
}

/// One movement that the posting rules made of a ledger row, between roles.
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
  /// The row of the movement's fee.
  var feeRowID: Text?
  var currency: Text = ""
  /// Millionths of the major unit.
  var netMillionths: Int64 = 0
  /// Millionths of one minor unit.
  var minorMillionths: Int64 = 10_000
  var settledAt: Int64 = 0
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}
