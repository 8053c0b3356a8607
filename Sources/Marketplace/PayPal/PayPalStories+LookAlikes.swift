/// Records that look like faults at PayPal, and are none; and rows that belong to no payment.
extension PayPalStories {
  func plantLookAlikes() {
    tellSharedLookAlikes()
    pendingPayments()
    capturedInParts()
    standingAuthorisations()
    voidedWithItsOrder()
    refundedWithItsFee()
    freshPendingRefund()
    feeOneOff()
    converted()
    wonAndReturned()
    closedInquiry()
  }

  /// Bank debits: one completed on its fourth day, one still pending tonight.
  private func pendingPayments() {
    let cleared = terms(.early, currency: "usd")
    let order = order(for: cleared)
    let first = ledger.capture(cleared.amount, "usd", at: cleared.at, names: names(order.id), status: "P")
    ledger.clear(first, at: cleared.at + 4 * Season.day)
    note(
      [.missingPayment, .lateRecord], [DirectSale(order: order, payment: payment(first))],
      "a bank debit that cleared after days")
    let waiting = terms(.beforeEnd(3 * 3_600...20 * 3_600), currency: "usd")
    let open = self.order(for: waiting)
    let capture = ledger.capture(waiting.amount, "usd", at: waiting.at, names: names(open.id), status: "P")
    note(
      [.missingPayment, .approvalStuck], [DirectSale(order: open, payment: payment(capture))],
      "a bank debit that is under way tonight")
    book.tomorrow { [self] in ledger.clear(capture, at: plan.endsAt + 20_000) }
  }

  /// One authorisation, two captures, one order.
  private func capturedInParts() {
    let terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 3_600))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
    let first = capture(made, terms.amount * 2 / 5, at: terms.at + 7_000, isFinal: false)
    let second = capture(made, terms.amount - terms.amount * 2 / 5, at: terms.at + 90_000)
    note(
      [.duplicatePayment, .amountMismatch, .authorisationUncaptured],
      [DirectSale(order: order, payment: first), DirectSale(order: order, payment: second)],
      "one authorisation captured in two parts")
  }

  private func standingAuthorisations() {
    for status in ["paid", "pending"] {
      let isOld = status == "pending"
      let terms = terms(.beforeEnd(isOld ? 8 * 86_400...plan.days * 86_400 - 3_600 : 2 * 86_400...4 * 86_400))
      let order = order(for: terms)
      order.status = status
      let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
      note(
        [.authorisationUncaptured, .missingPayment], [], orders: [order], payments: [made.id],
        isOld ? "an old authorisation of a pending order" : "a fresh authorisation")
    }
  }

  private func voidedWithItsOrder() {
    let terms = terms(.early)
    let order = order(for: terms)
    order.status = "cancelled"
    let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
    void(made, at: terms.at + 9_000)
    note(
      [.refundFailed, .unrecordedRefund], [], orders: [order], payments: [made.id],
      "an authorisation voided with its order")
  }

  private func refundedWithItsFee() {
    let sale = sell(terms(currency: "eur"))
    guard let capture = captures[sale.payment.id] else { return }
    let refund = ledger.refund(capture.amount, of: capture, at: capture.at + 300, feeBack: capture.fee)
    record(capture.amount, of: sale, at: refund.at, reference: refund.id)
    note([.providerFeeDeviation, .unrecordedRefund], [sale], "a sale refunded within minutes, its fee returned")
  }

  private func freshPendingRefund() {
    let (sale, refund) = pendingRefund(.beforeEnd(3 * 86_400...3 * 86_400 + 40_000), after: 3_600...40_000)
    note([.refundPending, .missingRefund, .refundFailed], [sale], "a refund that has waited for two days")
    book.tomorrow { [self] in
      refund.updatedAt = plan.endsAt + 5_000
      refund.row.at = refund.updatedAt
      ledger.complete(refund)
    }
  }

  private func feeOneOff() {
    let sale = sell(terms(currency: "usd"))
    guard let capture = captures[sale.payment.id], let row = capture.rows.first else { return }
    capture.fee += dice.pick([-1, 1])
    row.fee = -capture.fee
    note([.providerFeeDeviation], [sale], "a fee one minor unit off")
  }

  private func converted() {
    note(
      [.currencyMismatch], [sell(terms(currency: "gbp"))], "a capture that is converted into the account's own currency"
    )
  }

  /// Ordinary rows without a payment: a reserve, monthly fees, a mass payment with one item returned, a top-up from the
  /// bank.
  func begin() {
    ledger.night = night
    guard night == 1 else { return }
    let at = plan.startsAt + 4_000
    let currency = account.currencies[0]
    ledger.book("T0300", 90_000, currency, at: at)
    ledger.book("T0101", -2_999, currency, at: at + 60)
    ledger.book("T2103", -15_000, currency, at: at + 7_000)
    ledger.book("T2104", 15_000, currency, at: at + 6 * Season.day)
    ledger.book("T1503", -13_775, currency, at: at + 9_000)
    ledger.book("T1105", 13_775, currency, at: at + 9_010)
    for amount: Int64 in [6_524, 5_987, 987] { ledger.book("T0001", -amount, currency, at: at + 9_011) }
    ledger.book("T0104", -275, currency, at: at + 9_012)
    ledger.book("T1115", 987, currency, at: at + 5 * Season.day)
    note(
      [.unknownRecordType, .payoutFailed, .balanceMismatch], [],
      "a reserve and its release, monthly fees, a mass payment of which one item came back, a top-up")
  }

  /// A daily withdrawal in each currency: most of the balance, by hand or swept.
  func settle(_ quotas: [FaultType: Int]) {
    let days = night == 1 ? plan.startsAt..<plan.endsAt : plan.end(of: night - 1)..<plan.end(of: night)
    for day in stride(from: days.lowerBound, to: days.upperBound, by: Int(Season.day)) {
      for (currency, balance) in ledger.balances(at: day + 14_400).sorted(by: { $0.key < $1.key }) where balance > 5_000
      {
        let row = ledger.book(dice.pick(["T0400", "T0401"]), -(balance / 10 * 7), currency, at: day + 14_400)
        row.bankReference = "PPB\(dice.number(10_000_000...99_999_999))"
      }
    }
  }
}
