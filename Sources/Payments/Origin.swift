/// Where a record was read: the landed file's ordinal in the store, and its line, from 1.
package struct Origin: Sendable, Hashable {
  package var file: Int64
  package var line: Int64
  /// When the pull that brought it observed it.
  package var observedAt: Int64
  /// The end of the range the pull was made for.
  package var rangeTo: Int64

  package init(file: Int64, line: Int64, observedAt: Int64, rangeTo: Int64) {
    self.file = file
    self.line = line
    self.observedAt = observedAt
    self.rangeTo = rangeTo
  }
}

/// Receives the nouns that a reader makes of a landed line; implemented by the store.
package protocol RecordSink: AnyObject {
  func add(_ row: LedgerRow, _ postings: [Posting]) throws
  func add(_ payment: Payment) throws
  func add(_ intent: Intent) throws
  func add(_ reference: Reference) throws
  func add(_ refund: Refund) throws
  func add(_ transfer: Transfer) throws
  func add(_ reversal: TransferReversal) throws
  func add(_ fee: ApplicationFee) throws
  func add(_ refund: ApplicationFeeRefund) throws
  func add(_ dispute: Dispute) throws
  func add(_ payout: Payout) throws
  func add(_ line: PayoutLine) throws
  func add(_ step: PayoutStep) throws
  func add(_ balance: StatedBalance) throws
  func add(_ word: UnknownWord) throws
  func add(_ event: RecordEvent) throws
  func add(_ batch: SettlementBatch) throws
  func add(_ batch: AnnouncedBatch) throws
  func add(_ chunk: BatchChunk) throws
  func add(_ value: BatchValue) throws
  func add(_ row: BrokenRow) throws
  func add(_ net: SettledNet) throws
  func add(_ key: Credential) throws
}
