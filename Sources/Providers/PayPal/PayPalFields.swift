import JSON

/// The fields of PayPal's records that land (docs/providers/paypal.md section 2): an allow-list, so that new fields
/// about a buyer or payee are left out without a change here.
///
/// No personal data is needed: payer, payee, shipping and notes are not included. `custom_id` and `invoice_id`, free
/// text of the shop, are kept only where `order_reference` lists them.
struct PayPalFields: Sendable {
  /// The fields of each kind of record.
  private let ofStream: [PayPalStream: FieldSet]

  init(orderReference: [String]) {
    var mine: [String: FieldSet] = [:]
    if orderReference.contains("custom_id") { mine["custom_id"] = .all }
    if orderReference.contains("invoice_id") { mine["invoice_id"] = .all }
    let shop = FieldSet.fields(mine)
    var rowText: [String: FieldSet] = [:]
    if orderReference.contains("custom_id") { rowText["custom_field"] = .all }
    if orderReference.contains("invoice_id") { rowText["invoice_id"] = .all }
    let row = Self.row.union(.fields(rowText))
    let capture = Self.capture.union(shop)
    let authorization = Self.authorization.union(shop)
    let refund = Self.refund.union(shop)
    let payments: FieldSet = ["captures": capture, "refunds": refund, "authorizations": authorization]
    let unit = shop.union(["payments": payments])
    ofStream = [
      .reporting: row, .inFlight: row, .captures: capture, .refunds: refund, .authorizations: authorization,
      .orders: ["id": .all, "status": .all, "create_time": .all, "update_time": .all, "purchase_units": unit],
      .disputes: Self.dispute, .balances: Self.balance,
    ]
  }

  func of(_ stream: PayPalStream) -> FieldSet { ofStream[stream] ?? ["id"] }

  private static let money: FieldSet = ["currency_code", "currency", "value", "total"]
  private static let related: FieldSet = ["related_ids": ["order_id", "authorization_id", "capture_id"]]
  private static let fees: FieldSet = ["amount": money]

  /// `paypal_account_id` is the buyer's, subject and note are free text: none is kept.
  private static let row: FieldSet = [
    "transaction_id": .all, "paypal_reference_id": .all, "paypal_reference_id_type": .all,
    "transaction_event_code": .all,
    "transaction_initiation_date": .all, "transaction_updated_date": .all, "transaction_amount": money,
    "fee_amount": money,
    "transaction_status": .all, "bank_reference_id": .all,
  ]

  private static let capture: FieldSet = [
    "id": .all, "status": .all, "status_details": ["reason"], "amount": money, "final_capture": .all,
    "supplementary_data": related,
    "seller_receivable_breakdown": [
      "gross_amount": money, "paypal_fee": money, "platform_fees": fees, "net_amount": money,
    ],
    "links": ["rel", "href"], "create_time": .all, "update_time": .all,
  ]

  private static let authorization: FieldSet = [
    "id": .all, "status": .all, "status_details": ["reason"], "amount": money, "expiration_time": .all,
    "supplementary_data": related,
    "create_time": .all, "update_time": .all,
  ]

  private static let refund: FieldSet = [
    "id": .all, "status": .all, "status_details": ["reason"], "amount": money, "links": ["rel", "href"],
    "create_time": .all,
    "update_time": .all,
  ]

  private static let dispute: FieldSet = [
    "dispute_id": .all, "create_time": .all, "update_time": .all, "disputed_transactions": ["seller_transaction_id"],
    "reason": .all,
    "status": .all, "dispute_state": .all, "dispute_amount": money, "dispute_life_cycle_stage": .all,
    "dispute_channel": .all,
    "dispute_outcome": ["outcome_code": .all, "amount_refunded": money], "seller_response_due_date": .all,
  ]

  private static let balance: FieldSet = {
    let amounts: FieldSet = [
      "currency": .all, "primary": .all, "total_balance": money, "available_balance": money, "withheld_balance": money,
    ]
    return ["balances": amounts, "balance": amounts, "account_id": .all, "as_of_time": .all, "last_refresh_time": .all]
  }()
}
