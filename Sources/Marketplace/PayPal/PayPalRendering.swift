/// PayPal's records as its API returns them, personal values included.
struct PayPalRendering {
  let account: String
  let base = "https://api.paypal.com"

  /// An object of two strings.
  static func money(_ amount: Int64, _ currency: String) -> String {
    "{\"currency_code\":\"\(currency.uppercased())\",\"value\":\"\(Tender.text(amount, currency))\"}"
  }

  /// The date formats that PayPal mixes, in turn.
  static func time(_ instant: Int64, _ turn: Int64 = 0) -> String {
    let text = Moment.text(instant)
    switch turn % 4 {
    case 0: return text
    case 1: return text.dropLast() + "+0000"
    case 2: return text.dropLast() + ".000Z"
    default: return text.dropLast() + ".00Z"
    }
  }

  func row(_ row: PayPalRow) -> String {
    let shopper = Shopper(number: row.at % 90_000)
    var info = """
      "paypal_account_id":"\(shopper.email)","transaction_id":"\(row.id)","transaction_event_code":"\(row.code)",\
      "transaction_initiation_date":"\(Self.time(row.initiatedAt, 1))",\
      "transaction_updated_date":"\(Self.time(row.at, row.at))",\
      "transaction_amount":\(Self.money(row.amount, row.currency)),"transaction_status":"\(row.status)",\
      "transaction_subject":"For \(shopper.name)","protection_eligibility":"01"
      """
    if let fee = row.fee { info += ",\"fee_amount\":\(Self.money(fee, row.currency))" }
    if let reference = row.reference {
      info += ",\"paypal_reference_id\":\"\(reference.id)\",\"paypal_reference_id_type\":\"\(reference.type)\""
    }
    if let custom = row.names.custom { info += ",\"custom_field\":\(JSONTree.quoted(custom))" }
    if let invoice = row.names.invoice { info += ",\"invoice_id\":\(JSONTree.quoted(invoice))" }
    if let bank = row.bankReference { info += ",\"bank_reference_id\":\"\(bank)\"" }
    let payer = "{\"email_address\":\"\(shopper.email)\",\"payer_name\":{\"alternate_full_name\":\"\(shopper.name)\"}}"
    return "{\"transaction_info\":{\(info)},\"payer_info\":\(payer)}"
  }

  private func names(_ names: PayPalNames) -> String {
    let members = [("custom_id", names.custom), ("invoice_id", names.invoice)]
    return members.compactMap { name, value in value.map { ",\"\(name)\":\(JSONTree.quoted($0))" } }.joined()
  }

  func capture(_ capture: PayPalCapture) -> String {
    let currency = capture.currency
    let net = capture.amount - capture.fee - capture.partnerFee
    let partner =
      capture.partnerFee == 0 ? "" : ",\"platform_fees\":[{\"amount\":\(Self.money(capture.partnerFee, currency))}]"
    let breakdown =
      capture.status == "PENDING"
      ? ",\"status_details\":{\"reason\":\"ECHECK\"}"
      : """
      ,"seller_receivable_breakdown":{"gross_amount":\(Self.money(capture.amount, currency)),\
      "paypal_fee":\(Self.money(capture.fee, currency))\(partner),"net_amount":\(Self.money(net, currency))}
      """
    let authorisation = capture.authorisation.map { ",\"authorization_id\":\"\($0)\"" } ?? ""
    return """
      {"id":"\(capture.id)","status":"\(capture.status)",\
      "amount":\(Self.money(capture.amount, currency))\(names(capture.names)),\
      "final_capture":\(capture.isFinal),"disbursement_mode":"INSTANT"\(breakdown),\
      "payee":{"email_address":"owner@shopper.example","merchant_id":"\(account)"},\
      "supplementary_data":{"related_ids":{"order_id":"\(capture.order)"\(authorisation)}},\
      "create_time":"\(Self.time(capture.at))","update_time":"\(Self.time(capture.updatedAt))",\
      "links":[{"href":"\(base)/v2/payments/captures/\(capture.id)","rel":"self","method":"GET"}]}
      """
  }

  func authorisation(_ made: PayPalAuthorisation) -> String {
    """
    {"id":"\(made.id)","status":"\(made.status)",\
    "amount":\(Self.money(made.amount, made.currency))\(names(made.names)),\
    "expiration_time":"\(Self.time(made.lapsesAt))","supplementary_data":{"related_ids":{"order_id":"\(made.order)"}},\
    "create_time":"\(Self.time(made.at))","update_time":"\(Self.time(made.updatedAt))",\
    "links":[{"href":"\(base)/v2/payments/authorizations/\(made.id)","rel":"self","method":"GET"}]}
    """
  }

