import JSON
import Payments

/// Tries a line on the reader that will read it, so that a line it would refuse lands as a refusal and its file is read
/// again.
final class AdyenTrial {
  private let reader: AdyenReader
  private let stream: AdyenStream
  private let parser = JSONParser()
  private let sink = NoRecords()

  init(_ configuration: AdyenConfiguration, _ stream: AdyenStream) {
    reader = AdyenReader(configuration)
    self.stream = stream
  }

  /// Why the reader would refuse the line; nil when it would not.
  func refusal(of line: [UInt8]) throws -> RefusedRecord? {
    do {
      let origin = Origin(file: 0, line: 1, observedAt: 0, rangeTo: 0)
      try parser.parse(line) { try reader.read($0, stream: stream.rawValue, from: origin, into: sink) }
      return nil
    } catch let refused as RefusedRecord {
      return refused
    }
  }
}

/// Accepts nouns and discards them.
private final class NoRecords: RecordSink {
  func add(_ row: LedgerRow, _ postings: [Posting]) {}
  func add(_ payment: Payment) {}
  func add(_ intent: Intent) {}
  func add(_ reference: Reference) {}
  func add(_ refund: Refund) {}
  func add(_ transfer: Transfer) {}
  func add(_ reversal: TransferReversal) {}
  func add(_ fee: ApplicationFee) {}
  func add(_ refund: ApplicationFeeRefund) {}
  func add(_ dispute: Dispute) {}
  func add(_ payout: Payout) {}
  func add(_ line: PayoutLine) {}
  func add(_ step: PayoutStep) {}
  func add(_ balance: StatedBalance) {}
  func add(_ word: UnknownWord) {}
  func add(_ event: RecordEvent) {}
  func add(_ batch: SettlementBatch) {}
  func add(_ batch: AnnouncedBatch) {}
  func add(_ chunk: BatchChunk) {}
  func add(_ value: BatchValue) {}
  func add(_ row: BrokenRow) {}
  func add(_ key: Credential) {}
  func add(_ net: SettledNet) {}
}
