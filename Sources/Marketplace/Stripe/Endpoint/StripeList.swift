/// The lists of Stripe's API that the endpoint serves, each with its filters and its permission (digest 1.1).
package enum StripeList: String, Sendable, CaseIterable {
  case balanceTransactions = "balance_transactions"
  case charges
  case paymentIntents = "payment_intents"
  case refunds
  case applicationFees = "application_fees"
  case transfers
  case disputes
  case payouts

  /// The `object` member of what the list holds.
  package var object: String {
    switch self {
    case .balanceTransactions: "balance_transaction"
    case .charges: "charge"
    case .paymentIntents: "payment_intent"
    case .refunds: "refund"
    case .applicationFees: "application_fee"
    case .transfers: "transfer"
    case .disputes: "dispute"
    case .payouts: "payout"
    }
  }

  /// The filters of the list besides `created`, paging and `expand`.
  var filters: [String] {
    switch self {
    case .balanceTransactions: ["currency", "payout", "source", "type"]
    case .charges: ["customer", "payment_intent", "transfer_group"]
    case .paymentIntents: ["customer"]
    case .refunds, .disputes: ["charge", "payment_intent"]
    case .applicationFees: ["charge"]
    case .transfers: ["destination", "transfer_group"]
    case .payouts: ["destination", "status"]
    }
  }

  /// The member that embeds the newest ten objects of a sub-list, and what they are.
  var subList: (member: String, object: String, parent: String)? {
    switch self {
    case .applicationFees: ("refunds", "fee_refund", "fee")
    case .transfers: ("reversals", "transfer_reversal", "transfer")
    default: nil
    }
  }

  /// The permission of a restricted key that reading the list takes, as the refusal's message names it.
  package var permission: String { "rak_\(object)_read" }

  /// The list that holds objects of that kind.
  static func holding(_ object: String) -> StripeList? {
    allCases.first { $0.object == object }
  }
}
