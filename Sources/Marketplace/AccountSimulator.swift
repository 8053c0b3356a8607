/// Simulates one account of a market: sales, faults, look-alikes, settlements.
///
/// Each provider has its own, with a ledger of its own; they share the order book and nothing else.
protocol AccountSimulator: AnyObject {
  var account: AccountPlan { get }
  /// The faults that can be planted here, in a fixed order.
  var types: [FaultType] { get }
  /// The account's own random numbers.
  var dice: SeededRandom { get set }
  /// The newest `crossfoot.yml` parts of this account.
  var settings: AccountSettings { get }
  /// The capacity for faults of a type; nil: one for every order.
  func room(for type: FaultType) -> Int?
  /// Begins a night, before any record of it is made; account-level records of the first night belong here.
  func begin()
  /// Plants each look-alike once.
  func plantLookAlikes()
  /// Plants one fault of that type.
  func plantFault(_ type: FaultType)
  /// One sale as most of them are, with one new order, on the book's night.
  func ordinarySale()
  /// Settles what the night holds; faults of payouts, batches and balances among it, as often as the quotas say.
  func settle(_ quotas: [FaultType: Int])
  /// What the account shows at the end of the book's night.
  func show() -> AccountState
}

extension AccountSimulator {
  func room(for type: FaultType) -> Int? { nil }
}

/// The state of one account at the end of a night, in full.
struct AccountState: Sendable {
  /// What answers its requests; nil where it serves nothing.
  var site: (any AccountSite)?
  /// The files in its folders, by their path below the market's directory.
  var files: [String: String] = [:]
  /// Stripe's objects, which its own endpoint serves.
  var stripe: StripeNight?
}

/// The parts of `crossfoot.yml` that an account brings; `{base_url}` is replaced by the address of its endpoint,
/// `{key}` for Stripe's key.
package struct AccountSettings: Sendable {
  /// A list item of `providers:`, indented by two.
  package var provider: String?
  /// A list item of `orders:`, indented by two.
  package var orderSource: String?
  /// List items of `rate_cards:`, indented by two.
  package var rateCards: [String] = []
}
