/// Tells the stories of a merchant account at Adyen into its ledger, the order book and the truth about both.
final class AdyenStories: Storyteller {
  let account: AccountPlan
  let book: OrderBook
  var dice: Dice
  let merchant: AdyenAccount
  let ledger: AdyenLedger
  var batches: AdyenBatches
  /// The ordering front end whose payments go through this account; nil where it has none.
  let kiosk: Kiosk?

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    let seed = account.seed(book.plan.seed)
    dice = Dice(seed: seed)
    merchant = AdyenAccount.named(account.id)
    ledger = AdyenLedger(merchant, startsAt: book.plan.startsAt, dice: Dice(seed: seed ^ 0x4144_5945_4E00))
    batches = AdyenBatches(account: merchant, startsAt: book.plan.startsAt)
    kiosk = merchant.name == AdyenAccount.american.name ? Kiosk(dice: Dice(seed: seed ^ 0x5041_5200)) : nil
  }

  var plan: MarketPlan { book.plan }
  var night: Int { book.night }

  func begin() {
    ledger.night = night
  }

  /// What waits for a grace of days: where captures are known from the reports alone, that of a capture and of its settlement.
  var early: Season { merchant.isNotified ? .early : .beforeEnd(8 * 86_400...plan.days * 86_400 - 1_800) }

  /// A sale that has settled by the end, whatever comes after it.
  var settled: Season { .beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800) }

  /// Terms drawn at random; what is given is kept.
  func terms(_ season: Season? = nil, currency: String? = nil, method: AdyenMethod? = nil) -> AdyenTerms {
    let foreign = merchant.currency == "gbp" ? "eur" : "gbp"
    let weights: [(String, Int64)] = [(merchant.currency, 80), (foreign, 12), ("jpy", 8)]
    let drawn = dice.pick(weighted: weights)
    let at = dice.number((season ?? settled).bounds(plan))
    let currency = currency ?? drawn
    let rate = currency == merchant.currency ? nil : rate(currency)
    let amount = currency == "jpy" ? dice.number(1_500...60_000) : dice.number(900...40_000)
    let chosen = dice.pick(methods(currency))
    return AdyenTerms(at: at, amount: amount, currency: currency, method: method ?? chosen, rate: rate)
  }

  private func methods(_ currency: String) -> [AdyenMethod] {
    switch (merchant.currency, currency) {
    case ("eur", "eur"): [.visa, .visa, .mc, .mc, .amex, .ideal, .klarna]
    case ("usd", "usd"): [.visa, .visa, .mc, .amex, .cashapp, .cashapp]
    default: [.visa, .mc]
    }
  }

  private func rate(_ currency: String) -> AdyenRate {
    switch currency {
    case "jpy": AdyenRate(tenThousandths: dice.number(55...66))
    case "inr": AdyenRate(tenThousandths: 110)
    default: AdyenRate(tenThousandths: dice.number(11_000...13_500))
    }
  }

  /// An order on these terms, as the order system writes it down at checkout.
  func order(for terms: AdyenTerms, total: Int64? = nil, placedAt: Int64? = nil) -> OrderRecord {
    let order = book.open(
      placedAt: placedAt ?? terms.at - dice.number(5...90), currency: terms.currency, total: total ?? terms.amount)
    order.status = dice.chance(35) ? "fulfilled" : "paid"
    order.provider = dice.chance(70) ? account.name : nil
    return order
  }

  /// An order, paid on these terms, each knowing of the other.
  func sell(_ terms: AdyenTerms, link: AdyenLink? = nil, total: Int64? = nil) -> AdyenSale {
    sell(terms, for: order(for: terms, total: total), link: link)
  }

  /// Pays an order on these terms.
  func sell(_ terms: AdyenTerms, for order: OrderRecord, link: AdyenLink? = nil) -> AdyenSale {
    let (reference, linked) = reference(of: order, terms, link)
    let payment = ledger.pay(linked.terms, reference: reference)
    know(payment, order, linked.link)
    return AdyenSale(order: order, payment: payment, at: terms.at)
  }

  /// Authorises a payment for an order, and no more.
  func authorise(_ terms: AdyenTerms, for order: OrderRecord, isSuccess: Bool = true) -> AdyenSale {
    let payment = ledger.authorise(terms, reference: order.id, isSuccess: isSuccess)
    return AdyenSale(order: order, payment: payment, at: terms.at)
  }

  /// The merchant reference: the order's id, or a number that the order does not know.
  private func reference(
    of order: OrderRecord, _ terms: AdyenTerms, _ link: AdyenLink?
  ) -> (String, (terms: AdyenTerms, link: AdyenLink)) {
    let possible: [(AdyenLink, Int64)] = [(.reference, 6), (.both, 2), (.psp, 2), (.capture, merchant.isNotified ? 0 : 1)]
    let drawn = dice.pick(weighted: possible.filter { $0.1 > 0 })
    let link = link ?? drawn
    return (link == .reference || link == .both ? order.id : "CART-\(dice.number(100_000...999_999))", (terms, link))
  }

  private func know(_ payment: AdyenPayment, _ order: OrderRecord, _ link: AdyenLink) {
    switch link {
    case .reference: break
    case .both, .psp: order.references.append(payment.psp)
    case .capture: order.references.append(payment.captures.first ?? payment.psp)
    }
  }

  /// A part of a captured amount, between two percentages.
  func part(_ sale: AdyenSale, _ percent: ClosedRange<Int64>) -> Int64 {
    max(10, sale.payment.captured * dice.number(percent) / 100)
  }

  /// Refunds a sale; the order system writes it down.
  @discardableResult
  func refund(
    _ sale: AdyenSale, _ amount: Int64, at instant: Int64, isRecorded: Bool = true, settles: Bool = true
  ) -> AdyenRefund {
    let refund = ledger.refund(sale.payment, amount, at: instant, settles: settles)
    if isRecorded { record(amount, of: sale, at: instant + dice.number(-30...60), reference: reference(to: refund)) }
    return refund
  }

  /// What the order system may know a refund by.
  func reference(to refund: AdyenRefund) -> String? {
    dice.pick([refund.modification, refund.modification, refund.payment.psp, nil])
  }

  func record(_ amount: Int64, of sale: AdyenSale, at instant: Int64, reference: String? = nil, on night: Int? = nil) {
    book.record(amount, of: sale.order, captured: sale.payment.captured, at: instant, reference: reference, on: night)
  }

  func plant(
    _ type: FaultType, _ sales: [AdyenSale], orders: [OrderRecord] = [], payments: [String] = [], records: [String] = [],
    mayName: [String] = [], night: Int = 1, resolved: Int? = nil, _ story: String
  ) {
    book.plant(
      type, of: account.name, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.psp) + payments, records: records,
      mayName: mayName, night: night, resolved: resolved, story)
  }

  func note(_ resembles: [FaultType], _ sales: [AdyenSale], orders: [OrderRecord] = [], payments: [String] = [], _ story: String) {
    book.note(resembles, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.psp) + payments, story)
  }
}

/// An order and the payment made for it.
struct AdyenSale {
  let order: OrderRecord
  let payment: AdyenPayment
  let at: Int64
}

/// How an order and its payment know of each other.
enum AdyenLink {
  /// The merchant reference is the order's id.
  case reference
  case both
  /// The order knows the PSP reference.
  case psp
  /// The order knows the reference of the capture.
  case capture
}
