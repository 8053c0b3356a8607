/// A payment as its story sees it: all of its objects.
final class PaymentRecord {
  let intent: IntentRecord
  let charge: ChargeRecord
  let tender: Tender
  var row: RowRecord?
  var transfers: [TransferRecord] = []
  var fee: FeeRecord?

  init(intent: IntentRecord, charge: ChargeRecord, tender: Tender) {
    self.intent = intent
    self.charge = charge
    self.tender = tender
  }

  var id: String { charge.id }
  var captured: Int64 { charge.amountCaptured }
}

/// How payments are made and fail.
extension StripeLedger {
  /// Makes a payment on these terms, captured unless they say otherwise.
  func pay(_ terms: Terms) -> PaymentRecord {
    let intent = makeIntent(terms, shopper: Shopper(number: dice.number(1...90_000)))
    for attempt in 0..<terms.declinedAttempts { decline(intent, at: terms.at + Int64(attempt) * 40 + 5) }
    let charge = makeCharge(for: intent, at: terms.at + Int64(terms.declinedAttempts) * 40 + 10)
    let payment = PaymentRecord(intent: intent, charge: charge, tender: terms.tender)
    switch terms.capture {
    case .atOnce:
      capture(payment, terms, charge.amount, inTwoRows: false, at: charge.created + 2)
    case .later(let seconds, let amount, let inTwoRows):
      capture(payment, terms, amount, inTwoRows: inTwoRows, at: charge.created + seconds)
    case .never:
      intent.status = "requires_capture"
      intent.amountCapturable = intent.amount
    }
    return payment
  }

  /// An attempt that the bank declines: a charge without money.
  func decline(_ intent: IntentRecord, at instant: Int64) {
    let charge = makeCharge(for: intent, at: instant)
    charge.status = "failed"
    charge.failureCode = dice.pick(["card_declined", "insufficient_funds", "expired_card"])
  }

  /// Captures the amount, and shares it.
  func capture(_ payment: PaymentRecord, _ terms: Terms, _ amount: Int64, inTwoRows: Bool, at instant: Int64) {
    let (charge, intent) = (payment.charge, payment.intent)
    charge.isCaptured = true
    charge.amountCaptured = amount
    intent.status = "succeeded"
    intent.amountReceived = amount
    intent.amountCapturable = 0
    let settled = terms.tender.settled(amount)
    let booked = inTwoRows ? terms.tender.settled(charge.amount) : settled
    let type = charge.method.isCard ? "charge" : "payment"
    let fee = FeeRate.fee(settled, terms.tender.settlement, charge.method)
    let row = book(type, "charge", source: charge.id, booked, terms.tender.settlement, at: instant, fee: fee)
    row.rate = terms.tender.rateText
    row.description = "Order for \(charge.shopper.name)"
    charge.row = row.id
    payment.row = row
    if amount < charge.amount { release(charge.amount - amount, of: payment, inTwoRows: inTwoRows, at: instant + 1) }
    share(payment, terms, at: instant + 1)
  }

  /// What a partial capture gives up: with two rows it is booked back, else it only shows on the charge.
  private func release(_ amount: Int64, of payment: PaymentRecord, inTwoRows: Bool, at instant: Int64) {
    payment.charge.amountRefunded += amount
    guard inTwoRows else { return }
    let refund = makeRefund(amount, of: payment.charge, at: instant)
    refund.reason = nil
    refund.row =
      book("refund", "partial_capture_reversal", source: refund.id, -amount, payment.tender.settlement, at: instant).id
  }

  /// Sends the connected account its part, and takes the commission.
  func share(_ payment: PaymentRecord, _ terms: Terms, at instant: Int64) {
    if terms.loss == .transferSkipped || terms.loss == .transferLost { return lose(payment, terms) }
    let settled = terms.tender.settled(payment.captured)
    switch terms.split {
    case .platform:
      return
    case .full:
      transfer(settled, of: payment, to: terms.seller, at: instant)
    case .transferAmount(let amount):
      var asked = terms.tender.settled(min(amount, payment.captured))
      if case .transferShort(let missing) = terms.loss { asked -= missing }
      transfer(asked, of: payment, to: terms.seller, at: instant)
    case .applicationFee(let amount):
      transfer(settled, of: payment, to: terms.seller, at: instant)
      if terms.loss == .fee { return }
      let capped = min(amount, payment.captured)
      payment.fee = makeFee(capped, of: payment.charge, account: terms.seller, tender: terms.tender, at: instant + 1)
    case .separate(let amount):
      send(amount, of: payment, to: terms.seller, at: instant + 600)
    }
  }

  /// The seller cannot receive transfers: the money stays with the platform.
  private func lose(_ payment: PaymentRecord, _ terms: Terms) {
    guard terms.loss == .transferSkipped else { return }
    payment.charge.destination = nil
    payment.charge.transferAmount = nil
    payment.charge.applicationFee = nil
  }

  private func transfer(_ amount: Int64, of payment: PaymentRecord, to seller: String, at instant: Int64) {
    let transfer = makeTransfer(amount, payment.tender.settlement, to: seller, source: payment.id, at: instant)
    let group = payment.charge.transferGroup ?? "group_\(payment.intent.id)"
    transfer.group = group
    payment.charge.transferGroup = group
    payment.charge.transfer = transfer.id
    payment.transfers.append(transfer)
  }

  /// A transfer that the platform makes itself, tied to the charge.
  @discardableResult
  func send(_ amount: Int64, of payment: PaymentRecord, to seller: String, at instant: Int64) -> TransferRecord {
    let transfer = makeTransfer(amount, payment.tender.settlement, to: seller, source: payment.id, at: instant)
    let group = payment.charge.transferGroup ?? "group_\(payment.intent.id)"
    transfer.group = group
    payment.charge.transferGroup = group
    payment.transfers.append(transfer)
    return transfer
  }

  /// An asynchronous payment fails days after it was booked; Stripe undoes what it is asked to.
  func fail(_ payment: PaymentRecord, at instant: Int64, undoingTransfer: Bool, undoingFee: Bool) {
    guard let row = payment.row else { return }
    payment.charge.status = "failed"
    payment.charge.failureCode = "insufficient_funds"
    let failure = book(
      "payment_failure_refund", "charge_failure", source: payment.id, -row.amount, row.currency, at: instant)
    payment.charge.failureRow = failure.id
    payment.intent.status = "requires_payment_method"
    if undoingTransfer {
      for transfer in payment.transfers { reverse(transfer, transfer.amount - transfer.reversed, at: instant + 1) }
    }
    if undoingFee, let fee = payment.fee { giveBack(fee, fee.amount - fee.refunded, at: instant + 2) }
  }
}
