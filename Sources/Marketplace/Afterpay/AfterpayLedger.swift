/// An Afterpay merchant account: payments with their events and refunds, and the settlement rows that follow a day
/// later.
///
/// It knows Afterpay's documented behaviour (docs/providers/afterpay.md sections 2 and 3) and nothing of the program
/// that is tested with it.
final class AfterpayLedger {
  var dice: SeededRandom
  var night = 1
  /// ISO 4217, lower case.
  let currency: String
  private let firstID: Int64
  private var made: Int64 = 0
  private(set) var payments: [AfterpayPaymentRecord] = []
  private(set) var settled: [AfterpaySettledRecord] = []
  var disputes: [AfterpayDisputeRecord] = []

  init(dice: SeededRandom, currency: String, firstID: Int64) {
    self.dice = dice
    self.currency = currency
    self.firstID = firstID
  }

  /// A number such as Afterpay's ids are, beyond 32 bits.
  func id() -> String {
    made += 1
    return String(firstID + made * 7)
  }

  /// An approved checkout, authorised for thirteen days.
  func authorise(_ amount: Int64, at instant: Int64, reference: String) -> AfterpayPaymentRecord {
    let payment = AfterpayPaymentRecord(
      id: id(), token: "003.\(dice.letters(24))", at: instant, amount: amount, reference: reference, night: night)
    payment.open = amount
    add("AUTH_APPROVED", amount, to: payment, at: instant).expiresAt = instant + 13 * 86_400
    payments.append(payment)
    return payment
  }

  /// An attempt that came to nothing.
  func decline(_ amount: Int64, at instant: Int64, reference: String) {
    let payment = AfterpayPaymentRecord(
      id: id(), token: "003.\(dice.letters(24))", at: instant, amount: amount, reference: reference, night: night)
    (payment.isApproved, payment.state) = (false, "AUTH_DECLINED")
    add("AUTH_DECLINED", amount, to: payment, at: instant)
    payments.append(payment)
  }

  @discardableResult
  private func add(
    _ type: String, _ amount: Int64, to payment: AfterpayPaymentRecord, at instant: Int64
  ) -> AfterpayEventRecord {
    let event = AfterpayEventRecord(id: "ev_\(id())", type: type, at: instant, amount: amount, night: night)
    payment.events.append(event)
    return event
  }

  /// Captures a part or the whole; the settlement follows the next day.
  ///
  /// - Parameter isReported: false leaves the event out, as some immediate payments do.
  @discardableResult
  func capture(_ amount: Int64, of payment: AfterpayPaymentRecord, at instant: Int64, isReported: Bool = true)
    -> AfterpaySettledRecord
  {
    if isReported { add("CAPTURED", amount, to: payment, at: instant) }
    payment.open -= amount
    payment.state = payment.open == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED"
    return settle("Order", amount, of: payment, on: instant)
  }

  /// Releases what was not captured; the list of refunds shows a shadow of it, half a second earlier.
  func void(_ payment: AfterpayPaymentRecord, at instant: Int64, type: String = "VOIDED") {
    let shadow = AfterpayRefundRecord(
      id: "rf_\(id())", at: instant - 1, millisecond: 639, amount: payment.open, night: night)
    payment.refunds.insert(shadow, at: 0)
    add(type, payment.open, to: payment, at: instant)
    payment.state = payment.open == payment.amount ? "VOIDED" : "CAPTURED"
    payment.open = 0
  }

  func refund(_ amount: Int64, of payment: AfterpayPaymentRecord, at instant: Int64) -> (
    AfterpayRefundRecord, AfterpaySettledRecord
  ) {
    let refund = AfterpayRefundRecord(
      id: "rf_\(id())", at: instant, millisecond: dice.number(0...999), amount: amount, night: night)
    payment.refunds.insert(refund, at: 0)
    let row = settle("Refund", -amount, of: payment, on: instant)
    row.refund = (refund.id, instant)
    return (refund, row)
  }

  /// The row of what happened at an instant: its settlement date is the day after.
  @discardableResult
  func settle(_ type: String, _ amount: Int64, of payment: AfterpayPaymentRecord, on instant: Int64)
    -> AfterpaySettledRecord
  {
    let gross = amount * 10_000
    let fee = amount > 0 && type == "Order" ? AfterpayRate.fee(amount, currency) : (fee: 0, tax: 0)
    let row = AfterpaySettledRecord(
      date: (instant / 86_400 + 1) * 86_400, order: payment.id, reference: payment.reference, type: type,
      orderAt: payment.at,
      gross: gross, fee: fee.fee, tax: fee.tax)
    settled.append(row)
    return row
  }
}

/// What Afterpay charges, with sub-cents: a part of the amount and a fixed fee, and in Australia tax on both.
enum AfterpayRate {
  /// Cents.
  static let fixed: Int64 = 30

  /// Hundredths of a percent.
  static func basisPoints(_ currency: String) -> Int64 { currency == "aud" ? 425 : 435 }

  /// Millionths of the currency's unit.
  static func fee(_ amount: Int64, _ currency: String) -> (fee: Int64, tax: Int64) {
    let fee = amount * basisPoints(currency) + fixed * 10_000
    return (fee, currency == "aud" ? fee / 10 : 0)
  }
}
