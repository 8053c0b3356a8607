import Payments
import Storage

/// How each record type is written to its table: one bulk row, columns in the order of `StoreTable`.
extension StoreSink {
  func load(_ row: LedgerRow, number: Int64, into loader: any BulkLoader, isStaged: Bool) throws {
    try loader.append(integer: number)
    try loader.append(text: row.provider)
    try loader.append(text: row.rowID)
    try loader.append(text: row.account)
    try loader.append(text: row.category)
    try loader.append(text: row.sourceID)
    try loader.append(text: row.currency)
    try loader.append(integer: row.amountMinor)
    try loader.append(integer: row.feeMinor)
    try loader.append(integer: row.netMinor)
    try loader.append(text: row.exchangeRate)
    try loader.append(integer: row.bookedAt)
    try loader.append(integer: row.availableAt)
    try loader.append(text: row.description)
    try loader.append(integer: row.isKnownCategory ? 1 : 0)
    try loader.append(integer: row.feeSumMinor)
    let covered = lateness.covered(row.bookedAt)
    try loader.append(integer: covered)
    try loader.append(integer: covered == nil ? nil : row.origin.rangeTo)
    try loader.append(integer: row.origin.observedAt)
    try loader.append(integer: row.origin.file)
    try loader.append(integer: row.origin.line)
    try loader.append(text: row.payoutID)
    try loader.append(text: row.paymentID)
    try loader.append(text: row.recordID)
    try loader.append(text: row.recordKind?.rawValue)
    try loader.append(text: row.connectedAccount)
    try loader.append(text: row.presentmentCurrency)
    try loader.append(integer: row.presentmentMinor)
    try loader.append(integer: row.isEcho ? 1 : 0)
    try loader.append(text: row.rowName)
    if isStaged {
      try loader.append(integer: row.isRedated ? 1 : 0)
      try loader.append(integer: row.isWithdrawn ? 1 : 0)
    }
    try loader.endRow()
  }

  func load(_ posting: Posting, ofRow number: Int64, into loader: any BulkLoader) throws {
    try loader.append(integer: number)
    try loader.append(integer: Int64(posting.ordinal))
    try loader.append(text: posting.kind.rawValue)
    try loader.append(text: posting.from.rawValue)
    try loader.append(text: posting.to.rawValue)
    try loader.append(text: posting.currency)
    try loader.append(integer: posting.amountMinor)
    try loader.append(text: posting.feeType?.rawValue)
    try loader.append(text: posting.description)
    try loader.endRow()
  }

  package func add(_ payment: Payment) throws {
    let loader = try loader(.statedPayment)
    try loader.append(text: payment.provider)
    try loader.append(text: payment.paymentID)
    try loader.append(text: "\(payment.provider):\(payment.paymentID)")
    try loader.append(text: payment.account)
    try loader.append(text: payment.intentID)
    try loader.append(text: payment.status.rawValue)
    try loader.append(integer: payment.isCaptured ? 1 : 0)
    try loader.append(integer: payment.isDeclined ? 1 : 0)
    try loader.append(text: payment.currency)
    try loader.append(integer: payment.amountMinor)
    try loader.append(integer: payment.capturedMinor)
    try loader.append(integer: payment.createdAt)
    try loader.append(integer: payment.captureBefore)
    try loader.append(text: payment.destination)
    try loader.append(integer: payment.transferAmountMinor)
    try loader.append(integer: payment.applicationFeeMinor)
    try loader.append(text: payment.transferGroup)
    try loader.append(text: payment.method)
    try loader.append(text: payment.rowID)
    try loader.append(text: payment.failureRowID)
    try loader.append(integer: payment.origin.file)
    try loader.append(integer: payment.origin.line)
    try loader.endRow()
  }

  package func add(_ intent: Intent) throws {
    let loader = try loader(.intent)
    try loader.append(text: intent.provider)
    try loader.append(text: intent.intentID)
    try loader.append(text: intent.status.rawValue)
    try loader.append(text: intent.currency)
    try loader.append(integer: intent.amountMinor)
    try loader.append(integer: intent.capturableMinor)
    try loader.append(integer: intent.createdAt)
    try loader.append(integer: intent.canceledAt)
    try loader.append(text: intent.latestPaymentID)
    try loader.append(text: intent.destination)
    try loader.append(integer: intent.transferAmountMinor)
    try loader.append(integer: intent.applicationFeeMinor)
    try loader.append(text: intent.transferGroup)
    try loader.append(integer: intent.origin.file)
    try loader.append(integer: intent.origin.line)
    try loader.endRow()
  }

  package func add(_ reference: Reference) throws {
    // Every record is known by its own id (PaymentReferences): only its rank among the order references adds
    // information.
    if reference.value == reference.ownerID, reference.orderRank == nil { return }
    let loader = try loader(.reference)
    try loader.append(text: reference.provider)
    try loader.append(text: reference.ownerID)
    try loader.append(text: reference.name)
    try loader.append(text: reference.value)
    try loader.append(integer: reference.orderRank.map(Int64.init))
    try loader.append(integer: reference.origin.file)
    try loader.endRow()
  }

  package func add(_ refund: Refund) throws {
    let loader = try loader(.statedRefund)
    try loader.append(text: refund.provider)
    try loader.append(text: refund.refundID)
    try loader.append(text: refund.paymentID)
    try loader.append(text: refund.status.rawValue)
    try loader.append(text: refund.currency)
    try loader.append(integer: refund.amountMinor)
    try loader.append(integer: refund.createdAt)
    try loader.append(text: refund.rowID)
    try loader.append(text: refund.failureRowID)
    try loader.append(text: refund.reversalID)
    try loader.append(integer: refund.isExpiredAuthorisation ? 1 : 0)
    try loader.append(integer: refund.origin.file)
    try loader.append(integer: refund.origin.line)
    try loader.endRow()
  }

