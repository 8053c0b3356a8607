// What a merchant account holds while its stories unfold; AdyenReport and AdyenNotices write it down.
// Instants are Unix seconds UTC, amounts minor units of the currency beside them.

/// A payment.
final class AdyenPayment {
  /// The PSP reference: what the reports call the payment.
  let psp: String
  let at: Int64
  let currency: String
  let amount: Int64
  let method: AdyenMethod
  let rate: AdyenRate?
  /// Ours, and not unique.
  let reference: String
  let shopper: Shopper
  var captured: Int64 = 0
  /// The references of its captures.
  var captures: [String] = []
  /// That of its first capture.
  var row: AdyenRow?

  init(psp: String, at instant: Int64, terms: AdyenTerms, reference: String = "", shopper: Shopper = Shopper(number: 1))
  {
    self.psp = psp
    at = instant
    currency = terms.currency
    amount = terms.amount
    method = terms.method
    rate = terms.rate
    self.reference = reference
    self.shopper = shopper
  }
}

/// A refund.
final class AdyenRefund {
  let modification: String
  let at: Int64
  let amount: Int64
  let payment: AdyenPayment
  var row: AdyenRow?

  init(modification: String, at: Int64, amount: Int64, payment: AdyenPayment) {
    self.modification = modification
    self.at = at
    self.amount = amount
    self.payment = payment
  }
}

/// One row of a settlement detail report.
final class AdyenRow {
  var type: String
  var createdAt: Int64
  var payment: AdyenPayment?
  /// The reference of this capture, refund or dispute; free text on rows of the account.
  var modification: String
  var modificationReference = ""
  /// Signed: positive towards the merchant.
  var gross: Int64 = 0
  /// Σ fees is what `gross`, converted, loses on its way to `net`.
  var fees = AdyenFees()
  /// Signed, in the account's currency.
  var net: Int64
  /// The second night's file says that it was booked a minute earlier.
  var isBookedOtherwiseTomorrow = false

  init(_ type: String, at instant: Int64, payment: AdyenPayment?, modification: String, net: Int64) {
    self.type = type
    createdAt = instant
    self.payment = payment
    self.modification = modification
    self.net = net
  }
}

/// A notification. What a shopper's are made of is added when it is written.
struct AdyenEvent {
  var code: String
  /// The event's own reference; of an AUTHORISATION the payment's.
  var psp: String
  var original: String?
  var reference: String
  var currency: String
  var value: Int64
  var isSuccess = true
  var at: Int64
  var method = ""
  var reason = ""
  var additional: [(name: String, value: String)] = []
  var shopper: Shopper?
  /// The night on which it arrives.
  var night: Int
}
