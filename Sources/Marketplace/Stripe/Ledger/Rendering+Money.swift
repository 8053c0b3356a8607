/// The objects that move money: ledger rows, transfers, application fees, refunds, disputes and payouts.
extension Rendering {
  func served(_ row: RowRecord) -> ServedObject {
    var keys = ["currency": row.currency, "type": row.type]
    keys["source"] = row.source
    return ServedObject(
      id: row.id, object: "balance_transaction", created: row.created, keys: keys, json: json(of: row), net: row.net)
  }

  func json(of row: RowRecord) -> String {
    let parts = row.parts.map {
      """
      {"amount":\($0.amount),"application":null,"currency":"\(row.currency)","description":"\($0.description)",\
      "type":"\($0.type)"}
      """
    }
    return """
      {"id":"\(row.id)","object":"balance_transaction","amount":\(row.amount),"available_on":\(row.availableOn),\
      "balance_type":"payments","created":\(row.created),"currency":"\(row.currency)",\
      "description":\(Self.quoted(row.description)),"exchange_rate":\(row.rate ?? "null"),"fee":\(row.fee),\
      "fee_details":[\(parts.joined(separator: ","))],"net":\(row.net),"reporting_category":"\(row.category)",\
      "source":\(Self.quoted(row.source)),"status":"\(row.availableOn <= moment ? "available" : "pending")",\
      "type":"\(row.type)"}
      """
  }

  /// The transfer and, as sub-objects, its reversals.
  func served(_ transfer: TransferRecord) -> ServedObject {
    let metadata = transfer.orderID.map { "{\"order_id\":\"\($0)\"}" } ?? "{}"
    let json = """
      {"id":"\(transfer.id)","object":"transfer","amount":\(transfer.amount),"amount_reversed":\(transfer.reversed),\
      "balance_transaction":"\(transfer.row)","created":\(transfer.created),"currency":"\(transfer.currency)",\
      "description":null,\
      "destination":"\(transfer.destination)","destination_payment":"py_\(transfer.id.dropFirst(3))","livemode":false,\
      "metadata":\(metadata),"reversed":\(transfer.reversed >= transfer.amount),\
      "source_transaction":\(Self.quoted(transfer.source)),"source_type":"card",\
      "transfer_group":\(Self.quoted(transfer.group))}
      """
    var keys = ["destination": transfer.destination]
    keys["transfer_group"] = transfer.group
    return ServedObject(id: transfer.id, object: "transfer", created: transfer.created, keys: keys, json: json)
  }

  func served(reversal: ReversalRecord) -> ServedObject {
    let json = """
      {"id":"\(reversal.id)","object":"transfer_reversal","amount":\(reversal.amount),\
      "balance_transaction":"\(reversal.row)",\
      "created":\(reversal.created),"currency":"\(reversal.currency)",\
      "destination_payment_refund":"pyr_\(reversal.id.dropFirst(4))","metadata":{},\
      "source_refund":\(Self.quoted(reversal.refund)),"transfer":"\(reversal.parent)"}
      """
    return ServedObject(
      id: reversal.id, object: "transfer_reversal", created: reversal.created, json: json, parent: reversal.parent)
  }

  func served(_ fee: FeeRecord) -> ServedObject {
    let json = """
      {"id":"\(fee.id)","object":"application_fee","account":"\(fee.account)","amount":\(fee.amount),\
      "amount_refunded":\(fee.refunded),"application":"ca_examplemarket","balance_transaction":"\(fee.row)",\
      "charge":"\(fee.connectedCharge)","created":\(fee.created),"currency":"\(fee.currency)",\
      "fee_source":{"charge":"\(fee.connectedCharge)","type":"charge"},"livemode":false,\
      "originating_transaction":"\(fee.charge)","refunded":\(fee.refunded >= fee.amount)}
      """
    return ServedObject(
      id: fee.id, object: "application_fee", created: fee.created, keys: ["charge": fee.connectedCharge], json: json)
  }

  func served(feeRefund: ReversalRecord) -> ServedObject {
    let json = """
      {"id":"\(feeRefund.id)","object":"fee_refund","amount":\(feeRefund.amount),\
      "balance_transaction":"\(feeRefund.row)",\
      "created":\(feeRefund.created),"currency":"\(feeRefund.currency)","fee":"\(feeRefund.parent)","metadata":{}}
      """
    return ServedObject(
      id: feeRefund.id, object: "fee_refund", created: feeRefund.created, json: json, parent: feeRefund.parent)
  }

