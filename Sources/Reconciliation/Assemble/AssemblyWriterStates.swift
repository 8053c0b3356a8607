import Payments

/// Payments, refunds and disputes at both snapshots, and the identifiers of payments.
extension AssemblyWriter {
  /// States and identifiers together: an intent without a charge counts as a payment at the closing.
  func writePaymentStates(_ assemblies: [Assembly]) throws {
    let states = try TableWriter(.paymentState, in: database)
    let references = try TableWriter(.reference, in: database)
    for assembly in assemblies {
      for bundle in assembly.bundles { try write(bundle, assembly.records.provider, states, references) }
      try writeMoneyless(assembly, states, references)
    }
    try states.finish()
    try references.finish()
  }

  private func write(
    _ bundle: PaymentBundle, _ provider: Text, _ states: TableWriter, _ references: TableWriter
  ) throws {
    guard let payment = bundle.payment else { return }
    for case (let moment, let state?) in bundle.states.enumerated() {
      let subject = MoneylessPayment(
        paymentID: payment.paymentID, intentID: payment.intentID, currency: payment.currency,
        createdAt: payment.createdAt, state: state)
      try write(subject, moment, bundle.flowKey, payment.account, provider, states)
    }
    try write(bundle.references, bundle.flowKey, references)
  }

  private func writeMoneyless(_ assembly: Assembly, _ states: TableWriter, _ references: TableWriter) throws {
    for (moment, payments) in assembly.moneyless.enumerated() {
      for payment in payments {
        try write(payment, moment, assembly.records.flowKey(payment.paymentID), "", assembly.records.provider, states)
      }
    }
    for (intent, found) in assembly.intentReferences {
      try write(found, assembly.records.flowKey(intent), references)
    }
  }

  private func write(_ found: [PaymentIdentifier], _ flowKey: Text, _ writer: TableWriter) throws {
    for reference in found {
      try writer.add(flowKey)
      try writer.add(reference.value)
      try writer.add(reference.orderRank)
      try writer.add(batch.number)
      try writer.endRow()
    }
  }

  private func write(
    _ payment: MoneylessPayment, _ moment: Int, _ flowKey: Text, _ account: Text, _ provider: Text,
    _ writer: TableWriter
  ) throws {
    let state = payment.state
    try writer.add(moment)
    for text in [flowKey, provider, account, payment.paymentID] { try writer.add(text) }
    try writer.add(payment.intentID)
    try writer.add(payment.currency)
    try writer.add(word: state.status)
    try writer.add(state.isCaptured)
    try writer.add(state.capturedAt)
    for number in [payment.createdAt, state.capturedMinor, state.refundedMinor, state.failedMinor] {
      try writer.add(number)
    }
    try writer.add(state.failedAt)
    try writer.add(state.chargedMinor)
    try writer.add(state.settlementCurrency)
    try writer.add(state.settlementCapturedMinor)
    try writer.add(word: state.chargeType)
    try writer.add(state.destination)
    try writer.add(state.askedTransferMinor)
    try writer.add(state.askedFeeMinor)
    try writer.add(state.connectedAccount)
    try writer.add(state.transfers)
    try writer.add(state.transferCurrency)
    for number in [state.transferredMinor, state.reversedMinor, state.commissions] { try writer.add(number) }
    try writer.add(state.commissionCurrency)
    for number in [state.collectedMinor, state.returnedMinor, state.disputedMinor] { try writer.add(number) }
    try writer.add(state.isCovered)
    try writer.add(state.openMinor)
    try writer.add(state.releasedAt)
    try writer.add(batch.number)
    try writer.endRow()
  }

  func writeRefundStates(_ assembly: Assembly, _ writer: TableWriter) throws {
    for (refund, paymentID, states) in assembly.refunds {
      for case (let moment, let state?) in states.enumerated() {
        try writer.add(moment)
        for text in [
          assembly.records.provider, refund.refundID, assembly.records.flowKey(paymentID), paymentID, state.status,
          refund.currency,
        ] {
          try writer.add(text)
        }
        try writer.add(refund.amountMinor)
        try writer.add(refund.createdAt)
        try writer.add(state.bookedAt)
        try writer.add(state.failedAt)
        try writer.add(state.settlementCurrency)
        try writer.add(state.settlementMinor)
        try writer.add(state.reversal?.reversalID)
        try writer.add(state.reversal?.amountMinor ?? 0)
        try writer.add(state.reversal?.currency)
        try writer.add(batch.number)
        try writer.endRow()
      }
    }
  }

  func writeDisputeStates(_ assembly: Assembly, _ writer: TableWriter) throws {
    for (dispute, paymentID, states) in assembly.disputes {
      for (moment, states) in states.enumerated() {
        for state in states {
          try writer.add(moment)
          let flowKey = assembly.records.flowKey(paymentID ?? dispute.disputeID)
          let account = assembly.directory.payment(paymentID)?.account ?? state.account ?? ""
          for text in [assembly.records.provider, dispute.disputeID, flowKey, paymentID ?? "", account, state.status] {
            try writer.add(text)
          }
          try writer.add(state.statusSince)
          try writer.add(dispute.reason)
          try writer.add(dispute.createdAt)
          try writer.add(dispute.respondBy)
          try writer.add(dispute.currency)
          try writer.add(dispute.amountMinor)
          try writer.add(state.currency)
          try writer.add(state.takenMinor)
          try writer.add(state.returnedMinor)
          try writer.add(state.movedAt)
          try writer.endRow()
        }
      }
    }
  }
}
