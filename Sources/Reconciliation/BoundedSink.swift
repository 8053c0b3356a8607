import Payments

/// Checks records before they reach the store: a record is refused if one of its amounts or instants is beyond what
/// statements can add up.
///
/// Readers refuse single cells; this refuses values that they computed from several (such as the sum of many fee
/// lines), and whatever a new reader does not check.
final class BoundedSink: RecordSink {
  private let store: any RecordSink

  init(_ store: any RecordSink) { self.store = store }

  func add(_ row: LedgerRow, _ postings: [Posting]) throws {
    try Bounds.amount(row.amountMinor, "amount_minor")
    try Bounds.amount(row.feeMinor, "fee_minor")
    try Bounds.amount(row.netMinor, "net_minor")
    try Bounds.amount(row.feeSumMinor, "fee_sum_minor")
    try Bounds.amount(row.presentmentMinor, "presentment_minor")
    try Bounds.instant(row.bookedAt, "booked_at")
    try Bounds.instant(row.availableAt, "available_at")
    for posting in postings { try Bounds.amount(posting.amountMinor, "an entry's amount_minor") }
    try store.add(row, postings)
  }

  func add(_ payment: Payment) throws {
    try Bounds.amount(payment.amountMinor, "amount_minor")
    try Bounds.amount(payment.capturedMinor, "captured_minor")
    try Bounds.amount(payment.transferAmountMinor, "transfer_amount_minor")
    try Bounds.amount(payment.applicationFeeMinor, "application_fee_minor")
    try Bounds.instant(payment.createdAt, "created_at")
    try Bounds.instant(payment.captureBefore, "capture_before")
    try store.add(payment)
  }

  func add(_ intent: Intent) throws {
    try Bounds.amount(intent.amountMinor, "amount_minor")
    try Bounds.amount(intent.capturableMinor, "capturable_minor")
    try Bounds.amount(intent.transferAmountMinor, "transfer_amount_minor")
    try Bounds.amount(intent.applicationFeeMinor, "application_fee_minor")
    try Bounds.instant(intent.createdAt, "created_at")
    try Bounds.instant(intent.canceledAt, "canceled_at")
    try store.add(intent)
  }

  func add(_ reference: Reference) throws { try store.add(reference) }

  func add(_ refund: Refund) throws {
    try Bounds.check(refund.amountMinor, at: refund.createdAt)
    try store.add(refund)
  }

  func add(_ transfer: Transfer) throws {
    try Bounds.check(transfer.amountMinor, at: transfer.createdAt)
    try store.add(transfer)
  }

  func add(_ reversal: TransferReversal) throws {
    try Bounds.check(reversal.amountMinor, at: reversal.createdAt)
    try store.add(reversal)
  }

  func add(_ fee: ApplicationFee) throws {
    try Bounds.check(fee.amountMinor, at: fee.createdAt)
    try store.add(fee)
  }

  func add(_ refund: ApplicationFeeRefund) throws {
    try Bounds.check(refund.amountMinor, at: refund.createdAt)
    try store.add(refund)
  }

  func add(_ dispute: Dispute) throws {
    try Bounds.check(dispute.amountMinor, at: dispute.createdAt)
    try Bounds.instant(dispute.respondBy, "respond_by")
    try store.add(dispute)
  }

  func add(_ payout: Payout) throws {
    try Bounds.check(payout.amountMinor, at: payout.createdAt)
    try store.add(payout)
  }

  func add(_ line: PayoutLine) throws {
    try Bounds.amount(line.netMinor, "net_minor")
    try store.add(line)
  }

  func add(_ step: PayoutStep) throws {
    try Bounds.check(step.amountMinor, at: step.happenedAt)
    try store.add(step)
  }

  func add(_ balance: StatedBalance) throws {
    try Bounds.check(balance.amountMinor, at: balance.observedAt)
    try Bounds.amount(balance.withheldMinor, "withheld_minor")
    try store.add(balance)
  }

  func add(_ word: UnknownWord) throws {
    try Bounds.check(word.amountMinor ?? 0, at: word.seenAt)
    try store.add(word)
  }

  func add(_ event: RecordEvent) throws {
    try Bounds.check(event.amountMinor, at: event.happenedAt)
    try Bounds.instant(event.until, "until_at")
    try store.add(event)
  }

  func add(_ batch: SettlementBatch) throws {
    try Bounds.number(batch.number, "number")
    try Bounds.instant(batch.closedAt, "closed_at")
    try Bounds.instant(batch.nextAt, "next_at")
    try store.add(batch)
  }

  func add(_ batch: AnnouncedBatch) throws {
    try Bounds.number(batch.number, "number")
    try Bounds.instant(batch.announcedAt, "announced_at")
    try store.add(batch)
  }

  func add(_ chunk: BatchChunk) throws {
    try Bounds.number(chunk.chunk, "chunk")
    try store.add(chunk)
  }

  func add(_ value: BatchValue) throws {
    try Bounds.amount(value.amountMinor, "amount_minor")
    try store.add(value)
  }

  func add(_ row: BrokenRow) throws {
    try Bounds.check(row.actualMinor, at: row.bookedAt)
    try Bounds.amount(row.expectedMinor, "expected_minor")
    try store.add(row)
  }

  func add(_ net: SettledNet) throws {
    // Millionths: a thousand of them add up within 64 bits.
    try Bounds.amount(net.netMillionths, "net_millionths")
    try Bounds.instant(net.settledAt, "settled_at")
    try store.add(net)
  }

  func add(_ key: Credential) throws {
    try Bounds.instant(key.expiresAt, "expires_at")
    try store.add(key)
  }
}

/// The limits of the store: ten times the amounts that a cell may have, to allow for values computed from several
/// cells.
private enum Bounds {
  private static let amounts = -10 * Limits.amountMinor...10 * Limits.amountMinor
  private static let numbers: ClosedRange<Int64> = 0...999_999_999

  static func amount(_ minor: Int64?, _ name: StaticString) throws {
    if let minor, !amounts.contains(minor) {
      throw BoundsError(name: "\(name)", found: minor, expected: "at most 10^16 minor units either way")
    }
  }

  static func instant(_ seconds: Int64?, _ name: StaticString) throws {
    if let seconds, !Limits.instants.contains(seconds) {
      throw BoundsError(name: "\(name)", found: seconds, expected: "a moment of the years 2000 to 2100")
    }
  }

  static func number(_ number: Int64?, _ name: StaticString) throws {
    if let number, !numbers.contains(number) {
      throw BoundsError(name: "\(name)", found: number, expected: "a number from 0 to 999,999,999")
    }
  }

  static func check(_ minor: Int64, at seconds: Int64) throws {
    try amount(minor, "amount_minor")
    try instant(seconds, "its time")
  }
}

/// Why the store does not accept a record.
struct BoundsError: Error, CustomStringConvertible {
  let name: String
  let found: Int64
  let expected: String

  var description: String { "\(name): found \(found), expected \(expected); see the record at its source" }
}
