import JSON

/// A stream of Cash App's landing zone: the settlement files, or one list of the Network API.
enum CashAppStream: String, CaseIterable, Sendable {
  case settlement
  case payments
  case refunds
  case disputes
  case apiKeys = "api_keys"

  /// The lists of the API.
  static let lists: [CashAppStream] = [.payments, .refunds, .disputes, .apiKeys]

  /// The path of its requests.
  var path: String {
    switch self {
    case .settlement: ""
    case .payments, .refunds, .disputes: "/network/v1/\(rawValue)"
    case .apiKeys: "/management/v1/api-keys"
    }
  }

  /// The member of an answer that contains one record.
  var single: StaticString {
    switch self {
    case .payments: "payment"
    case .refunds: "refund"
    case .disputes: "dispute"
    case .settlement, .apiKeys: "api_key"
    }
  }

  /// The scope that a key needs (docs/providers/cashapp.md section 1).
  var scope: String {
    switch self {
    case .payments: "PAYMENTS_READ"
    case .refunds: "REFUNDS_READ"
    case .disputes: "DISPUTES_READ"
    case .settlement, .apiKeys: "API_KEYS_READ"
    }
  }

  /// The values of `known.subject` that rely on it.
  ///
  /// - Parameter access: where the API is used, its lists report records before any file does; nil where it is not.
  func subjects(_ access: CashAppAccess?) -> [String] {
    switch self {
    case .settlement where access == nil: ["ledger", "payments", "refunds", "disputes", "payouts"]
    case .settlement: access?.crawl == true ? ["ledger", "payouts"] : ["ledger", "payments", "refunds", "payouts"]
    case .payments: ["payments"]
    case .refunds: ["refunds"]
    case .disputes: ["disputes"]
    case .apiKeys: []
    }
  }

  /// Its records that can change after they were read.
  var holds: OpenRecord? {
    switch self {
    case .payments: .payments
    case .refunds: .refunds
    case .settlement, .disputes, .apiKeys: nil
    }
  }

  /// What is kept of a record before it is landed; everything else is dropped and counted
  /// (docs/providers/cashapp.md section 2).
  ///
  /// No customers and grants, no free text: `reference_id` is the merchant's own id of the order or refund.
  var fields: FieldSet {
    switch self {
    case .settlement: []
    case .payments:
      [
        "id": .all, "amount": .all, "net_amount": .all, "captured_amount": .all, "voided_amount": .all,
        "refunded_amount": .all,
        "currency": .all, "merchant_id": .all, "status": .all, "created_at": .all, "updated_at": .all,
        "capture_before": .all,
        "refund_ids": .all, "reference_id": .all, "fee_amount": .all, "fee_rate": ["basis_points", "fixed_amount"],
      ]
    case .refunds:
      ["id", "amount", "currency", "merchant_id", "status", "created_at", "updated_at", "reference_id", "payment_id"]
    case .disputes:
      [
        "id", "payment_id", "merchant_id", "amount", "currency", "customer_credited_amount", "reason",
        "settlement_withholding", "state",
        "created_at", "updated_at", "response_due_at",
      ]
    case .apiKeys: ["id", "created_at", "expires_at", "scopes", "reference_id"]
    }
  }
}