  package func add(_ transfer: Transfer) throws {
    let loader = try loader(.transfer)
    try loader.append(text: transfer.provider)
    try loader.append(text: transfer.transferID)
    try loader.append(text: transfer.paymentID)
    try loader.append(text: transfer.connectedAccount)
    try loader.append(text: transfer.currency)
    try loader.append(integer: transfer.amountMinor)
    try loader.append(integer: transfer.createdAt)
    try loader.append(text: transfer.rowID)
    try loader.append(text: transfer.transferGroup)
    try loader.append(text: transfer.orderReference)
    try loader.append(integer: transfer.origin.file)
    try loader.append(integer: transfer.origin.line)
    try loader.endRow()
  }

  package func add(_ reversal: TransferReversal) throws {
    let loader = try loader(.transferReversal)
    try loader.append(text: reversal.provider)
    try loader.append(text: reversal.reversalID)
    try loader.append(text: reversal.transferID)
    try loader.append(text: reversal.refundID)
    try loader.append(text: reversal.currency)
    try loader.append(integer: reversal.amountMinor)
    try loader.append(integer: reversal.createdAt)
    try loader.append(text: reversal.rowID)
    try loader.append(integer: reversal.origin.file)
    try loader.append(integer: reversal.origin.line)
    try loader.endRow()
  }

  package func add(_ fee: ApplicationFee) throws {
    let loader = try loader(.applicationFee)
    try loader.append(text: fee.provider)
    try loader.append(text: fee.feeID)
    try loader.append(text: fee.paymentID)
    try loader.append(text: fee.connectedAccount)
    try loader.append(integer: fee.isDirect ? 1 : 0)
    try loader.append(text: fee.currency)
    try loader.append(integer: fee.amountMinor)
    try loader.append(integer: fee.createdAt)
    try loader.append(text: fee.rowID)
    try loader.append(integer: fee.origin.file)
    try loader.append(integer: fee.origin.line)
    try loader.endRow()
  }

  package func add(_ refund: ApplicationFeeRefund) throws {
    let loader = try loader(.applicationFeeRefund)
    try loader.append(text: refund.provider)
    try loader.append(text: refund.feeRefundID)
    try loader.append(text: refund.feeID)
    try loader.append(text: refund.currency)
    try loader.append(integer: refund.amountMinor)
    try loader.append(integer: refund.createdAt)
    try loader.append(text: refund.rowID)
    try loader.append(integer: refund.origin.file)
    try loader.append(integer: refund.origin.line)
    try loader.endRow()
  }

  func load(_ dispute: Dispute) throws {
    let loader = try loader(.statedDispute)
    try loader.append(text: dispute.provider)
    try loader.append(text: dispute.disputeID)
    try loader.append(text: dispute.paymentID)
    try loader.append(text: dispute.status.rawValue)
    try loader.append(text: dispute.providerStatus)
    try loader.append(text: dispute.reason)
    try loader.append(text: dispute.currency)
    try loader.append(integer: dispute.amountMinor)
    try loader.append(integer: dispute.createdAt)
    try loader.append(integer: dispute.respondBy)
    try loader.append(integer: dispute.origin.file)
    try loader.append(integer: dispute.origin.line)
    try loader.endRow()
  }

  package func add(_ payout: Payout) throws {
    let loader = try loader(.statedPayout)
    try loader.append(text: payout.provider)
    try loader.append(text: payout.payoutID)
    try loader.append(text: payout.account)
    try loader.append(text: payout.currency)
    try loader.append(integer: payout.amountMinor)
    try loader.append(integer: payout.createdAt)
    try loader.append(text: payout.arrivalOn)
    try loader.append(text: payout.status)
    try loader.append(integer: payout.isItemised ? 1 : 0)
    try loader.append(text: payout.rowID)
    try loader.append(text: payout.failureRowID)
    try loader.append(text: payout.failureCode)
    try loader.append(text: payout.bankReference)
    try loader.append(integer: payout.origin.file)
    try loader.append(integer: payout.origin.line)
    try loader.endRow()
  }

  package func add(_ line: PayoutLine) throws {
    let loader = try loader(.payoutLine)
    try loader.append(text: line.provider)
    try loader.append(text: line.payoutID)
    try loader.append(text: line.rowID)
    try loader.append(text: line.currency)
    try loader.append(integer: line.netMinor)
    try loader.append(integer: line.origin.file)
    try loader.append(integer: line.origin.line)
    try loader.endRow()
  }

  package func add(_ balance: StatedBalance) throws {
    let loader = try loader(.statedBalance)
    try loader.append(text: balance.provider)
    try loader.append(text: balance.account)
    try loader.append(text: balance.currency)
    try loader.append(integer: balance.origin.file)
    try loader.append(integer: balance.observedAt)
    try loader.append(integer: balance.rangeTo)
    try loader.append(integer: balance.amountMinor)
    try loader.append(integer: balance.isSettled ? 1 : 0)
    try loader.append(integer: balance.withheldMinor)
    try loader.endRow()
  }

  package func add(_ word: UnknownWord) throws {
    let loader = try loader(.unknownWord)
    try loader.append(text: word.provider)
    try loader.append(text: word.recordID)
    try loader.append(text: word.wordOf)
    try loader.append(text: word.word)
    try loader.append(text: word.account)
    try loader.append(integer: word.seenAt)
    try loader.append(text: word.currency)
    try loader.append(integer: word.amountMinor)
    try loader.endRow()
  }
}
