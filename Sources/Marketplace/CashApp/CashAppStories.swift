/// Simulates a Cash App client into its ledger, the order book and the truth about both. Dollars only.
final class CashAppStories: DirectAccount {
  let account: AccountPlan
  let book: OrderBook
  var dice: SeededRandom
  let ledger: CashAppLedger
  let batches: CashAppBatches
  var misstatements: [String: CashAppMisstatement] = [:]
  private var payments: [String: CashAppPayment] = [:]

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    let seed = account.seed(book.plan.seed)
    dice = SeededRandom(seed: seed)
    ledger = CashAppLedger(dice: SeededRandom(seed: seed ^ 0x4341_5348))
    batches = CashAppBatches(startsAt: book.plan.startsAt)
  }

  func begin() {}

  /// Captures are known from the files alone: what is missing is due only after the graces of a capture and of its
  /// settlement.
  var seasonOfMissing: Season { .beforeEnd(8 * 86_400...plan.days * 86_400 - 1_800) }
  var seasonOfRefunds: Season { seasonOfMissing }
  /// Early enough to be in a file by the end, with a day for what comes after it.
  var seasonOfSales: Season { .beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800) }

  func take(_ terms: DirectTerms) -> DirectPayment {
    let reference = terms.orderID ?? "CART-\(dice.number(100_000...999_999))"
    let payment = ledger.pay(terms.amount, reference: reference, at: terms.at)
    payments[payment.id] = payment
    return DirectPayment(id: payment.id, at: payment.at, currency: "usd", captured: payment.captured)
  }

  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64) -> String {
    payments[payment.id].map { ledger.refund($0, amount, at: instant).refundID } ?? ""
  }

  /// The customer of a sale disputes some hours later; a part of it, or the whole.
  func dispute(_ sale: DirectSale, _ amount: Int64? = nil) -> CashAppDisputeState? {
    let at = sale.payment.at + dice.number(3_600...60_000)
    return payments[sale.payment.id].map { ledger.dispute($0, amount ?? $0.captured, at: at) }
  }

  /// The row of a sale's capture.
  func row(_ sale: DirectSale) -> CashAppRow? {
    payments[sale.payment.id]?.row
  }
}
