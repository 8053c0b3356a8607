/// Simulates a Stripe account: fills its ledger, the order book and the truth about both.
final class StripeStories: AccountSimulator {
  let account: AccountPlan
  let book: OrderBook
  var dice: SeededRandom
  let ledger: StripeLedger
  /// The newest version of each object that was shown, by id.
  var shown: [String: String] = [:]
  /// The error of `/v1/balance` on the second night, by currency.
  var misstatements: [String: Int64] = [:]

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    dice = SeededRandom(seed: book.plan.seed)
    ledger = StripeLedger(dice: SeededRandom(seed: book.plan.seed ^ 0x5354_5249_5045))
  }

  var plan: MarketPlan { book.plan }
  var night: Int { book.night }

  var sellers: [String] { (1...40).map { "acct_seller00\($0 < 10 ? "0" : "")\($0)" } }

  func instant(_ season: Season) -> Int64 {
    dice.number(season.bounds(plan))
  }

  /// Terms drawn at random; given values are kept.
  func terms(
    _ season: Season = .middle, tender: Tender? = nil, method: Method? = nil, split: [SplitKind] = SplitKind.allCases
  ) -> Terms {
    let tender = tender ?? randomTender()
    let amount = amount(in: tender.presentment)
    let chosen = method ?? randomMethod(tender)
    let at = instant(season)
    return Terms(
      at: at, amount: amount, tender: tender, method: chosen, split: self.split(split, amount, tender),
      seller: dice.pick(sellers)
    )
  }

  func randomTender() -> Tender {
    let rate = dice.number(71_000...75_000)
    return dice.pick(weighted: [(.usd, 58), (.eur, 22), (.jpy, 8), (.kwd, 5), (.cad(rate: rate), 7)])
  }

  func randomMethod(_ tender: Tender) -> Method {
    switch tender {
    case .usd: dice.pick(weighted: [(.card, 9), (.bankAccount, 1)])
    case .eur: dice.pick(weighted: [(.card, 7), (.ideal, 2), (.sepaDebit, 1)])
    default: .card
    }
  }

  /// An amount of presentment minor units; Stripe wants a zero at the end of a KWD one.
  func amount(in currency: String) -> Int64 {
    switch currency {
    case "jpy": dice.number(800...60_000)
    case "kwd": dice.number(300...9_000) * 10
    default: dice.number(900...40_000)
    }
  }

  /// A split with a commission of 5 to 20 %; across currencies only those whose amounts follow by themselves.
  func split(_ kinds: [SplitKind], _ amount: Int64, _ tender: Tender) -> Split {
    let possible = tender.rate == nil ? kinds : kinds.filter { $0 != .transferAmount && $0 != .separate }
    let commission = max(1, amount * dice.number(5...20) / 100)
    switch dice.pick(possible.isEmpty ? [.platform] : possible) {
    case .platform: return .platform
    case .full: return .full
    case .applicationFee: return .applicationFee(commission)
    case .transferAmount: return .transferAmount(amount - commission)
    case .separate: return .separate(amount - commission)
    }
  }

  /// Records a planted fault.
  func plant(
    _ type: FaultType, _ sales: [Sale], orders: [OrderRecord] = [], payments: [PaymentRecord] = [],
    records: [String] = [],
    mayName: [String] = [], night: Int = 1, resolved: Int? = nil, _ story: String
  ) {
    book.plant(
      type, of: account.name, orders: sales.map(\.order) + orders,
      payments: sales.map(\.payment.id) + payments.map(\.id), records: records, mayName: mayName, night: night,
      resolved: resolved, story)
  }

  /// Records something that only looks like a fault.
  func note(
    _ resembles: [FaultType], _ sales: [Sale], orders: [OrderRecord] = [], payments: [String] = [], _ story: String
  ) {
    book.note(resembles, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.id) + payments, story)
  }

  /// Arranges what happens on the second night.
  func tomorrow(_ happens: @escaping () -> Void) {
    book.tomorrow(happens)
  }
}

/// The kinds of splits, without their amounts.
enum SplitKind: CaseIterable {
  case platform
  case applicationFee
  case transferAmount
  case full
  case separate

  /// Those whose charge names a destination.
  static let destinations: [SplitKind] = [.applicationFee, .transferAmount, .full]
}
