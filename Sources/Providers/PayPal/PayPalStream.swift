/// A stream of PayPal's landing zone: one kind of record, in one folder.
enum PayPalStream: String, CaseIterable, Sendable {
  /// The rows that moved the balance, `GET /v1/reporting/transactions`: the ledger.
  case reporting
  /// The rows of the same report that moved nothing yet: pending payments and authorisations.
  case inFlight = "in_flight"
  case orders
  case captures
  case refunds
  case authorizations
  case disputes
  case balances
  case account

  /// The values of `known.subject` that rely on it; objects requested by id only add details to the rows.
  var subjects: [String] {
    switch self {
    case .reporting: ["ledger", "payments", "refunds", "payouts"]
    case .inFlight, .orders, .captures, .authorizations: ["payments"]
    case .refunds: ["refunds"]
    case .disputes: ["disputes"]
    case .balances: ["balances"]
    case .account: []
    }
  }

  /// The kind of its records that can still change after they were read.
  var holds: OpenRecord? {
    switch self {
    case .authorizations: .payments
    case .refunds: .refunds
    case .disputes: .disputes
    default: nil
    }
  }

  /// The path of its requests; by id `/<id>` follows.
  var path: String {
    switch self {
    case .reporting, .inFlight, .account: "/v1/reporting/transactions"
    case .balances: "/v1/reporting/balances"
    case .orders: "/v2/checkout/orders"
    case .captures: "/v2/payments/captures"
    case .refunds: "/v2/payments/refunds"
    case .authorizations: "/v2/payments/authorizations"
    case .disputes: "/v1/customer/disputes"
    }
  }

  /// The feature that must be enabled where PayPal refuses it, as the application's settings call it.
  var feature: String {
    switch self {
    case .reporting, .inFlight, .balances, .account: "Transaction Search"
    case .disputes: "Customer disputes"
    case .orders, .captures, .refunds, .authorizations: "Accept payments"
    }
  }
}
