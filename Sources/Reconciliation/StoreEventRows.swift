import Payments
import Storage

/// How events and settlement batches are written to their tables: one bulk row each, columns in the order of
/// `StoreTable`.
extension StoreSink {
  package func add(_ event: RecordEvent) throws {
    let loader = try loader(.recordEvent)
    try loader.append(text: event.provider)
    try loader.append(text: event.account)
    try loader.append(text: event.subject.rawValue)
    try loader.append(text: event.recordID)
    try loader.append(text: event.paymentID)
    try loader.append(text: event.eventID)
    try loader.append(text: event.state.rawValue)
    try loader.append(text: event.feed.rawValue)
    try loader.append(text: event.currency)
    try loader.append(integer: event.amountMinor)
    try loader.append(integer: event.happenedAt)
    try loader.append(integer: event.until)
    try loader.append(text: event.method)
    try loader.append(text: event.intentID)
    try loader.append(text: event.detail)
    try loader.append(text: event.part)
    try loader.append(integer: event.isEcho ? 1 : 0)
    try loader.append(integer: event.origin.file)
    try loader.append(integer: event.origin.line)
    try loader.endRow()
  }

  package func add(_ step: PayoutStep) throws {
    let loader = try loader(.payoutStep)
    try loader.append(text: step.provider)
    try loader.append(text: step.account)
    try loader.append(text: step.payoutID)
    try loader.append(text: step.rowID)
    try loader.append(text: step.status)
    try loader.append(text: step.currency)
    try loader.append(integer: step.amountMinor)
    try loader.append(integer: step.happenedAt)
    try loader.append(text: step.bankReference)
    try loader.append(integer: step.origin.file)
    try loader.append(integer: step.origin.line)
    try loader.endRow()
  }

  package func add(_ batch: SettlementBatch) throws {
    let loader = try loader(.settlementBatch)
    try loader.append(text: batch.provider)
    try loader.append(text: batch.account)
    try loader.append(text: batch.batchID)
    try loader.append(integer: batch.number)
    try loader.append(integer: batch.closedAt)
    try loader.append(integer: batch.nextAt)
    try loader.append(text: batch.partOf)
    try loader.append(integer: batch.origin.file)
    try loader.append(integer: batch.origin.line)
    try loader.endRow()
  }

  package func add(_ batch: AnnouncedBatch) throws {
    let loader = try loader(.announcedBatch)
    try loader.append(text: batch.provider)
    try loader.append(text: batch.account)
    try loader.append(text: batch.batchID)
    try loader.append(integer: batch.number)
    try loader.append(integer: batch.announcedAt)
    try loader.append(integer: batch.origin.file)
    try loader.append(integer: batch.origin.line)
    try loader.endRow()
  }

  package func add(_ chunk: BatchChunk) throws {
    let loader = try loader(.batchChunk)
    try loader.append(text: chunk.provider)
    try loader.append(text: chunk.account)
    try loader.append(text: chunk.batchID)
    try loader.append(integer: chunk.chunk)
    try loader.endRow()
  }

  package func add(_ value: BatchValue) throws {
    let loader = try loader(.batchValue)
    try loader.append(text: value.provider)
    try loader.append(text: value.account)
    try loader.append(text: value.batchID)
    try loader.append(text: value.currency)
    try loader.append(text: value.name.rawValue)
    try loader.append(text: value.rowID)
    try loader.append(integer: value.amountMinor)
    try loader.append(integer: value.origin.file)
    try loader.append(integer: value.origin.line)
    try loader.endRow()
  }

  package func add(_ row: BrokenRow) throws {
    let loader = try loader(.statedBrokenRow)
    try loader.append(text: row.provider)
    try loader.append(text: row.account)
    try loader.append(text: row.rowID)
    try loader.append(text: row.paymentID)
    try loader.append(text: row.batchID)
    try loader.append(text: row.currency)
    try loader.append(integer: row.expectedMinor)
    try loader.append(integer: row.actualMinor)
    try loader.append(integer: row.bookedAt)
    try loader.append(text: row.detail)
    try loader.append(integer: row.origin.file)
    try loader.append(integer: row.origin.line)
    try loader.endRow()
  }

  package func add(_ net: SettledNet) throws {
    let loader = try loader(.settledNet)
    try loader.append(text: net.provider)
    try loader.append(text: net.account)
    try loader.append(text: net.payoutID)
    try loader.append(text: net.rowID)
    try loader.append(text: net.feeRowID)
    try loader.append(text: net.currency)
    try loader.append(integer: net.netMillionths)
    try loader.append(integer: net.minorMillionths)
    try loader.append(integer: net.settledAt)
    try loader.append(integer: net.origin.file)
    try loader.append(integer: net.origin.line)
    try loader.endRow()
  }

  package func add(_ key: Credential) throws {
    let loader = try loader(.credential)
    try loader.append(text: key.provider)
    try loader.append(text: key.account)
    try loader.append(text: key.keyID)
    try loader.append(integer: key.expiresAt)
    try loader.append(integer: key.origin.file)
    try loader.append(integer: key.origin.line)
    try loader.endRow()
  }
}
