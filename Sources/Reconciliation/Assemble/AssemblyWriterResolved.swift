import Payments

/// The results of resolve: duplicates, captures, and the folded payments, refunds and disputes.
extension AssemblyWriter {
  func writeDuplicates(_ assembly: Assembly, _ writer: TableWriter) throws {
    let rows = assembly.records.rows
    for duplicate in assembly.resolution.duplicates {
      try writer.add(assembly.records.provider)
      try writer.add(rows[duplicate.row].rowID)
      try writer.add(duplicate.original.map { rows[$0].rowID })
      try writer.endRow()
    }
  }

  func writePresentments(_ assembly: Assembly, _ writer: TableWriter) throws {
    for shown in assembly.resolution.presentments {
      for text in [assembly.records.provider, shown.paymentID, shown.recordID, shown.rowID, shown.currency] {
        try writer.add(text)
      }
      try writer.add(shown.amountMinor)
      try writer.add(shown.exchangeRate)
      try writer.endRow()
    }
  }

  func writeCaptures(_ assembly: Assembly, _ writer: TableWriter) throws {
    for capture in assembly.resolution.captures {
      for text in [
        assembly.records.provider, capture.paymentID, assembly.records.flowKey(capture.paymentID), capture.captureID,
      ] {
        try writer.add(text)
      }
      try writer.add(capture.isFailure)
      try writer.add(capture.currency)
      for number in [capture.amountMinor, capture.capturedAt, capture.confirmedAt] { try writer.add(number) }
      try writer.add(capture.isSettled)
      try writer.add(capture.isAlone)
      try writer.endRow()
    }
  }

  func writePayments(_ assembly: Assembly, _ writer: TableWriter) throws {
    for payment in assembly.resolution.payments where payment.isFolded {
      for text in [
        assembly.records.provider, payment.paymentID, assembly.records.flowKey(payment.paymentID), payment.account,
      ] { try writer.add(text) }
      try writer.add(payment.intentID)
      try writer.add(payment.status)
      try writer.add(payment.isCaptured)
      try writer.add(payment.isDeclined)
      try writer.add(payment.currency)
      for number in [payment.amountMinor, payment.capturedMinor, payment.createdAt] { try writer.add(number) }
      try writer.add(payment.captureBefore)
      try writer.add(payment.method)
      try writer.add(true)
      try writer.add(payment.authorisedAt)
      try writer.add(payment.canceledAt)
      try writer.add(payment.landedFile)
      try writer.add(payment.landedLine)
      try writer.endRow()
    }
  }

  func writeRefunds(_ assembly: Assembly, _ writer: TableWriter) throws {
    guard !assembly.records.observations.isEmpty else { return }
    for refund in assembly.resolution.refunds {
      try writer.add(assembly.records.provider)
      try writer.add(refund.refundID)
      try writer.add(refund.paymentID)
      try writer.add(refund.status)
      try writer.add(refund.currency)
      try writer.add(refund.amountMinor)
      try writer.add(refund.createdAt)
      try writer.add(refund.rowID)
      try writer.add(refund.failureRowID)
      try writer.add(refund.isExpiredAuthorisation)
      try writer.add(refund.failedAt)
      try writer.add(refund.landedFile)
      try writer.add(refund.landedLine)
      try writer.add(batch.number)
      try writer.endRow()
    }
  }

  func writeDisputes(_ assembly: Assembly, _ writer: TableWriter) throws {
    guard !assembly.records.observations.isEmpty else { return }
    for dispute in assembly.resolution.disputes {
      try writer.add(assembly.records.provider)
      try writer.add(dispute.disputeID)
      try writer.add(dispute.paymentID)
      try writer.add(dispute.status)
      try writer.add(dispute.providerStatus)
      try writer.add(dispute.reason)
      try writer.add(dispute.currency)
      try writer.add(dispute.amountMinor)
      try writer.add(dispute.createdAt)
      try writer.add(dispute.respondBy)
      try writer.add(dispute.landedFile)
      try writer.add(dispute.landedLine)
      try writer.endRow()
    }
  }
}
