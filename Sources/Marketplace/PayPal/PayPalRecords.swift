// What a PayPal account holds while the stories of a market unfold. Instants are Unix seconds UTC, amounts minor units,
// currencies lower case; `night` is the first night on which a record can be seen.

/// One row of the reporting list: a change of the balance, or a record that may lead to one.
final class PayPalRow {
  let id: String
  let code: String
  /// When it began.
  let initiatedAt: Int64
  /// When it was last updated: the time that counts.
  var at: Int64
  /// Signed, from the account's view.
  let amount: Int64
  let currency: String
  /// Signed; nil where the row has none.
  var fee: Int64?
  /// The error of the fee in the report; the balance has the right one.
  var correction: Int64 = 0
  /// `S`, `P`, `V`, `D`.
  var status = "S"
  /// The capture, authorisation or order it refers to, and `TXN` or `ODR`.
  var reference: (id: String, type: String)?
  var names = PayPalNames()
  var bankReference: String?
  var night: Int

  init(_ id: String, _ code: String, at: Int64, _ amount: Int64, _ currency: String, fee: Int64? = nil, night: Int) {
    self.id = id
    self.code = code
    self.at = at
    initiatedAt = at
    self.amount = amount
    self.currency = currency
    self.fee = fee
    self.night = night
  }

  /// Authorisations never move money; a pending row does not yet, a denied one not at all.
  var isAffecting: Bool { !code.hasPrefix("T13") && (status == "S" || status == "V") }
  var effect: Int64 { isAffecting ? amount + (fee ?? 0) + correction : 0 }
  /// Money that is only set aside: no longer available, but still in the total.
  var isHold: Bool { ["T1503", "T1105", "T2103", "T2104", "T1110", "T1111"].contains(code) }
}

/// The references that the shop wrote on a payment.
struct PayPalNames {
  var custom: String?
  var invoice: String?
}

/// A capture.
final class PayPalCapture {
  let id: String
  let at: Int64
  let order: String
  var authorisation: String?
  let amount: Int64
  let currency: String
  var fee: Int64
  /// The fee that a partner takes of it.
  var partnerFee: Int64 = 0
  var status = "COMPLETED"
  var updatedAt: Int64
  var isFinal = true
  var refunded: Int64 = 0
  var names: PayPalNames
  var rows: [PayPalRow] = []
  var night: Int

  init(
    _ id: String, at: Int64, order: String, _ amount: Int64, _ currency: String, fee: Int64, names: PayPalNames,
    night: Int
  ) {
    self.id = id
    self.at = at
    self.order = order
    self.amount = amount
    self.currency = currency
    self.fee = fee
    self.names = names
    self.night = night
    updatedAt = at
  }
}

/// An authorisation.
final class PayPalAuthorisation {
  let id: String
  let at: Int64
  let order: String
  let amount: Int64
  let currency: String
  var lapsesAt: Int64
  var status = "CREATED"
  var updatedAt: Int64
  let names: PayPalNames
  let row: PayPalRow

  init(_ id: String, order: String, lapsesAt: Int64, names: PayPalNames, row: PayPalRow) {
    self.id = id
    self.order = order
    self.lapsesAt = lapsesAt
    self.names = names
    self.row = row
    (at, amount, currency, updatedAt) = (row.at, row.amount, row.currency, row.at)
  }
}

/// A refund.
final class PayPalRefund {
  let id: String
  let at: Int64
  var updatedAt: Int64
  let capture: PayPalCapture
  let amount: Int64
  /// The part of the fee that was returned.
  let feeBack: Int64
  /// The total refunded of the capture, this refund included.
  let total: Int64
  var status = "COMPLETED"
  let row: PayPalRow

  init(_ capture: PayPalCapture, feeBack: Int64, total: Int64, row: PayPalRow) {
    id = row.id
    self.capture = capture
    self.feeBack = feeBack
    self.total = total
    self.row = row
    amount = -row.amount
    at = row.at
    updatedAt = row.at
  }
}

/// A dispute.
final class PayPalDispute {
  let id: String
  let at: Int64
  var updatedAt: Int64
  let capture: PayPalCapture
  let amount: Int64
  var status: String
  var state: String
  var stage: String
  var outcome: String?
  var movements: [(type: String, reason: String, amount: Int64, at: Int64)] = []
  var night: Int

  init(_ id: String, at: Int64, _ capture: PayPalCapture, _ amount: Int64, night: Int) {
    self.id = id
    self.at = at
    self.capture = capture
    self.amount = amount
    self.night = night
    updatedAt = at
    status = "WAITING_FOR_SELLER_RESPONSE"
    state = "REQUIRED_ACTION"
    stage = "CHARGEBACK"
  }
}
