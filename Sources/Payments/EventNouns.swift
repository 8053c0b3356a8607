// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// Something that happened to a payment, a refund or a dispute, where a provider reports events rather than stating the
/// record whole: webhooks, settlement rows, reporting rows, the events within an API object.
///
/// Resolve folds a record's events at every run. The same `eventID` from several feeds is one event.
package struct RecordEvent: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var subject: EventSubject
  /// The payment, refund or dispute.
  package var recordID: String
  /// The payment it belongs to; of a payment itself the same as `recordID`.
  package var paymentID: String?
  /// Identifies the event within the record: a capture's reference, a refund's id. `record#row` where a row reports one
  /// of several possible events: the first of them is the one that other feeds report by the record's id alone.
  package var eventID: String
  package var state: EventState
  package var feed: EventFeed
  /// Presentment currency and amount, not negative.
  package var currency: String
  package var amountMinor: Int64
  package var happenedAt: Int64
  /// When an authorisation lapses, or the deadline for answering a dispute.
  package var until: Int64?
  package var method: String?
  /// The checkout or authorisation of a capture, where it has an id of its own.
  package var intentID: String?
  /// The status or reason as the provider states it.
  package var detail: String?
  /// Identifies the part, where an event is reported in several (the splits of a capture), whose amounts add up. Empty:
  /// reported as a whole, which takes precedence.
  package var part: String
  /// Counts only where no other event reports this record.
  package var isEcho: Bool
  package var origin: Origin

  package init(
    provider: String, account: String, subject: EventSubject, recordID: String, paymentID: String?, eventID: String,
    state: EventState,
    feed: EventFeed, currency: String, amountMinor: Int64, happenedAt: Int64, until: Int64? = nil,
    method: String? = nil,
    intentID: String? = nil, detail: String? = nil, part: String = "", isEcho: Bool = false, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.subject = subject
    self.recordID = recordID
    self.paymentID = paymentID
    self.eventID = eventID
    self.state = state
    self.feed = feed
    self.currency = currency
    self.amountMinor = amountMinor
    self.happenedAt = happenedAt
    self.until = until
    self.method = method
    self.intentID = intentID
    self.detail = detail
    self.part = part
    self.isEcho = isEcho
    self.origin = origin
  }
}

/// A settlement batch: the rows that a provider closes, and usually pays, together.
package struct SettlementBatch: Hashable, Sendable {
  package var provider: String
  package var account: String
  /// As docs/discrepancies.md words it: `{merchant_account}/{batch}`, a settlement date, a batch id.
  package var batchID: String
  /// Its place in the account's sequence, where batches are numbered.
  package var number: Int64?
  package var closedAt: Int64
  /// When the next batch of the account is due to close, by the provider's calendar; nil where none is expected.
  package var nextAt: Int64?
  /// For a part in a further currency, the numbered batch that it belongs to; nil for a batch itself.
  package var partOf: String?
  package var origin: Origin

  package init(
    provider: String, account: String, batchID: String, number: Int64? = nil, closedAt: Int64, nextAt: Int64? = nil,
    partOf: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.batchID = batchID
    self.number = number
    self.closedAt = closedAt
    self.nextAt = nextAt
    self.partOf = partOf
    self.origin = origin
  }
}

/// A batch whose report the provider has announced.
package struct AnnouncedBatch: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var batchID: String
  package var number: Int64
  package var announcedAt: Int64
  package var origin: Origin

  package init(provider: String, account: String, batchID: String, number: Int64, announcedAt: Int64, origin: Origin) {
    self.provider = provider
    self.account = account
    self.batchID = batchID
    self.number = number
    self.announcedAt = announcedAt
    self.origin = origin
  }
}

/// One of the files of a batch, numbered from 0.
package struct BatchChunk: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var batchID: String
  package var chunk: Int64

  package init(provider: String, account: String, batchID: String, chunk: Int64) {
    self.provider = provider
    self.account = account
    self.batchID = batchID
    self.chunk = chunk
  }
}

/// An amount that a batch states about itself: its opening balance, its closing balance, its payout, the sum of its
/// rows.
package struct BatchValue: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var batchID: String
  package var currency: String
  package var name: BatchValueName
  /// The row that states it; several rows of one name add up.
  package var rowID: String
  package var amountMinor: Int64
  package var origin: Origin

  package init(
    provider: String, account: String, batchID: String, currency: String, name: BatchValueName, rowID: String,
    amountMinor: Int64, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.batchID = batchID
    self.currency = currency
    self.name = name
    self.rowID = rowID
    self.amountMinor = amountMinor
    self.origin = origin
  }
}

/// A row, or a payment, whose own arithmetic is wrong: it is kept as stated.
package struct BrokenRow: Hashable, Sendable {
  package var provider: String
  package var account: String
  package var rowID: String
  package var paymentID: String?
  package var batchID: String?
  package var currency: String
  /// The sum of its parts, and the stated amount.
  package var expectedMinor: Int64
  package var actualMinor: Int64
  package var bookedAt: Int64
  /// Which sum it is, for people.
  package var detail: String
  package var origin: Origin

  package init(
    provider: String, account: String, rowID: String, paymentID: String? = nil, batchID: String? = nil,
    currency: String,
    expectedMinor: Int64, actualMinor: Int64, bookedAt: Int64, detail: String, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.rowID = rowID
    self.paymentID = paymentID
    self.batchID = batchID
    self.currency = currency
    self.expectedMinor = expectedMinor
    self.actualMinor = actualMinor
    self.bookedAt = bookedAt
    self.detail = detail
    self.origin = origin
  }
}

/// A settlement row with exact amounts below the minor unit: its day's payout is the sum of these, rounded once
/// (docs/fund-flows.md section 5).
package struct SettledNet: Hashable, Sendable {
  package var provider: String
  package var account: String
  /// The payout that pays the row: its settlement date. The same row has the same one in every file: a file determines
  /// the days of its own rows only (sql/days).
  package var payoutID: String
  /// The ledger row of the movement, and that of its fee where it has one.
  package var rowID: String
  package var feeRowID: String?
  package var currency: String
  /// Millionths of the major unit, signed from the platform's side.
  package var netMillionths: Int64
  /// How many millionths the minor unit has: 10,000 where a currency has two digits.
  package var minorMillionths: Int64
  /// The first instant of the settlement date.
  package var settledAt: Int64
  package var origin: Origin

  package init(
    provider: String, account: String, payoutID: String, rowID: String, feeRowID: String?, currency: String,
    netMillionths: Int64,
    minorMillionths: Int64, settledAt: Int64, origin: Origin
  ) {
    self.provider = provider
    self.account = account
    self.payoutID = payoutID
    self.rowID = rowID
    self.feeRowID = feeRowID
    self.currency = currency
    self.netMillionths = netMillionths
    self.minorMillionths = minorMillionths
    self.settledAt = settledAt
    self.origin = origin
  }
}
