/// What all accounts of a market share: the orders, their refunds, and the truth about both.
final class OrderBook {
  let plan: MarketPlan
  /// The night whose records are being made, from 1.
  var night = 1
  private(set) var orders: [OrderRecord] = []
  private(set) var refunds: [OrderRefundRecord] = []
  private(set) var planted: [Planted] = []
  private(set) var lookAlikes: [LookAlike] = []
  /// What happens after the first night, in the order in which it was arranged.
  private var tomorrow: [() -> Void] = []

  init(_ plan: MarketPlan) {
    self.plan = plan
  }

  /// A new order with the next number; its currency lower case, amounts in minor units.
  func open(placedAt: Int64, currency: String, total: Int64) -> OrderRecord {
    let order = OrderRecord(
      id: "ORD-\(plan.seed)-\(padded(orders.count + 1))", placedAt: placedAt, currency: currency, total: total,
      night: night)
    orders.append(order)
    return order
  }

  /// Writes a refund down in the order system, and the order's new status; `captured` is what its payments took.
  func record(
    _ amount: Int64, of order: OrderRecord, captured: Int64, at instant: Int64, reference: String? = nil,
    on night: Int? = nil
  ) {
    refunds.append(
      OrderRefundRecord(
        id: "RF-\(plan.seed)-\(padded(refunds.count + 1))", orderID: order.id, refundedAt: instant,
        currency: order.currency,
        amount: amount, reference: reference, night: night ?? self.night))
    let recorded = refunds.reversed().prefix(40).filter { $0.orderID == order.id }.reduce(0) { $0 + $1.amount }
    guard order.status != "cancelled" else { return }
    order.status = recorded >= captured ? "refunded" : "partially_refunded"
  }

  private func padded(_ number: Int) -> String {
    let number = String(number)
    return String(repeating: "0", count: max(0, 6 - number.count)) + number
  }

  /// Remembers a fault that was planted.
  func plant(
    _ type: FaultType, of provider: String, orders: [OrderRecord], payments: [String] = [], records: [String] = [],
    mayName: [String] = [], night: Int = 1, resolved: Int? = nil, _ story: String
  ) {
    planted.append(
      Planted(
        type: type, provider: provider, orderIDs: unique(orders.map(\.id)), paymentIDs: unique(payments),
        recordIDs: records,
        mayName: mayName, night: night, resolvedNight: resolved, story: story))
  }

  /// Remembers something that only looks like a fault.
  func note(_ resembles: [FaultType], orders: [OrderRecord], payments: [String] = [], _ story: String) {
    lookAlikes.append(
      LookAlike(resembles: resembles, orderIDs: unique(orders.map(\.id)), paymentIDs: unique(payments), story: story))
  }

  /// Arranges what happens on the second night.
  func tomorrow(_ happens: @escaping () -> Void) {
    tomorrow.append(happens)
  }

  /// What was under way after the first night concludes.
  func concludeFirstNight() {
    for happen in tomorrow { happen() }
    tomorrow = []
  }

  private func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}

extension OrderBook {
  /// `orders.csv` as the shop writes it tonight (docs/contract.md section 3), with a column that nobody asked for.
  var ordersText: String {
    var text =
      """
      order_id,placed_at,status,currency,total,provider,tender,seller_account,application_fee,payment_references,channel

      """
    // After a few nights the shop's file contains the orders of late alone.
    let since = night > 2 ? plan.end(of: night) - 12 * Season.day : 0
    let shown = orders.filter { $0.isInShop && $0.placedAt >= since }
    for order in shown.sorted(by: { $0.placedAt != $1.placedAt ? $0.placedAt < $1.placedAt : $0.id < $1.id }) {
      text += [
        order.id, Moment.text(order.placedAt), order.status, order.currency.uppercased(),
        Tender.text(order.total, order.currency),
        order.provider ?? "", order.tender.map { Tender.text($0, order.currency) } ?? "", order.seller ?? "",
        order.fee.map { Tender.text($0, order.currency) } ?? "", order.references.joined(separator: " "), "web",
      ].joined(separator: ",")
      text += "\n"
    }
    return text
  }

  /// `order_refunds.csv`.
  var refundsText: String {
    var text = "refund_id,order_id,refunded_at,currency,amount,payment_reference\n"
    for refund in refunds where refund.night <= night {
      text += [
        refund.id, refund.orderID, Moment.text(refund.refundedAt), refund.currency.uppercased(),
        Tender.text(refund.amount, refund.currency), refund.reference ?? "",
      ].joined(separator: ",")
      text += "\n"
    }
    return text
  }
}
