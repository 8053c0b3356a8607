/// Tells the stories of a Cash App client into its ledger, the order book and the truth about both. Dollars only.
final class CashAppStories: Storyteller {
  let account: AccountPlan
  let book: OrderBook
  var dice: Dice
  let ledger: CashAppLedger
  let batches: CashAppBatches
  var misstatements: [String: CashAppMisstatement] = [:]

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    let seed = account.seed(book.plan.seed)
    dice = Dice(seed: seed)
    ledger = CashAppLedger(dice: Dice(seed: seed ^ 0x4341_5348))
    batches = CashAppBatches(startsAt: book.plan.startsAt)
  }

  var plan: MarketPlan { book.plan }
  var night: Int { book.night }

  func begin() {}

  /// Captures are known from the files alone: what is missing is due only after the grace of a capture and of its settlement.
  var early: Season { .beforeEnd(8 * 86_400...plan.days * 86_400 - 1_800) }

  /// Early enough to stand in a file by the end, with a day for what comes after it.
  var settled: Season { .beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800) }

  func order(_ total: Int64, at instant: Int64) -> OrderRecord {
    let order = book.open(placedAt: instant - dice.number(5...90), currency: "usd", total: total)
    order.status = dice.chance(35) ? "fulfilled" : "paid"
    order.provider = dice.chance(70) ? account.name : nil
    return order
  }

  /// An order that is paid; the payment's reference is its id, or the order knows the payment's.
  func sell(_ season: Season? = nil, amount: Int64? = nil, total: Int64? = nil) -> CashAppSale {
    let at = dice.number((season ?? settled).bounds(plan))
    let amount = amount ?? dice.number(900...40_000)
    return sell(amount, for: order(total ?? amount, at: at), at: at)
  }

  func sell(_ amount: Int64, for order: OrderRecord, at instant: Int64, knowsPayment: Bool? = nil) -> CashAppSale {
    let drawn = dice.chance(25)
    let knowsPayment = knowsPayment ?? drawn
    let reference = knowsPayment ? "CART-\(dice.number(100_000...999_999))" : order.id
    let payment = ledger.pay(amount, reference: reference, at: instant)
    if knowsPayment { order.references.append(payment.id) }
    return CashAppSale(order: order, payment: payment)
  }

  @discardableResult
  func refund(_ sale: CashAppSale, _ amount: Int64, at instant: Int64, isRecorded: Bool = true) -> String {
    let row = ledger.refund(sale.payment, amount, at: instant)
    if isRecorded {
      record(amount, of: sale, at: instant + dice.number(-30...60), reference: dice.pick([row.refundID, sale.payment.id, nil]))
    }
    return row.refundID
  }

  func record(_ amount: Int64, of sale: CashAppSale, at instant: Int64, reference: String? = nil) {
    book.record(amount, of: sale.order, captured: sale.payment.captured, at: instant, reference: reference)
  }

  func part(_ sale: CashAppSale, _ percent: ClosedRange<Int64>) -> Int64 {
    max(10, sale.payment.captured * dice.number(percent) / 100)
  }

  /// Some hours after a sale.
  func later(_ sale: CashAppSale) -> Int64 {
    sale.payment.at + dice.number(3_600...60_000)
  }

  func plant(
    _ type: FaultType, _ sales: [CashAppSale], orders: [OrderRecord] = [], payments: [String] = [], records: [String] = [],
    mayName: [String] = [], night: Int = 1, _ story: String
  ) {
    book.plant(
      type, of: account.name, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.id) + payments, records: records,
      mayName: mayName, night: night, story)
  }

  func note(_ resembles: [FaultType], _ sales: [CashAppSale], orders: [OrderRecord] = [], _ story: String) {
    book.note(resembles, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.id), story)
  }
}

/// An order and the payment made for it.
struct CashAppSale {
  let order: OrderRecord
  let payment: CashAppPayment
}
