/// An account whose money stays with the platform: no sellers and no commissions, only sales, refunds and disputes.
///
/// The faults possible between such an account and the orders are defined here once, for every provider.
protocol DirectAccount: AccountSimulator {
  var book: OrderBook { get }
  /// Takes a payment, captured at once and in full; the newest of the ledger.
  func take(_ terms: DirectTerms) -> DirectPayment
  /// Refunds a part of a payment; more than is left where a story requires it.
  ///
  /// - Returns: the refund's id, as the reports name it.
  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64) -> String
  /// The time of a sale such that its missing payment is claimed at the range's end.
  var seasonOfMissing: Season { get }
  /// The time of a sale such that it, and what follows it, is known by the end of the range.
  var seasonOfSales: Season { get }
  /// The time of a sale such that a missing refund is claimed at the range's end.
  var seasonOfRefunds: Season { get }
  /// Whether `payment_reference` of an order's refund may be the refund's id.
  var knowsRefundIDs: Bool { get }
}

extension DirectAccount {
  var seasonOfMissing: Season { .beforeEnd(30 * 3_600...plan.days * 86_400 - 3_600) }
  var seasonOfSales: Season { .middle }
  var seasonOfRefunds: Season { .early }
  var knowsRefundIDs: Bool { true }
  var plan: MarketPlan { book.plan }
  var night: Int { book.night }

  func instant(_ season: Season) -> Int64 {
    dice.number(season.bounds(plan))
  }

  /// Terms drawn at random; given values are kept.
  func terms(_ season: Season? = nil, currency: String? = nil) -> DirectTerms {
    let drawn = currency ?? dice.pick(weighted: account.currencies.enumerated().map { ($1, $0 == 0 ? 4 : 1) })
    return DirectTerms(
      at: instant(season ?? seasonOfSales),
      amount: drawn == "jpy" ? dice.number(800...60_000) : dice.number(900...40_000), currency: drawn)
  }

  /// An order on these terms, as the shop records it at checkout.
  func order(for terms: DirectTerms, total: Int64? = nil) -> OrderRecord {
    let order = book.open(
      placedAt: terms.at - dice.number(5...90), currency: terms.currency, total: total ?? terms.amount)
    order.status = dice.chance(35) ? "fulfilled" : "paid"
    order.provider = dice.chance(70) ? account.name : nil
    return order
  }

  /// An order, paid on these terms, each with a reference to the other.
  func sell(_ terms: DirectTerms, link: DirectLink? = nil, total: Int64? = nil) -> DirectSale {
    sell(terms, for: order(for: terms, total: total), link: link)
  }

  /// Pays an order on these terms.
  func sell(_ terms: DirectTerms, for order: OrderRecord, link: DirectLink? = nil) -> DirectSale {
    let drawn: DirectLink = dice.pick(weighted: [(.both, 4), (.name, 4), (.reference, 3)])
    let link = link ?? drawn
    var terms = terms
    terms.orderID = link == .reference ? nil : order.id
    let payment = take(terms)
    if link != .name { order.references.append(dice.pick([payment.id] + payment.references)) }
    return DirectSale(order: order, payment: payment)
  }

  /// Refunds a sale, and records it in the order system.
  @discardableResult
  func refund(_ sale: DirectSale, _ amount: Int64, at instant: Int64, isRecorded: Bool = true) -> String {
    let id = giveBack(amount, of: sale.payment, at: instant)
    if isRecorded {
      record(amount, of: sale, at: instant + dice.number(-30...60), reference: reference(to: id, of: sale))
    }
    return id
  }

  /// The reference by which the order system may know a refund.
  func reference(to refund: String, of sale: DirectSale) -> String? {
    dice.pick([knowsRefundIDs ? refund : nil, sale.payment.id, nil])
  }

  func record(_ amount: Int64, of sale: DirectSale, at instant: Int64, reference: String? = nil, on night: Int? = nil) {
    book.record(amount, of: sale.order, captured: sale.payment.captured, at: instant, reference: reference, on: night)
  }

  /// A part of what was captured, between two percentages.
  func part(_ sale: DirectSale, _ percent: ClosedRange<Int64>) -> Int64 {
    max(10, sale.payment.captured * dice.number(percent) / 100)
  }

  func plant(
    _ type: FaultType, _ sales: [DirectSale], orders: [OrderRecord] = [], payments: [DirectPayment] = [],
    records: [String] = [],
    mayName: [String] = [], night: Int = 1, resolved: Int? = nil, _ story: String
  ) {
    book.plant(
      type, of: account.name, orders: sales.map(\.order) + orders,
      payments: (sales.map(\.payment) + payments).map(\.id),
      records: records, mayName: mayName, night: night, resolved: resolved, story)
  }

  func note(
    _ resembles: [FaultType], _ sales: [DirectSale], orders: [OrderRecord] = [], payments: [String] = [],
    _ story: String
  ) {
    book.note(resembles, orders: sales.map(\.order) + orders, payments: sales.map(\.payment.id) + payments, story)
  }
}

/// The terms on which a payment is taken.
struct DirectTerms {
  /// Unix seconds of the capture.
  var at: Int64
  /// Minor units.
  var amount: Int64
  /// ISO 4217, lower case.
  var currency: String
  /// The order reference of the payment; nil where only the order refers to the payment.
  var orderID: String?
}

/// How an order and its payment refer to each other.
enum DirectLink {
  case both
  /// The payment refers to the order.
  case name
  /// The order refers to the payment.
  case reference
}

/// A payment as the shared stories see it; each provider's ledger has records of its own behind it.
final class DirectPayment {
  /// `payment_id` of the reports.
  let id: String
  let at: Int64
  let currency: String
  /// Minor units.
  var captured: Int64
  /// Other references by which an order may know it.
  let references: [String]

  init(id: String, at: Int64, currency: String, captured: Int64, references: [String] = []) {
    self.id = id
    self.at = at
    self.currency = currency
    self.captured = captured
    self.references = references
  }
}

/// An order and the payment made for it.
struct DirectSale {
  let order: OrderRecord
  let payment: DirectPayment
}
