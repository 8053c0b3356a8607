/// A stream of Stripe's landing zone: one kind of object, in one folder.
enum StripeStream: String, CaseIterable, Sendable {
  case balanceTransactions = "balance_transactions"
  case charges
  case paymentIntents = "payment_intents"
  case refunds
  case applicationFees = "application_fees"
  case transfers
  case disputes
  case payouts
  case payoutLines = "payout_lines"
  case balances
  case account

  /// The lists that are read by their `created` window, the ledger first.
  static func lists(connect: Bool) -> [StripeStream] {
    [.balanceTransactions, .charges, .paymentIntents, .refunds, .applicationFees, .transfers, .disputes, .payouts]
      .filter { connect || !$0.needsConnect }
  }

  /// Every stream that a pull writes.
  static func all(connect: Bool) -> [StripeStream] {
    allCases.filter { connect || !$0.needsConnect }
  }

  /// Requested only with `connect: true`.
  var needsConnect: Bool { self == .transfers || self == .applicationFees }

  /// The list's path; by id `/<id>` follows.
  var path: String { "/v1/\(rawValue)" }

  /// The values of `known.subject` that rely on it.
  var subjects: [String] {
    switch self {
    case .balanceTransactions: ["ledger"]
    case .charges, .paymentIntents: ["payments"]
    case .refunds: ["refunds"]
    case .applicationFees: ["fees"]
    case .transfers: ["transfers"]
    case .disputes: ["disputes"]
    case .payouts, .payoutLines: ["payouts"]
    case .balances: ["balances"]
    case .account: []
    }
  }

  /// The read permission that a restricted key needs, as the Dashboard calls it, where Stripe's answer does not contain
  /// it.
  var permission: String {
    switch self {
    case .balanceTransactions, .balances, .payoutLines: "Balance: Read"
    case .charges, .refunds: "Charges and Refunds: Read"
    case .paymentIntents: "PaymentIntents: Read"
    case .applicationFees: "Application Fees: Read"
    case .transfers: "Transfers: Read"
    case .disputes: "Disputes: Read"
    case .payouts: "Payouts: Read"
    case .account: "Accounts: Read"
    }
  }

  /// The stream of an object by its id's prefix; nil for what is not pulled (top-ups …).
  ///
  /// For a reversal (`trr_`) or a fee refund (`fr_`) only the parent can be requested, and its id is not in theirs.
  init?(id: String) {
    switch id.prefix(while: { $0 != "_" }) {
    case "txn": self = .balanceTransactions
    case "ch", "py": self = .charges
    case "pi": self = .paymentIntents
    case "re", "pyr": self = .refunds
    case "fee": self = .applicationFees
    case "tr": self = .transfers
    case "dp", "du": self = .disputes
    case "po": self = .payouts
    default: return nil
    }
  }
}
