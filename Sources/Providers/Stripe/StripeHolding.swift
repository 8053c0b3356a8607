import JSON

/// A balance that Stripe keeps for an account: the payments balance, and those beside it, whose rows never change it
/// (`balance_type`).
///
/// Each is an account of its own in the reports (`acct_1/issuing`), so that its rows tie to its own stated balance.
enum StripeHolding: String, CaseIterable, Sendable {
  case payments
  case issuing
  case prefunding = "refund_and_dispute_prefunding"
  case riskReserved = "risk_reserved"

  /// The members of `/v1/balance` beside the top level, which is the payments balance.
  static let others: [StripeHolding] = [.issuing, .prefunding, .riskReserved]

  /// The account on which rows of a balance are booked; an unknown balance gets an account of its own as well.
  ///
  /// - Parameter word: `balance_type` of a row; nil in older API versions, which have payments only.
  static func account(_ account: String, _ word: String?) -> String {
    guard let word, !word.isEmpty, word != payments.rawValue else { return account }
    return "\(account)/\(word)"
  }

  /// Available and pending amounts as `/v1/balance` states them.
  func lists(of balance: JSONValue) -> [JSONValue] {
    let holder =
      switch self {
      case .payments: balance
      case .issuing: balance["issuing"]
      case .prefunding: balance["refund_and_dispute_prefunding"]
      case .riskReserved: balance["risk_reserved"]
      }
    return [holder["available"], holder["pending"]]
  }
}
