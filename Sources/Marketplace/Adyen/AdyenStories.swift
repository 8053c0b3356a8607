/// Simulates a merchant account at Adyen into its ledger, the order book and the truth about both.
final class AdyenStories: DirectAccount {
  let account: AccountPlan
  let book: OrderBook
  var dice: SeededRandom
  let merchant: AdyenAccount
  let ledger: AdyenLedger
  var batches: AdyenBatches
  /// The ordering front end whose payments go through this account; nil where it has none.
  let kiosk: OrderingSimulator?
  private var payments: [String: AdyenPayment] = [:]
  private var refunds: [String: AdyenRefund] = [:]

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    let seed = account.seed(book.plan.seed)
    dice = SeededRandom(seed: seed)
    merchant = AdyenAccount.named(account.id)
    ledger = AdyenLedger(merchant, dice: SeededRandom(seed: seed ^ 0x4144_5945_4E00))
    batches = AdyenBatches(account: merchant, startsAt: book.plan.startsAt)
    kiosk =
      merchant.name == AdyenAccount.american.name
      ? OrderingSimulator(dice: SeededRandom(seed: seed ^ 0x5041_5200)) : nil
  }

  func begin() {
    ledger.night = night
  }

  /// Where captures are known from the reports alone, the graces of a capture and of its settlement must both have
  /// passed.
  var seasonOfMissing: Season { merchant.isNotified ? .beforeEnd(30 * 3_600...plan.days * 86_400 - 3_600) : first }
  var seasonOfRefunds: Season { merchant.isNotified ? .early : first }
  /// A sale that has settled by the end, whatever comes after it.
  var seasonOfSales: Season { .beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800) }
  /// The first two days.
  private var first: Season { .beforeEnd(8 * 86_400...plan.days * 86_400 - 1_800) }

  func take(_ terms: DirectTerms) -> DirectPayment {
    let method = dice.pick(methods(terms.currency))
    return take(terms, by: method)
  }

  /// A payment by a given method, captured seconds after it is authorised; without an order's id it carries a number of
  /// the checkout's.
  func take(_ terms: DirectTerms, by method: AdyenMethod) -> DirectPayment {
    let payment = ledger.authorise(
      priced(terms, by: method), reference: terms.orderID ?? "CART-\(dice.number(100_000...999_999))")
    ledger.capture(payment, at: terms.at + dice.number(2...50))
    return known(payment)
  }

  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64) -> String {
    giveBack(amount, of: payment, at: instant, settles: true).modification
  }

  /// A refund; `settles` false: it is notified, and never booked.
  @discardableResult
  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64, settles: Bool) -> AdyenRefund {
    let refund = ledger.refund(adyen(payment), amount, at: instant, settles: settles)
    refunds[refund.modification] = refund
    return refund
  }

  /// The payment as its ledger knows it.
  func adyen(_ payment: DirectPayment) -> AdyenPayment {
    payments[payment.id]
      ?? AdyenPayment(
        psp: payment.id, at: payment.at, terms: priced(DirectTerms(at: 0, amount: 0, currency: "eur"), by: .visa))
  }

  /// The customer's bank sends a refund back.
  func fail(_ refund: String, at instant: Int64) {
    if let refund = refunds[refund] { ledger.fail(refund, at: instant) }
  }

  /// A sale by a given method, whose payment names the order.
  func sell(_ terms: DirectTerms, by method: AdyenMethod) -> DirectSale {
    var terms = terms
    let order = order(for: terms)
    terms.orderID = order.id
    return DirectSale(order: order, payment: take(terms, by: method))
  }

  /// Authorises a payment by card for an order, and no more.
  func authorise(_ terms: DirectTerms, for order: OrderRecord, isSuccess: Bool = true) -> DirectSale {
    let payment = ledger.authorise(
      priced(terms, by: dice.pick([.visa, .mc])), reference: order.id, isSuccess: isSuccess)
    return DirectSale(order: order, payment: known(payment))
  }

  private func known(_ payment: AdyenPayment) -> DirectPayment {
    payments[payment.psp] = payment
    return DirectPayment(
      id: payment.psp, at: payment.at, currency: payment.currency, captured: payment.captured,
      references: merchant.isNotified ? [] : payment.captures)
  }

  private func priced(_ terms: DirectTerms, by method: AdyenMethod) -> AdyenTerms {
    let rate = terms.currency == merchant.currency ? nil : rate(terms.currency)
    return AdyenTerms(at: terms.at, amount: terms.amount, currency: terms.currency, method: method, rate: rate)
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
}
