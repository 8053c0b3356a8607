/// Orders of the ordering front end, whose payments go through this merchant account.
extension AdyenStories {
  /// What a sale at the ordering front end produces: its hash, and the order and payment for it.
  struct OrderingSale {
    let hash: String
    let order: OrderRecord
    let payment: DirectPayment
  }

  private func hash(_ terms: DirectTerms, needsApproval: Bool) -> String {
    guard let kiosk else { return "" }
    let hash = kiosk.prepare(terms.amount, at: terms.at - 40, needsApproval: needsApproval, night: night)
    if needsApproval {
      kiosk.approve(hash, at: terms.at - 30, isConcluded: false, night: night)
      kiosk.approve(hash, at: terms.at - 10, night: night)
    }
    return hash
  }

  private func kioskOrder(_ hash: String, total: Int64, at instant: Int64) -> OrderRecord {
    let order = book.open(placedAt: instant, currency: "usd", total: total)
    order.isInShop = false
    kiosk?.order(order, hash: hash, total: total, at: instant, night: night)
    return order
  }

  /// Prepared, approved where need be, paid, ordered; Adyen's merchant reference is the hash or the order's id.
  @discardableResult
  func sellAtOrderingSystem(_ terms: DirectTerms, total: Int64? = nil) -> OrderingSale {
    let hash = hash(terms, needsApproval: dice.chance(30))
    // The first contains its hash, so that the provider is known to carry hashes at all.
    let isFirst = !book.orders.contains { !$0.isInShop }
    let order = kioskOrder(hash, total: total ?? terms.amount, at: terms.at + 60)
    var terms = terms
    terms.orderID = dice.chance(60) || isFirst ? hash : order.id
    let payment = take(terms, by: dice.pick([.visa, .mc, .cashapp]))
    return OrderingSale(hash: hash, order: order, payment: payment)
  }

  private func kioskTerms(_ season: Season? = nil) -> DirectTerms {
    var terms = terms(season, currency: "usd")
    terms.amount = dice.number(600...6_000)
    return terms
  }

  func kioskSale() {
    sellAtOrderingSystem(kioskTerms(night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800)))
  }

  func initWithoutOrder() {
    var terms = kioskTerms(.early)
    let hash = hash(terms, needsApproval: dice.chance(30))
    terms.orderID = hash
    plant(
      .initWithoutOrder, [], payments: [take(terms, by: .visa)], records: [hash],
      "a payment on a hash that no order carries")
  }

  func duplicateInitHash() {
    let sale = sellAtOrderingSystem(kioskTerms())
    let second = kioskOrder(sale.hash, total: sale.order.total, at: sale.order.placedAt + 200)
    plant(
      .duplicateInitHash, [], orders: [sale.order, second], payments: [sale.payment], records: [sale.hash],
      "two orders on one hash: paid once, served twice")
  }

  func approvalStuck() {
    let terms = kioskTerms(.early)
    guard let kiosk else { return }
    let hash = kiosk.prepare(terms.amount, at: terms.at, needsApproval: true, night: night)
    if dice.chance(50) { kiosk.approve(hash, at: terms.at + 20, isConcluded: false, night: night) }
    plant(.approvalStuck, [], records: [hash], mayName: [hash], "an approval that was begun and never concluded")
  }

  /// Records of the ordering front end that look like faults and are none.
  func plantOrderingLookAlikes() {
    let tipped = sellAtOrderingSystem(kioskTerms(.early))
    tipped.order.total += 250
    kiosk?.order(
      tipped.order, hash: tipped.hash, total: tipped.order.total, at: tipped.order.placedAt + 100, night: night)
    tipped.order.total -= 250
    kiosk?.order(
      tipped.order, hash: tipped.hash, total: tipped.order.total, at: tipped.order.placedAt + 200, night: night)
    note(
      [.amountMismatch, .duplicateInitHash], [], orders: [tipped.order], payments: [tipped.payment.id],
      "an order that was told three times")
    let left = hash(kioskTerms(.early), needsApproval: false)
    note(
      [.initWithoutOrder, .approvalStuck], [], payments: [left],
      "a payment that was prepared and left before anything was tried")
    let concluded = hash(kioskTerms(.early), needsApproval: true)
    note([.approvalStuck], [], payments: [concluded], "an approval that was concluded, and no payment followed")
  }
}
