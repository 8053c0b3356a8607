/// How orders are created and paid, and how their refunds are recorded.
extension StripeStories {
  /// An order on these terms, as the order system records it at checkout.
  func order(for terms: Terms, total: Int64? = nil, placedAt: Int64? = nil) -> OrderRecord {
    let order = book.open(
      placedAt: placedAt ?? terms.at - dice.number(5...90), currency: terms.tender.presentment,
      total: total ?? terms.amount)
    order.status = dice.chance(35) ? "fulfilled" : "paid"
    order.provider = dice.chance(70) ? account.name : nil
    if case .platform = terms.split {} else { order.seller = dice.chance(85) ? terms.seller : nil }
    order.fee = dice.chance(75) ? agreedFee(terms) : nil
    return order
  }

  /// The commission that the terms result in; nil where it cannot be expressed in the order's currency.
  func agreedFee(_ terms: Terms) -> Int64? {
    switch terms.split {
    case .platform: nil
    case .applicationFee(let amount): amount
    case .full: 0
    case .transferAmount(let amount), .separate(let amount): terms.tender.rate == nil ? terms.amount - amount : nil
    }
  }

  /// An order, paid on these terms, each with a reference to the other.
  func sell(_ terms: Terms, link: Link? = nil, total: Int64? = nil) -> Sale {
    let order = order(for: terms, total: total)
    return sell(terms, for: order, link: link)
  }

  /// Pays an order on these terms.
  func sell(_ terms: Terms, for order: OrderRecord, link: Link? = nil) -> Sale {
    let drawn: Link = dice.pick(weighted: [(.both, 5), (.metadata, 3), (.intent, 2), (.charge, 1)])
    let link = link ?? drawn
    var terms = terms
    if link.isInMetadata { terms.metadataOrderID = order.id }
    let payment = ledger.pay(terms)
    switch link {
    case .both, .intent: order.references.append(payment.intent.id)
    case .charge: order.references.append(payment.id)
    case .metadata: break
    }
    return Sale(order: order, payment: payment, terms: terms)
  }

  /// Records a refund in the order system, and the order's new status.
  func record(_ amount: Int64, of sale: Sale, at instant: Int64, reference: String? = nil, on night: Int? = nil) {
    book.record(amount, of: sale.order, captured: sale.payment.captured, at: instant, reference: reference, on: night)
  }

  /// Refunds a sale as the platform intends: recorded, reversed and the commission returned in proportion.
  @discardableResult
  func refund(_ sale: Sale, _ amount: Int64, at instant: Int64, isRecorded: Bool = true) -> RefundRecord {
    let isDestination = sale.terms.split.isDestination
    let refund = ledger.refund(
      sale.payment, amount, at: instant, reversing: isDestination ? .proportional : .nothing,
      returningFee: isDestination ? .proportional : .nothing)
    if isRecorded {
      record(amount, of: sale, at: instant + dice.number(-30...60), reference: reference(to: refund, of: sale))
    }
    return refund
  }

  /// The reference by which the order system may know a refund.
  func reference(to refund: RefundRecord, of sale: Sale) -> String? {
    dice.pick([refund.id, refund.id, sale.payment.id, sale.payment.intent.id, nil])
  }

  /// A part of a captured amount, between two percentages; a KWD one ends in zero.
  func part(_ sale: Sale, _ percent: ClosedRange<Int64>) -> Int64 {
    let part = max(10, sale.payment.captured * dice.number(percent) / 100)
    return sale.order.currency == "kwd" ? max(10, part / 10 * 10) : part
  }
}