  func served(_ refund: RefundRecord) -> ServedObject {
    let failure = refund.failureRow.map {
      ",\"failure_balance_transaction\":\"\($0)\",\"failure_reason\":\"\(refund.failureReason ?? "unknown")\""
    }
    let pending = refund.pendingReason.map { ",\"pending_reason\":\"\($0)\"" }
    let json = """
      {"id":"\(refund.id)","object":"refund","amount":\(refund.amount),\
      "balance_transaction":\(Self.quoted(refund.row)),\
      "charge":"\(refund.charge)","created":\(refund.created),"currency":"\(refund.currency)",\
      "destination_details":{"card":{"reference":"74512345678","type":"refund"},"type":"card"},"metadata":{},\
      "payment_intent":"\(refund.intent)","reason":\(Self.quoted(refund.reason)),"receipt_number":null,\
      "source_transfer_reversal":null,"status":"\(refund.status)","transfer_reversal":\(Self.quoted(refund.reversal))\
      \(failure ?? "")\(pending ?? "")}
      """
    return ServedObject(
      id: refund.id, object: "refund", created: refund.created,
      keys: ["charge": refund.charge, "payment_intent": refund.intent],
      json: json)
  }

  func served(_ dispute: DisputeRecord) -> ServedObject {
    let shopper = dispute.shopper
    let json = """
      {"id":"\(dispute.id)","object":"dispute","amount":\(dispute.amount),\
      "balance_transactions":[\(dispute.rows.map(json(of:)).joined(separator: ","))],"charge":"\(dispute.charge)",\
      "created":\(dispute.created),"currency":"\(dispute.currency)","evidence":{"billing_address":"\(shopper.street)",\
      "customer_email_address":"\(shopper.email)","customer_name":"\(shopper.name)",\
      "customer_purchase_ip":"203.0.113.7",\
      "uncategorized_text":null},"evidence_details":{"due_by":\(dispute.created + 14 * 86_400),"has_evidence":false,\
      "past_due":false,"submission_count":0},"is_charge_refundable":false,"livemode":false,"metadata":{},\
      "payment_intent":"\(dispute.intent)","payment_method_details":{"card":{"brand":"visa",\
      "case_type":"\(dispute.caseType)","network_reason_code":"10.4"},"type":"card"},"reason":"fraudulent",\
      "status":"\(dispute.status)"}
      """
    return ServedObject(
      id: dispute.id, object: "dispute", created: dispute.created,
      keys: ["charge": dispute.charge, "payment_intent": dispute.intent], json: json)
  }

  func served(_ payout: PayoutRecord) -> ServedObject {
    let arrival = (payout.created / 86_400 + 1) * 86_400
    let status = payout.status == "paid" && arrival > moment ? "in_transit" : payout.status
    let json = """
      {"id":"\(payout.id)","object":"payout","amount":\(payout.amount),"application_fee":null,\
      "application_fee_amount":null,\
      "arrival_date":\(arrival),"automatic":\(payout.isAutomatic),"balance_transaction":\(Self.quoted(payout.row?.id)),\
      "created":\(payout.created),"currency":"\(payout.currency)","description":"STRIPE PAYOUT",\
      "destination":"ba_examplebank\(payout.currency)","failure_balance_transaction":\(Self.quoted(payout.failureRow)),\
      "failure_code":\(payout.failureRow == nil ? "null" : "\"account_closed\""),"failure_message":null,\
      "livemode":false,\
      "metadata":{},"method":"standard","original_payout":null,\
      "reconciliation_status":"\(payout.isAutomatic ? "completed" : "not_applicable")","reversed_by":null,\
      "source_type":"card",\
      "statement_descriptor":null,"status":"\(status)","trace_id":{"status":"supported",\
      "value":"TRACE\(payout.id.suffix(8))"},\
      "type":"bank_account"}
      """
    let keys = [
      "automatic": "\(payout.isAutomatic)", "destination": "ba_examplebank\(payout.currency)", "status": status,
    ]
    return ServedObject(id: payout.id, object: "payout", created: payout.created, keys: keys, json: json)
  }
}
