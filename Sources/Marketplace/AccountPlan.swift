/// One account of a market: a provider, the name it is configured under, and its share of the orders and faults.
package struct AccountPlan: Sendable, Equatable {
  /// Worded as in `crossfoot.yml`.
  package enum Kind: String, Sendable {
    case stripe
    case payPal = "paypal"
    case adyen
    case cashApp = "cash_app"
    case afterpay
  }

  package var kind: Kind
  /// The configured name, by which orders and reports know it; unique in a market.
  package var name: String
  /// The account as the provider names it.
  package var id: String
  /// Its part of the orders and faults, against the other accounts'.
  package var weight: Int
  /// ISO 4217, lower case; the first is the account's own.
  package var currencies: [String]

  package init(_ kind: Kind, name: String, id: String, weight: Int, currencies: [String]) {
    self.kind = kind
    self.name = name
    self.id = id
    self.weight = weight
    self.currencies = currencies
  }

  package static let stripe = AccountPlan(
    .stripe, name: "stripe", id: "acct_platform0001", weight: 4, currencies: ["usd", "eur", "jpy", "kwd"])

  package static let payPal = AccountPlan(
    .payPal, name: "paypal", id: "MKTPAYPAL0001", weight: 3, currencies: ["usd", "eur", "jpy", "gbp"])

  /// Three merchant accounts at Adyen: downloaded, in a folder together with an ordering front end, and without
  /// notifications.
  package static let adyenNL = AccountPlan(
    .adyen, name: "adyen_nl", id: AdyenAccount.dutch.name, weight: 2, currencies: ["eur", "gbp", "jpy"])
  package static let adyenUS = AccountPlan(
    .adyen, name: "adyen_us", id: AdyenAccount.american.name, weight: 2, currencies: ["usd", "gbp", "jpy"])
  package static let adyenUK = AccountPlan(
    .adyen, name: "adyen_uk", id: AdyenAccount.british.name, weight: 1, currencies: ["gbp", "eur", "jpy"])

  /// A client of Cash App Pay, with two merchants.
  package static let cashApp = AccountPlan(
    .cashApp, name: "cashapp", id: "CA-CI_acme01", weight: 2, currencies: ["usd"])

  package static let afterpayUS = AccountPlan(
    .afterpay, name: "afterpay-us", id: "400210", weight: 2, currencies: ["usd"])

  package static let afterpayAU = AccountPlan(
    .afterpay, name: "afterpay-au", id: "500320", weight: 1, currencies: ["aud"])

  /// Every provider, several accounts of some.
  package static let all: [AccountPlan] = [
    .stripe, .payPal, .afterpayUS, .afterpayAU, .adyenNL, .adyenUS, .adyenUK, .cashApp,
  ]

  /// The faults that can be planted there.
  package var types: [FaultType] { simulator(OrderBook(MarketPlan(seed: 1))).types }

  func simulator(_ book: OrderBook) -> any AccountSimulator {
    switch kind {
    case .stripe: StripeStories(self, book)
    case .payPal: PayPalStories(self, book)
    case .adyen: AdyenStories(self, book)
    case .cashApp: CashAppStories(self, book)
    case .afterpay: AfterpayStories(self, book)
    }
  }

  /// A seed of the account's own: the market's, mixed with the name (FNV-1a).
  func seed(_ market: UInt64) -> UInt64 {
    name.utf8.reduce(market ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
