/// What looks like a fault at Adyen, and is none; what every direct account can show is reported elsewhere.
extension AdyenStories {
  func plantLookAlikes() {
    tellSharedLookAlikes()
    partialCaptures()
    refundedAgain()
    disputeWonAndReturned()
    feesExceedTheSale()
    roundedOtherwise()
    if merchant.currency == "eur" { toleratedCent() }
    if merchant.isNotified { tellNotifiedLookAlikes() }
    if kiosk != nil { plantOrderingLookAlikes() }
  }

  private func partialCaptures() {
    let terms = terms(.beforeEnd(5 * 86_400...plan.days * 86_400 - 1_800))
    let sale = authorise(terms, for: order(for: terms))
    let first = terms.amount * dice.number(30...60) / 100
    ledger.capture(adyen(sale.payment), first, at: terms.at + 5_000)
    ledger.capture(adyen(sale.payment), terms.amount - first, at: terms.at + 40_000)
    note(
      [.duplicatePayment, .amountMismatch], [sale], "two captures of one authorisation that make the total together")
  }

  /// The first refund came back, the second one arrived; the orders know of one.
  private func refundedAgain() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = part(sale, 20...80)
    let at = sale.payment.at + 9_000
    fail(refund(sale, amount, at: at, isRecorded: false), at: at + Season.day)
    let second = refund(sale, amount, at: at + Season.day + 20_000, isRecorded: false)
    record(amount, of: sale, at: at, reference: dice.pick([second, sale.payment.id, nil]))
    note([.refundFailed, .unrecordedRefund, .overRefunded], [sale], "a refund that failed and was made again")
  }

  private func disputeWonAndReturned() {
    let sale = sell(terms(.beforeEnd(6 * 86_400...plan.days * 86_400 - 1_800)), by: .mc)
    let (payment, at) = (adyen(sale.payment), sale.payment.at + 30_000)
    let dispute = ledger.chargeback(payment, payment.captured, at: at)
    ledger.reverse(dispute, of: payment, payment.captured, at: at + Season.day)
    note([.disputeOpened, .disputeLost, .disputeWonUnreturned], [sale], "a dispute that was won and given back")
  }

  /// Ten rupees: what is withheld is more than they are worth.
  private func feesExceedTheSale() {
    var terms = terms(currency: "inr")
    terms.amount = 1_000
    let sale = sell(terms, by: .visa)
    if let row = adyen(sale.payment).row {
      row.fees = AdyenFees(markup: 4, scheme: 0, interchange: 10)
      row.net = -3
    }
    note([.settlementRowBroken, .unrecordedRefund], [sale], "a sale whose fees exceed it: its row is a debit")
  }

  /// Converted elsewhere, rounded otherwise.
  private func roundedOtherwise() {
    let sale = sell(terms(currency: merchant.currency == "gbp" ? "eur" : "gbp"))
    adyen(sale.payment).row?.net += dice.pick([-1, 1])
    note([.settlementRowBroken, .currencyMismatch], [sale], "a converted row that is rounded the other way")
  }

  private func toleratedCent() {
    let terms = terms(currency: "eur")
    note(
      [.amountMismatch], [sell(terms, total: terms.amount + dice.pick([-1, 1]))],
      "an order one cent off, as the tolerance allows")
  }
}

extension AdyenStories {
  /// Those that need notifications.
  private func tellNotifiedLookAlikes() {
    refusedBeforeSuccess()
    refusedAfterSuccess()
    capturedLess()
    standingAuthorisations()
    cancelledAuthorisation()
    zeroAuthorisation()
    refundUnderWay()
    tidings()
  }

  private func refusedBeforeSuccess() {
    var terms = terms()
    let order = order(for: terms)
    _ = authorise(terms, for: order, isSuccess: false)
    terms.at += 120
    note(
      [.missingPayment, .duplicatePayment], [sell(terms, for: order, link: .name)],
      "a refused attempt before the one that counts")
  }

  /// The same payment is reported as refused after it was reported as authorised.
  private func refusedAfterSuccess() {
    let sale = sell(terms(), link: .name)
    let payment = adyen(sale.payment)
    ledger.notify(
      "AUTHORISATION", payment.psp, of: payment, value: payment.amount, at: payment.at + 400, isSuccess: false,
      reason: "Refused")
    note(
      [.missingPayment, .paymentFailedAfterPaid], [sale], "a refusal that comes after the authorisation it contradicts")
  }

  private func capturedLess() {
    var terms = terms(.beforeEnd(5 * 86_400...plan.days * 86_400 - 1_800))
    let order = order(for: terms)
    terms.amount += terms.amount / 4
    let sale = authorise(terms, for: order)
    ledger.capture(adyen(sale.payment), order.total, at: terms.at + 5_000)
    ledger.expire(adyen(sale.payment), at: terms.at + 50_000)
    note([.amountMismatch, .unrecordedRefund], [sale], "a partial capture that is all the order asks for")
  }

  private func standingAuthorisations() {
    for status in ["paid", "pending"] {
      let isOld = status == "pending"
      let terms = terms(.beforeEnd(isOld ? 8 * 86_400...plan.days * 86_400 - 3_600 : 2 * 86_400...4 * 86_400))
      let sale = authorise(terms, for: order(for: terms))
      sale.order.status = status
      note(
        [.authorisationUncaptured, .missingPayment], [sale],
        isOld ? "an old authorisation of a pending order" : "a fresh authorisation")
    }
  }

  private func cancelledAuthorisation() {
    let terms = terms(.early)
    let order = order(for: terms)
    order.status = "cancelled"
    let sale = authorise(terms, for: order)
    ledger.cancel(adyen(sale.payment), at: terms.at + 9_000)
    note([.missingPayment, .unrecordedRefund], [sale], "an authorisation that was let go with its order")
  }

  /// A card is kept for later: an authorisation of nothing.
  private func zeroAuthorisation() {
    let reference = "mt-card-20260301102030-\(OrderingSimulator.hexadecimal(12, &dice))"
    let payment = ledger.authorise(
      AdyenTerms(at: instant(seasonOfSales), amount: 0, currency: merchant.currency, method: .visa),
      reference: reference)
    note(
      [.missingOrder, .authorisationUncaptured], [], payments: [payment.psp],
      "an authorisation of nothing, to keep a card")
  }

  /// Notified hours ago; its row comes with the next batch.
  private func refundUnderWay() {
    let sale = sell(terms(seasonOfRefunds))
    refund(sale, part(sale, 20...80), at: plan.endsAt - dice.number(3_600...20 * 3_600))
    note([.unsettledRefund, .settlementOverdue], [sale], "a refund that the next batch will hold")
  }

  /// What the account also reports, and means no money.
  private func tidings() {
    let psp = ledger.psp()
    ledger.notify(
      AdyenEvent(
        code: "OFFER_CLOSED", psp: psp, reference: "", currency: merchant.currency, value: 1_000,
        at: plan.startsAt + 90_000, night: night))
    note([.unknownRecordType], [], payments: [psp], "a notification that moves no money")
  }
}
