import JSON
import Payments

/// The events that rows report of payments, refunds, disputes and payouts.
extension PayPalReader {
  func addEvents(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    switch row.meaning {
    case .payment where row.isIncoming: try addPayment(row, origin, sink)
    case .authorisation: try addAuthorisation(row, origin, sink)
    case .refund: try addRefund(row, origin, sink)
    case .dispute where row.isMoney: try addDispute(row, origin, sink)
    case .reversal where row.isMoney && !row.isIncoming:
      guard let payment = row.reference else { return }
      try sink.add(event(.payment, payment, of: payment, row.id, .captureFailed, row, origin))
    default: break
    }
  }

  private func addPayment(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    let state: EventState = row.status == "P" ? .authorised : row.status == "D" ? .declined : .captured
    var payment = event(.payment, row.id, of: row.id, row.id, state, row, origin)
    payment.intentID = row.reference
    // A sale that was reversed or refunded gets a new date: what its row reported before takes precedence, as in the
    // ledger.
    if state == .captured, row.isReversed { payment.feed = row.isDatedByBeginning ? .api : .restated }
    try sink.add(payment)
    if row.status == "D" {
      payment.state = .released
      try sink.add(payment)
      // If it was booked before, the booking is undone with it.
      (payment.state, payment.amountMinor) = (.captured, 0)
      return try sink.add(payment)
    }
    try addReferences(of: row, row.id, origin, sink)
  }

  private func addReferences(of row: Row, _ owner: String, _ origin: Origin, _ sink: any RecordSink) throws {
    try addReferences(
      of: owner,
      [
        ("capture", owner), ("custom_id", row.customID), ("invoice_id", row.invoiceID), ("order", row.order),
        ("authorization", row.event.meaning == .authorisation ? nil : row.reference),
      ], origin, sink)
  }

  /// An authorisation is a payment of its own until a capture refers to it.
  private func addAuthorisation(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    if row.code == "T1302" {
      let voided = row.reference ?? row.id
      return try sink.add(event(.payment, voided, of: voided, row.id, .released, row, origin))
    }
    var authorisation = event(
      .payment, row.id, of: row.id, row.id, row.status == "D" ? .declined : .authorised, row, origin)
    try sink.add(authorisation)
    if row.status == "D" {
      // It may have been pending before.
      authorisation.state = .released
      return try sink.add(authorisation)
    }
    try addReferences(of: row, row.id, origin, sink)
  }

  /// A refund without a reference belongs to no known payment; its object may contain one.
  private func addRefund(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    let state: EventState = row.status == "P" ? .pending : row.status == "D" || row.isIncoming ? .failed : .succeeded
    guard row.code != "T1113" || row.reference != nil else { return }
    try sink.add(event(.refund, row.id, of: row.reference, row.id, state, row, origin))
  }

  /// A row of a dispute contains the payment only: the dispute is found by it (Resolve), and counts on its own where
  /// there is none.
  private func addDispute(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    guard let payment = row.reference, !row.followsReversal else { return }
    let state: EventState =
      switch row.code {
      case "T1106", "T1207": row.isIncoming ? .won : .lost
      case "T1111": .closed
      case "T1202", "T1205", "T1208": row.isIncoming ? .won : .lost
      default: row.isIncoming ? .closed : .opened
      }
    try sink.add(event(.dispute, payment, of: payment, row.id, state, row, origin))
  }

  /// Money on its way to a bank; it does not list the rows it pays.
  func addPayout(_ row: Row, _ origin: Origin, _ sink: any RecordSink) throws {
    guard row.event.meaning == .payout || row.event.meaning == .otherPayout, !row.isIncoming else { return }
    try sink.add(
      Payout(
        provider: provider, payoutID: row.id, account: account, currency: row.amount.currency.code,
        amountMinor: row.magnitude,
        createdAt: row.begunAt, status: row.status, isItemised: false, rowID: row.isMoney ? row.key : nil,
        bankReference: row.bankReference, origin: origin))
  }

  private func event(
    _ subject: EventSubject, _ record: String, of payment: String?, _ id: String, _ state: EventState, _ row: Row,
    _ origin: Origin
  ) -> RecordEvent {
    RecordEvent(
      provider: provider, account: account, subject: subject, recordID: record, paymentID: payment, eventID: id,
      state: state,
      feed: .settlement, currency: row.amount.currency.code, amountMinor: row.magnitude, happenedAt: row.bookedAt,
      detail: row.code,
      origin: origin)
  }
}
