/// A merchant account while the stories of a market unfold: payments are made here, rows are booked, notifications are
/// sent.
///
/// It knows Adyen's documented behaviour (docs/providers/adyen.md sections 2 to 4) and nothing of the program that is
/// tested with it.
final class AdyenLedger {
  let account: AdyenAccount
  var dice: SeededRandom
  private var made = 0
  /// The night on which what happens now is reported.
  var night = 1
  private(set) var rows: [AdyenRow] = []
  private(set) var events: [AdyenEvent] = []

  init(_ account: AdyenAccount, dice: SeededRandom) {
    self.account = account
    self.dice = dice
  }

  /// A fresh reference of 16 characters: digits in an older account, capitals and digits in a newer one.
  func psp() -> String {
    made += 1
    let isDigits = account.isReordered
    let digits = String(made, radix: isDigits ? 10 : 36, uppercase: true)
    let head = isDigits ? "88151" : account.name.suffix(2) + "PSP"
    let tail = isDigits ? "\(dice.number(10_000...99_999))" : dice.letters(5).uppercased()
    return head + String(repeating: "0", count: 6 - digits.count) + digits + tail
  }

  func book(_ type: String, at instant: Int64, _ payment: AdyenPayment?, _ modification: String, net: Int64) -> AdyenRow
  {
    let row = AdyenRow(type, at: instant, payment: payment, modification: modification, net: net)
    rows.append(row)
    return row
  }

  func notify(_ event: AdyenEvent) {
    events.append(event)
  }

  /// A notification about a payment.
  func notify(
    _ code: String, _ psp: String, of payment: AdyenPayment, value: Int64, at instant: Int64, isSuccess: Bool = true,
    reason: String = "", linked: Bool = true, additional: [(name: String, value: String)] = []
  ) {
    notify(
      AdyenEvent(
        code: code, psp: psp, original: linked && psp != payment.psp ? payment.psp : nil, reference: payment.reference,
        currency: payment.currency, value: value, isSuccess: isSuccess, at: instant, method: payment.method.rawValue,
        reason: reason, additional: additional, shopper: payment.shopper, night: night))
  }

  /// Minor units of the account's currency.
  func settled(_ amount: Int64, of payment: AdyenPayment) -> Int64 {
    payment.rate?.settled(amount, payment.currency, in: account.currency) ?? amount
  }
}

extension AdyenLedger {
  /// A payment that is authorised, or refused.
  func authorise(_ terms: AdyenTerms, reference: String, isSuccess: Bool = true) -> AdyenPayment {
    let payment = AdyenPayment(
      psp: psp(), at: terms.at, terms: terms, reference: reference, shopper: Shopper(number: dice.number(1...90_000)))
    notify(
      "AUTHORISATION", payment.psp, of: payment, value: terms.amount, at: terms.at, isSuccess: isSuccess,
      reason: isSuccess ? "033899:1111:03/2030" : "Refused")
    return payment
  }

  /// Takes an authorised amount, or a part of it; `settles` false: the row never comes.
  @discardableResult
  func capture(_ payment: AdyenPayment, _ amount: Int64? = nil, at instant: Int64, settles: Bool = true) -> String {
    let amount = amount ?? payment.amount
    let reference = payment.method.capturesItself ? payment.psp : psp()
    if !payment.method.capturesItself { notify("CAPTURE", reference, of: payment, value: amount, at: instant) }
    payment.captured += amount
    payment.captures.append(reference)
    guard settles else { return reference }
    let converted = settled(amount, of: payment)
    let fees = payment.method.fees(on: converted)
    let row = book("Settled", at: instant, payment, reference, net: converted - fees.sum)
    row.gross = amount
    row.fees = fees
    row.modificationReference =
      payment.captures.count > 1 ? "\(payment.reference)-S\(payment.captures.count)" : "<auto>"
    payment.row = payment.row ?? row
    return reference
  }

  /// Gives money back.
  @discardableResult
  func refund(_ payment: AdyenPayment, _ amount: Int64, at instant: Int64, settles: Bool = true) -> AdyenRefund {
    let refund = AdyenRefund(modification: psp(), at: instant, amount: amount, payment: payment)
    notify("REFUND", refund.modification, of: payment, value: amount, at: instant + 5)
    guard settles else { return refund }
    let fees = payment.method.refundFees
    let row = book("Refunded", at: instant, payment, refund.modification, net: -settled(amount, of: payment) - fees.sum)
    row.gross = -amount
    row.fees = fees
    row.modificationReference = "\(payment.reference)-R"
    refund.row = row
    return refund
  }

  /// The customer's bank sent a refund back: what was booked comes in again.
  func fail(_ refund: AdyenRefund, at instant: Int64) {
    let payment = refund.payment
    notify(
      "REFUND_FAILED", refund.modification, of: payment, value: refund.amount, at: instant, reason: "Refund Failed")
    guard refund.row != nil else { return }
    let row = book(
      "RefundedReversed", at: instant + 60, payment, refund.modification, net: settled(refund.amount, of: payment))
    row.gross = refund.amount
  }

  /// Lets an authorisation go.
  func cancel(_ payment: AdyenPayment, at instant: Int64) {
    notify("CANCELLATION", psp(), of: payment, value: payment.amount, at: instant)
  }
}

extension AdyenLedger {
  /// What is left of an authorisation lapses; Adyen names the payment as the event's own reference.
  func expire(_ payment: AdyenPayment, at instant: Int64) {
    notify("EXPIRE", payment.psp, of: payment, value: payment.amount - payment.captured, at: instant)
  }
}

/// What one payment at Adyen is made on.
struct AdyenTerms {
  var at: Int64
  var amount: Int64
  var currency: String
  var method: AdyenMethod
  /// Where the currency is not the account's.
  var rate: AdyenRate?
}