  func refund(_ refund: PayPalRefund) -> String {
    let currency = refund.capture.currency
    let details = refund.status == "PENDING" ? ",\"status_details\":{\"reason\":\"ECHECK\"}" : ""
    return """
      {"id":"\(refund.id)","status":"\(refund.status)"\(details),"amount":\(Self.money(refund.amount, currency))\
      \(names(refund.capture.names)),"note_to_payer":"Sorry, \(Shopper(number: refund.at % 90_000).name)",\
      "seller_payable_breakdown":{"gross_amount":\(Self.money(refund.amount, currency)),\
      "paypal_fee":\(Self.money(refund.feeBack, currency)),\
      "net_amount":\(Self.money(refund.amount - refund.feeBack, currency)),\
      "total_refunded_amount":\(Self.money(refund.total, currency))},"payer":{"email_address":"owner@shopper.example"},\
      "create_time":"\(Self.time(refund.at))","update_time":"\(Self.time(refund.updatedAt))",\
      "links":[{"href":"\(base)/v2/payments/refunds/\(refund.id)","rel":"self","method":"GET"},\
      {"href":"\(base)/v2/payments/captures/\(refund.capture.id)","rel":"up","method":"GET"}]}
      """
  }

  func order(_ id: String, captures: [PayPalCapture], authorisations: [PayPalAuthorisation], refunds: [PayPalRefund])
    -> String
  {
    let mine = captures.first?.names ?? authorisations.first?.names ?? PayPalNames()
    let payments = [
      ("authorizations", authorisations.map(authorisation)), ("captures", captures.map(capture)),
      ("refunds", refunds.map(refund)),
    ].filter { !$0.1.isEmpty }.map { "\"\($0.0)\":[\($0.1.joined(separator: ","))]" }
    let at = captures.map(\.at).min() ?? authorisations.map(\.at).min() ?? 0
    let unit = "{\"reference_id\":\"default\"\(names(mine)),\"payments\":{\(payments.joined(separator: ","))}}"
    let shopper = Shopper(number: at % 90_000)
    return """
      {"id":"\(id)","status":"\(captures.isEmpty ? "APPROVED" : "COMPLETED")",\
      "intent":"\(authorisations.isEmpty ? "CAPTURE" : "AUTHORIZE")","purchase_units":[\(unit)],\
      "payer":{"name":{"given_name":"\(shopper.name)"},"email_address":"\(shopper.email)"},\
      "create_time":"\(Self.time(at - 40))","update_time":"\(Self.time(at))"}
      """
  }

  /// The list's summary of a dispute, or with `isWhole` the full object.
  func dispute(_ dispute: PayPalDispute, isWhole: Bool) -> String {
    let currency = dispute.capture.currency
    let outcome = dispute.outcome.map { ",\"dispute_outcome\":{\"outcome_code\":\"\($0)\"}" } ?? ""
    let due =
      dispute.status == "WAITING_FOR_SELLER_RESPONSE"
      ? ",\"seller_response_due_date\":\"\(Self.time(dispute.at + 864_000))\"" : ""
    let buyer = Shopper(number: dispute.at % 90_000)
    let disputed = """
      ,"disputed_transactions":[{"seller_transaction_id":"\(dispute.capture.id)",\
      "buyer_transaction_id":"B\(dispute.capture.id.dropFirst())",\
      "gross_amount":\(Self.money(dispute.capture.amount, currency)),"transaction_status":"COMPLETED",\
      "buyer":{"name":"\(buyer.name)","email":"\(buyer.email)"}}],"messages":[{"content":"Where is it? \(buyer.phone)"}]
      """
    return """
      {"dispute_id":"\(dispute.id)","create_time":"\(Self.time(dispute.at, 2))",\
      "update_time":"\(Self.time(dispute.updatedAt, 2))",\
      "reason":"MERCHANDISE_OR_SERVICE_NOT_RECEIVED","status":"\(dispute.status)","dispute_state":"\(dispute.state)",\
      "dispute_amount":\(Self.money(dispute.amount, currency)),"dispute_life_cycle_stage":"\(dispute.stage)",\
      "dispute_channel":"INTERNAL"\(due)\(outcome)\(isWhole ? disputed : ""),\
      "links":[{"href":"\(base)/v1/customer/disputes/\(dispute.id)","rel":"self","method":"GET"}]}
      """
  }
}
