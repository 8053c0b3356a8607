// What an Afterpay merchant account holds while the stories of a market unfold. Instants are Unix seconds UTC, amounts
// minor units of the account's currency unless they say millionths; `night` is the first night on which a record can be
// seen.

/// A payment, which Afterpay calls an order.
final class AfterpayPaymentRecord {
  let id: String
  let token: String
  let at: Int64
  let amount: Int64
  let reference: String
  var isApproved = true
  var open: Int64 = 0
  var state = "AUTH_APPROVED"
  var events: [AfterpayEventRecord] = []
  var refunds: [AfterpayRefundRecord] = []
  /// Taken with Cash App Pay inside Afterpay's checkout.
  var isCashAppPay = false
  var night: Int

  init(id: String, token: String, at: Int64, amount: Int64, reference: String, night: Int) {
    self.id = id
    self.token = token
    self.at = at
    self.amount = amount
    self.reference = reference
    self.night = night
  }
}

/// What happened to a payment.
final class AfterpayEventRecord {
  let id: String
  let type: String
  var at: Int64
  let amount: Int64
  var expiresAt: Int64?
  let night: Int

  init(id: String, type: String, at: Int64, amount: Int64, night: Int) {
    self.id = id
    self.type = type
    self.at = at
    self.amount = amount
    self.night = night
  }
}

/// An entry of a payment's `refunds`: a refund, or the shadow that a void leaves there.
struct AfterpayRefundRecord {
  let id: String
  let at: Int64
  /// Milliseconds within the second.
  let millisecond: Int64
  let amount: Int64
  let night: Int
}

/// A dispute.
struct AfterpayDisputeRecord {
  let id: String
  let token: String
  let order: String
  let at: Int64
  var updatedAt: Int64
  let amount: Int64
  let status: String
  let closing: String?
  let night: Int
}

/// A row of the settlement file.
final class AfterpaySettledRecord {
  /// The first instant of the settlement date.
  var date: Int64
  let order: String
  let reference: String
  let type: String
  let orderAt: Int64
  /// Signed millionths of the currency's unit.
  let gross: Int64
  var fee: Int64
  var tax: Int64
  var net: Int64
  var refund: (id: String, at: Int64)?
  /// Rows that a story keeps out of every file.
  var isLost = false

  init(
    date: Int64, order: String, reference: String, type: String, orderAt: Int64, gross: Int64, fee: Int64, tax: Int64
  ) {
    self.date = date
    self.order = order
    self.reference = reference
    self.type = type
    self.orderAt = orderAt
    self.gross = gross
    self.fee = fee
    self.tax = tax
    net = gross - fee - tax
  }
}
