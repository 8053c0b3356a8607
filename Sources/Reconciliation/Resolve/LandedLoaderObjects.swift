import Payments
import Storage

/// Objects of the providers: payments, intents, refunds, disputes, transfers, commissions.
extension LandedLoader {
  func loadPayments() throws {
    let account = TextColumn()
    let columns = """
      payment_id, account, intent_id, status, is_captured, is_declined, currency, amount_minor, captured_minor, \
      created_at, destination, \
      transfer_amount_minor, application_fee_minor, failure_row_id, landed_file
      """
    try read(.payment, columns) { row, place in
      providers[place].payments.append(
        PaymentRecord(
          paymentID: row.key(1), account: account.read(row, 2) ?? "", intentID: row.value(3), status: row.key(4),
          isCaptured: try row.flag(5),
          isDeclined: try row.flag(6), currency: row.key(7), amountMinor: try row.number(8),
          capturedMinor: try row.number(9),
          createdAt: try row.number(10), destination: row.value(11), transferAmountMinor: try row.integer(12),
          applicationFeeMinor: try row.integer(13), failureRowID: row.value(14), landedFile: try row.number(15)))
    }
  }

  func loadIntents() throws {
    let columns = """
      intent_id, status, currency, created_at, canceled_at, latest_payment_id, destination, transfer_amount_minor, \
      application_fee_minor, landed_file
      """
    try read(.intent, columns) { row, place in
      providers[place].intents.append(
        IntentRecord(
          intentID: row.key(1), status: row.key(2), currency: row.key(3), createdAt: try row.number(4),
          canceledAt: try row.integer(5),
          latestPaymentID: row.value(6), destination: row.value(7), transferAmountMinor: try row.integer(8),
          applicationFeeMinor: try row.integer(9), landedFile: try row.number(10)))
    }
  }

  func loadReferences() throws {
    let (owner, name) = (TextColumn(), TextColumn())
    let columns = "owner_id, name, value, order_rank, landed_file"
    try read(.reference, columns, orderedBy: "provider, owner_id, name, value") { row, place in
      providers[place].references.append(
        ReferenceRecord(
          ownerID: owner.read(row, 1) ?? "", name: name.read(row, 2) ?? "", value: row.key(3),
          orderRank: try row.integer(4),
          landedFile: try row.number(5)))
    }
  }

  func loadRefunds() throws {
    let columns = """
      refund_id, payment_id, status, currency, amount_minor, created_at, row_id, failure_row_id, reversal_id, \
      is_expired_authorisation, failed_at
      """
    try read(.refund, columns) { row, place in
      providers[place].refunds.append(
        RefundRecord(
          refundID: row.key(1), paymentID: row.value(2), status: row.key(3), currency: row.key(4),
          amountMinor: try row.number(5),
          createdAt: try row.number(6), rowID: row.value(7), failureRowID: row.value(8), reversalID: row.value(9),
          isExpiredAuthorisation: try row.flag(10), failedAt: try row.integer(11)))
    }
  }

  func loadDisputes() throws {
    let columns =
      "dispute_id, payment_id, status, provider_status, reason, currency, amount_minor, created_at, respond_by"
    try read(.dispute, columns) { row, place in
      providers[place].disputes.append(
        DisputeRecord(
          disputeID: row.key(1), paymentID: row.value(2), status: row.key(3), providerStatus: row.key(4),
          reason: row.value(5),
          currency: row.key(6), amountMinor: try row.number(7), createdAt: try row.number(8),
          respondBy: try row.integer(9)))
    }
    try read(.disputeRow, "row_id, dispute_id") { row, place in
      providers[place].disputeRows.append((row.key(1), row.key(2)))
    }
  }

  func loadTransfers() throws {
    let account = TextColumn()
    try read(.transfer, "transfer_id, payment_id, connected_account, row_id, transfer_group, order_reference") {
      row, place in
      providers[place].transfers.append(
        TransferRecord(
          transferID: row.key(1), paymentID: row.value(2), connectedAccount: account.read(row, 3), rowID: row.value(4),
          transferGroup: row.value(5), orderReference: row.value(6)))
    }
    try read(.reversal, "reversal_id, transfer_id, refund_id, currency, amount_minor, created_at, row_id") {
      row, place in
      providers[place].reversals.append(
        ReversalRecord(
          reversalID: row.key(1), transferID: row.key(2), refundID: row.value(3), currency: row.key(4),
          amountMinor: try row.number(5),
          createdAt: try row.number(6), rowID: row.value(7)))
    }
  }

  func loadCommissions() throws {
    let account = TextColumn()
    try read(
      .commission, "fee_id, payment_id, connected_account, is_direct, currency, amount_minor, created_at, row_id"
    ) { row, place in
      providers[place].commissions.append(
        CommissionRecord(
          feeID: row.key(1), paymentID: row.value(2), connectedAccount: account.read(row, 3), isDirect: try row.flag(4),
          currency: row.key(5),
          amountMinor: try row.number(6), createdAt: try row.number(7), rowID: row.value(8)))
    }
    try read(.commissionRefund, "fee_refund_id, fee_id, row_id") { row, place in
      providers[place].commissionRefunds.append(
        CommissionRefundRecord(feeRefundID: row.key(1), feeID: row.key(2), rowID: row.value(3)))
    }
  }
}
