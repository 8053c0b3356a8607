/// Records that look like faults between orders and payments, and are none.
extension DirectAccount {
  /// Those that every direct account can show.
  func tellSharedLookAlikes() {
    splitTender()
    twoCapturesMakeTotal()
    orderInsideGrace()
    unpaidOrders()
    cancelledAndRefunded()
    twoOrdersOnePayment()
    knownByItsReference()
    refundInsideGrace()
    recordInsideGrace()
    refundsWithoutReference()
    refundsUpToCapture()
    equalRefundsApart()
  }

  func splitTender() {
    let terms = terms()
    let sale = sell(terms, total: terms.amount + dice.number(100...9_000))
    sale.order.tender = terms.amount
    note([.amountMismatch], [sale], "an order paid in part with a voucher")
  }

  func twoCapturesMakeTotal() {
    var terms = terms()
    let rest = terms.amount / 3 / 10 * 10 + 20
    let order = order(for: terms, total: terms.amount + rest)
    let first = sell(terms, for: order)
    terms.at += 700
    terms.amount = rest
    note(
      [.duplicatePayment, .amountMismatch], [first, sell(terms, for: order)],
      "two captures that make the total together")
  }

  func orderInsideGrace() {
    let terms = terms(.beforeEnd(3_600...20 * 3_600))
    let order = order(for: terms)
    note([.missingPayment], [], orders: [order], "an order that is paid only the next day, inside its grace")
    book.tomorrow { [self] in
      var late = terms
      late.at = plan.endsAt + 1_800
      _ = sell(late, for: order, link: .name)
    }
  }

  func unpaidOrders() {
    for status in ["pending", "cancelled"] {
      let order = order(for: terms(seasonOfMissing))
      order.status = status
      note([.missingPayment], [], orders: [order], "an order without a payment that is \(status)")
    }
  }

  func cancelledAndRefunded() {
    let sale = sell(terms())
    sale.order.status = "cancelled"
    refund(sale, sale.payment.captured, at: sale.payment.at + dice.number(3_600...80_000))
    note([.capturedAfterCancel, .unrecordedRefund], [sale], "a cancelled order whose money went back in full")
  }

  func twoOrdersOnePayment() {
    let terms = terms()
    let first = order(for: terms, total: terms.amount - terms.amount / 3)
    let second = order(for: terms, total: terms.amount / 3)
    let sale = sell(terms, for: first, link: .reference)
    second.references = first.references
    note([.ambiguousMatch, .amountMismatch], [sale], orders: [second], "two orders paid with one payment")
  }

  func knownByItsReference() {
    let sale = sell(terms(), link: .reference)
    note([.missingOrder, .currencyMismatch], [sale], "an order that its payment does not name")
  }

  func refundInsideGrace() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = part(sale, 20...60)
    record(amount, of: sale, at: plan.endsAt - dice.number(3_600...18 * 3_600), reference: sale.payment.id)
    note([.missingRefund], [sale], "a refund that was recorded hours ago and is made tomorrow")
    book.tomorrow { [self] in refund(sale, amount, at: plan.endsAt + 3_600, isRecorded: false) }
  }

  func recordInsideGrace() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = part(sale, 20...60)
    let made = refund(sale, amount, at: plan.endsAt - dice.number(3_600...18 * 3_600), isRecorded: false)
    note([.unrecordedRefund], [sale], "a refund that was made hours ago and is recorded tomorrow")
    book.tomorrow { [self] in
      record(amount, of: sale, at: plan.endsAt + 600, reference: reference(to: made, of: sale), on: 2)
    }
  }

  func refundsWithoutReference() {
    let sale = sell(terms())
    let amounts = [part(sale, 10...20), part(sale, 30...40)]
    let at = sale.payment.at + 8_000
    for amount in amounts { refund(sale, amount, at: at + amount % 7 * 900, isRecorded: false) }
    for amount in amounts.reversed() { record(amount, of: sale, at: at + 9_000) }
    note(
      [.refundAmountMismatch, .missingRefund], [sale], "two refunds recorded in the other order, without a reference")
  }

  func refundsUpToCapture() {
    let sale = sell(terms())
    let first = part(sale, 30...45)
    refund(sale, first, at: sale.payment.at + 7_000)
    refund(sale, sale.payment.captured - first, at: sale.payment.at + 40_000)
    note([.overRefunded], [sale], "refunds of exactly what was captured")
  }

  func equalRefundsApart() {
    let sale = sell(terms())
    let amount = part(sale, 15...40)
    let at = sale.payment.at + 9_000
    refund(sale, amount, at: at)
    refund(sale, amount, at: at + 601 + dice.number(1...9_000))
    note([.possibleDuplicateRefund], [sale], "two equal refunds more than ten minutes apart, both recorded")
  }
}
