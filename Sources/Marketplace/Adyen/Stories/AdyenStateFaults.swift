/// Faults of what notifications report: authorisations, captures and refunds that come to nothing.
extension AdyenStories {
  /// Nobody paid, every attempt was refused, or the authorisation was removed.
  func missingAuthorisedPayment() {
    guard merchant.isNotified, dice.chance(60) else { return missingPayment() }
    let terms = terms(seasonOfMissing)
    let order = order(for: terms)
    order.provider = account.name
    if dice.chance(50) {
      for attempt in 0...dice.number(0...2) {
        var again = terms
        again.at += 30 + attempt * 50
        _ = authorise(again, for: order, isSuccess: false)
      }
      plant(.missingPayment, [], orders: [order], "an order whose every attempt was refused")
    } else {
      let sale = authorise(terms, for: order)
      ledger.cancel(adyen(sale.payment), at: terms.at + dice.number(7_200...20_000))
      plant(
        .missingPayment, [], orders: [order], mayName: [sale.payment.id],
        "a paid order whose authorisation was cancelled")
    }
  }

  func amountMismatchOfParts() {
    guard merchant.isNotified, dice.chance(40) else { return amountMismatch() }
    let terms = terms()
    let sale = authorise(terms, for: order(for: terms))
    ledger.capture(adyen(sale.payment), terms.amount * dice.number(50...70) / 100, at: terms.at + 4_000)
    ledger.expire(adyen(sale.payment), at: terms.at + 9_000)
    plant(.amountMismatch, [sale], "a partial capture whose rest expired")
  }

  func authorisationUncaptured() {
    let terms = terms(.beforeEnd(8 * 86_400...plan.days * 86_400 - 3_600))
    plant(
      .authorisationUncaptured, [authorise(terms, for: order(for: terms))],
      "an authorisation of a paid order, eight days old")
  }

  func paymentFailedAfterPaid() {
    let sale = sell(terms(.early, currency: merchant.currency), by: .klarna)
    let payment = adyen(sale.payment)
    ledger.failCapture(payment, payment.captures[0], at: payment.at + dice.number(2...3) * Season.day)
    plant(.paymentFailedAfterPaid, [sale], "a capture that failed days after the order was served")
  }

  func refundFailed() {
    let sale = sell(terms(seasonOfRefunds))
    let made = refund(sale, dice.chance(50) ? sale.payment.captured : part(sale, 10...60), at: later(sale))
    fail(made, at: sale.payment.at + dice.number(1...2) * Season.day + 80_000)
    plant(.refundFailed, [sale], records: [made], "a refund that the customer's bank sent back")
  }

  /// Some hours to a day after a sale.
  func later(_ sale: DirectSale) -> Int64 {
    sale.payment.at + dice.number(3_600...80_000)
  }

  /// Notified, done, and never booked.
  func unsettledRefund() {
    let sale = sell(terms(seasonOfRefunds))
    let made = giveBack(
      part(sale, 20...80), of: sale.payment, at: sale.payment.at + dice.number(600...3_000), settles: false)
    record(made.amount, of: sale, at: made.at, reference: reference(to: made.modification, of: sale))
    plant(.unsettledRefund, [sale], records: [made.modification], "a refund that no settlement holds")
  }

  func settlementOverdue() {
    let terms = terms(.early)
    let sale = authorise(terms, for: order(for: terms))
    let capture = ledger.capture(adyen(sale.payment), at: terms.at + 30, settles: false)
    plant(.settlementOverdue, [sale], records: [capture, sale.payment.id], "a capture that no settlement holds")
  }
}
