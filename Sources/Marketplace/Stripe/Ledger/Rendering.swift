/// Makes the API's JSON of the marketplace's records: the full shapes of version 2026-07-29.dahlia, personal values
/// included.
struct Rendering {
  /// The instant whose state is shown: rows available by then are `available`, payouts arrived by then are `paid`.
  let moment: Int64

  /// A string or null.
  static func quoted(_ text: String?) -> String {
    text.map { "\"\($0)\"" } ?? "null"
  }

  /// A number or null.
  static func number(_ value: Int64?) -> String {
    value.map(String.init) ?? "null"
  }

  /// Only the order's id belongs to the program; the note is personal.
  static func metadata(_ orderID: String?, _ shopper: Shopper) -> String {
    guard let orderID else { return "{\"customer_note\":\"ask for \(shopper.name)\"}" }
    return "{\"order_id\":\"\(orderID)\",\"customer_note\":\"ask for \(shopper.name)\"}"
  }

  func served(_ intent: IntentRecord) -> ServedObject {
    let transfer = intent.destination.map {
      intent.transferAmount == nil
        ? "{\"destination\":\"\($0)\"}" : "{\"amount\":\(Self.number(intent.transferAmount)),\"destination\":\"\($0)\"}"
    }
    let json = """
      {"id":"\(intent.id)","object":"payment_intent","amount":\(intent.amount),\
      "amount_capturable":\(intent.amountCapturable),\
      "amount_details":{"tip":{}},"amount_received":\(intent.amountReceived),"application":null,\
      "application_fee_amount":\(Self.number(intent.applicationFee)),"automatic_payment_methods":{"enabled":true},\
      "canceled_at":\(Self.number(intent.canceledAt)),\
      "cancellation_reason":\(intent.canceledAt == nil ? "null" : "\"requested_by_customer\""),\
      "capture_method":"\(intent.captureMethod)","client_secret":"\(intent.id)_secret_Dm43xiq1k0yw",\
      "confirmation_method":"automatic",\
      "created":\(intent.created),"currency":"\(intent.currency)","customer":"cus_\(intent.shopper.number)",\
      "description":null,\
      "last_payment_error":null,"latest_charge":\(Self.quoted(intent.latestCharge)),"livemode":false,\
      "metadata":\(Self.metadata(intent.orderID, intent.shopper)),\
      "next_action":\(intent.status == "requires_action" ? "{\"type\":\"redirect_to_url\"}" : "null"),\
      "on_behalf_of":null,\
      "payment_method":"pm_\(intent.id.dropFirst(3))","payment_method_types":["\(intent.method.rawValue)"],\
      "receipt_email":"\(intent.shopper.email)","setup_future_usage":null,\
      "shipping":{"address":\(intent.shopper.address),"name":"\(intent.shopper.name)",\
      "phone":"\(intent.shopper.phone)"},\
      "status":"\(intent.status)","transfer_data":\(transfer ?? "null"),\
      "transfer_group":\(Self.quoted(intent.transferGroup))}
      """
    return ServedObject(
      id: intent.id, object: "payment_intent", created: intent.created,
      keys: ["customer": "cus_\(intent.shopper.number)"],
      json: json)
  }

  func served(_ charge: ChargeRecord) -> ServedObject {
    let transfer = charge.destination.map {
      "{\"amount\":\(Self.number(charge.transferAmount)),\"destination\":\(account($0))}"
    }
    let shopper = charge.shopper
    let json = """
      {"id":"\(charge.id)","object":"charge","amount":\(charge.amount),"amount_captured":\(charge.amountCaptured),\
      "amount_refunded":\(charge.amountRefunded),"application":null,"application_fee":\(Self.quoted(charge.fee)),\
      "application_fee_amount":\(Self.number(charge.applicationFee)),"balance_transaction":\(Self.quoted(charge.row)),\
      "billing_details":{"address":\(shopper.address),"email":"\(shopper.email)","name":"\(shopper.name)",\
      "phone":"\(shopper.phone)","tax_id":null},"calculated_statement_descriptor":"EXAMPLE MARKET",\
      "captured":\(charge.isCaptured),\
      "created":\(charge.created),"currency":"\(charge.currency)","customer":"cus_\(shopper.number)",\
      "description":"Order for \(shopper.name)","disputed":\(charge.isDisputed),\
      "failure_balance_transaction":\(Self.quoted(charge.failureRow)),\
      "failure_code":\(Self.quoted(charge.failureCode)),\
      "failure_message":null,"fraud_details":{},"livemode":false,"metadata":\(Self.metadata(charge.orderID, shopper)),\
      "on_behalf_of":null,"outcome":{"network_status":"approved_by_network","reason":null,"risk_level":"normal",\
      "seller_message":"Payment complete.","type":"authorized"},"paid":\(charge.status != "failed"),\
      "payment_intent":"\(charge.intent)","payment_method":"pm_\(charge.intent.dropFirst(3))",\
      "payment_method_details":\(methodDetails(charge)),"receipt_email":"\(shopper.email)","receipt_number":null,\
      "receipt_url":"https://pay.stripe.example/receipts/\(charge.id)",\
      "refunded":\(charge.amountCaptured > 0 && charge.amountRefunded >= charge.amount),"review":null,\
      "shipping":{"address":\(shopper.address),"name":"\(shopper.name)","phone":"\(shopper.phone)"},\
      "source_transfer":null,\
      "statement_descriptor":null,\
      "status":"\(charge.status)"\(charge.transfer.map { ",\"transfer\":\"\($0)\"" } ?? ""),\
      "transfer_data":\(transfer ?? "null"),"transfer_group":\(Self.quoted(charge.transferGroup))}
      """
    var keys = ["customer": "cus_\(shopper.number)", "payment_intent": charge.intent]
    keys["transfer_group"] = charge.transferGroup
    return ServedObject(id: charge.id, object: "charge", created: charge.created, keys: keys, json: json)
  }

  /// An account as its id, or, as some API versions send it, as an object.
  private func account(_ id: String) -> String {
    id.hasSuffix("7") ? "{\"id\":\"\(id)\",\"object\":\"account\",\"email\":\"seller@shopper.example\"}" : "\"\(id)\""
  }

  private func methodDetails(_ charge: ChargeRecord) -> String {
    let shopper = charge.shopper
    switch charge.method {
    case .card:
      return """
        {"card":{"amount_authorized":\(charge.amount),"authorization_code":null,"brand":"visa",\
        \(charge.captureBefore.map { "\"capture_before\":\($0)," } ?? "")\
        "checks":{"address_line1_check":null,"address_postal_code_check":"pass","cvc_check":"pass"},"country":"SE",\
        "exp_month":8,\
        "exp_year":2030,"fingerprint":"AOB934RV\(shopper.number)","funding":"credit","last4":"\(shopper.lastDigits)",\
        "network":"visa","three_d_secure":null,"wallet":null},"type":"card"}
        """
    case .ideal:
      return
        """
        {"ideal":{"bank":"ing","iban_last4":"\(shopper.lastDigits)","verified_name":"\(shopper.name)"},"type":"ideal"}
        """
    case .sepaDebit:
      return
        """
        {"sepa_debit":{"bank_code":"37040044","country":"DE","last4":"\(shopper.lastDigits)"},"type":"sepa_debit"}
        """
    case .bankAccount:
      return """
        {"type":"us_bank_account","us_bank_account":{"account_holder_type":"individual","account_type":"checking",\
        "bank_name":"EXAMPLE BANK","last4":"\(shopper.lastDigits)","routing_number":"110000000"}}
        """
    }
  }
}
