// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// One row of the provider's own ledger, as stated (Stripe: a balance transaction, docs/providers/stripe.md section 2).
package struct LedgerRow: Hashable, Sendable {
  package var provider: String
  package var rowID: String
  package var account: String
  package var category: String
  package var sourceID: String?
  package var currency: String
  package var amountMinor: Int64
  package var feeMinor: Int64
  package var netMinor: Int64
  package var exchangeRate: String?
  package var bookedAt: Int64
  package var availableAt: Int64?
  package var description: String?
  package var isKnownCategory: Bool
  package var feeSumMinor: Int64
  /// The payment that the row is about, where the row contains it; else the stage assemble finds it through `sourceID`.
  package var paymentID: String?
  /// The record behind the row: for a capture the id that its events carry, or a refund, a dispute, a payout.
  package var recordID: String?
  package var recordKind: RecordKind?
  /// The account in the role `connected` of the row's postings.
  package var connectedAccount: String?
  /// The currency and amount that the customer saw, not negative; nil: the row's own amount.
  package var presentmentCurrency: String?
  package var presentmentMinor: Int64?
  /// Another row of the provider may report the same movement: this one counts only where none does (Resolve).
  package var isEcho: Bool
  /// The provider changes the date of its rows when their status changes: the date that was read first is kept, and
  /// another is not a change of the row.
  package var isRedated: Bool
  /// The provider withdrew the row: this version replaces the one that was read before, and counts for nothing if there
  /// was none.
  package var isWithdrawn = false
  /// The provider's own id of the row, where `rowID` has to contain more than that to be unique; nil: `rowID`.
  package var rowName: String?
  /// The payout or settlement batch that, according to the row itself, pays it; nil where the payout lists its rows
  /// (`PayoutLine`), or nothing does.
  package var payoutID: String?
  package var origin: Origin

  package init(
    provider: String, rowID: String, account: String, category: String, sourceID: String? = nil, currency: String,
    amountMinor: Int64, feeMinor: Int64, netMinor: Int64, exchangeRate: String? = nil, bookedAt: Int64,
    availableAt: Int64? = nil, description: String? = nil, isKnownCategory: Bool, feeSumMinor: Int64,
    paymentID: String? = nil,
    recordID: String? = nil, recordKind: RecordKind? = nil, connectedAccount: String? = nil,
    presentmentCurrency: String? = nil,
    presentmentMinor: Int64? = nil, isEcho: Bool = false, isRedated: Bool = false, rowName: String? = nil,
    payoutID: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.rowID = rowID
    self.account = account
    self.category = category
    self.sourceID = sourceID
    self.currency = currency
    self.amountMinor = amountMinor
    self.feeMinor = feeMinor
    self.netMinor = netMinor
    self.exchangeRate = exchangeRate
    self.bookedAt = bookedAt
    self.availableAt = availableAt
    self.description = description
    self.isKnownCategory = isKnownCategory
    self.feeSumMinor = feeSumMinor
    self.paymentID = paymentID
    self.recordID = recordID
    self.recordKind = recordKind
    self.connectedAccount = connectedAccount
    self.presentmentCurrency = presentmentCurrency
    self.presentmentMinor = presentmentMinor
    self.isEcho = isEcho
    self.isRedated = isRedated
    self.rowName = rowName
    self.payoutID = payoutID
    self.origin = origin
  }
}

/// One movement that the posting rules make of a ledger row, between roles (docs/fund-flows.md section 1).
package struct Posting: Hashable, Sendable {
  package var ordinal: Int
  package var kind: EntryKind
  package var from: Role
  package var to: Role
  package var currency: String
  package var amountMinor: Int64
  package var feeType: FeeType?
  package var description: String?

  package init(
    ordinal: Int, kind: EntryKind, from: Role, to: Role, currency: String, amountMinor: Int64, feeType: FeeType? = nil,
    description: String? = nil
  ) {
    self.ordinal = ordinal
    self.kind = kind
    self.from = from
    self.to = to
    self.currency = currency
    self.amountMinor = amountMinor
    self.feeType = feeType
    self.description = description
  }
}

/// A ledger row that an itemised payout lists; a row that contains its payout itself needs none.
package struct PayoutLine: Hashable, Sendable {
  package var provider: String
  package var payoutID: String
  package var rowID: String
  package var currency: String
  package var netMinor: Int64
  package var origin: Origin

  package init(
    provider: String, payoutID: String, rowID: String, currency: String, netMinor: Int64, origin: Origin
  ) {
    self.provider = provider
    self.payoutID = payoutID
    self.rowID = rowID
    self.currency = currency
    self.netMinor = netMinor
    self.origin = origin
  }
}

/// What the provider stated it held for us at an instant, available, pending and set aside together.
package struct StatedBalance: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var currency: String
  package var amountMinor: Int64
  /// The part of `amountMinor` that is set aside (holds, reserves): rows may report it as withdrawn, or not at all.
  package var withheldMinor: Int64
  package var observedAt: Int64
  /// The end of the range whose closing balance it is; Unix seconds UTC.
  package var rangeTo: Int64
  package var isSettled: Bool
  package var origin: Origin

  /// - Parameter rangeTo: nil: the end of the range that its pull was made for.
  package init(
    provider: String, account: String, currency: String, amountMinor: Int64, withheldMinor: Int64 = 0,
    observedAt: Int64,
    rangeTo: Int64? = nil, isSettled: Bool, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.currency = currency
    self.amountMinor = amountMinor
    self.withheldMinor = withheldMinor
    self.observedAt = observedAt
    self.rangeTo = rangeTo ?? origin.rangeTo
    self.isSettled = isSettled
    self.origin = origin
  }
}

/// A value of the provider for which there is no rule: the record is kept and shown.
package struct UnknownWord: Hashable, Sendable {
  package var provider: String
  package var recordID: String
  package var wordOf: String
  package var word: String
  package var account: String
  package var seenAt: Int64
  package var currency: String?
  package var amountMinor: Int64?

  package init(
    provider: String, recordID: String, wordOf: String, word: String, account: String, seenAt: Int64,
    currency: String? = nil,
    amountMinor: Int64? = nil
  ) {
    self.provider = provider
    self.recordID = recordID
    self.wordOf = wordOf
    self.word = word
    self.account = account
    self.seenAt = seenAt
    self.currency = currency
    self.amountMinor = amountMinor
  }
}
