// What a Cash App client holds while its stories unfold; CashAppFiles writes it down. Instants are Unix seconds UTC,
// amounts cents.

/// A payment.
final class CashAppPayment {
  let id: String
  let at: Int64
  /// The shop's reference, `payment_reference_id`.
  let reference: String
  let merchant: String
  let captured: Int64
  let row: CashAppRow

  init(id: String, reference: String, merchant: String, captured: Int64, row: CashAppRow) {
    self.id = id
    self.reference = reference
    self.merchant = merchant
    self.captured = captured
    self.row = row
    at = row.at
  }
}

/// A row of an activity file: `net = gross − fee`, and the fee is always a cost.
final class CashAppRow {
  let type: String
  let at: Int64
  let merchant: String
  var paymentID = ""
  var paymentReference = ""
  var refundID = ""
  var refundReference = ""
  var disputeID = ""
  var gross: Int64
  var feeVariable: Int64
  var feeFixed: Int64
  /// What the stated net has beyond gross − fee.
  var netOff: Int64 = 0
  /// The batch that it is reported in, where it is not that of its time.
  var toldAt: Int64?
  /// What a later file says of its instant instead.
  var atTomorrow: Int64?

  init(_ type: String, at instant: Int64, merchant: String, gross: Int64, feeVariable: Int64 = 0, feeFixed: Int64 = 0) {
    self.type = type
    at = instant
    self.merchant = merchant
    self.gross = gross
    self.feeVariable = feeVariable
    self.feeFixed = feeFixed
  }

  var fee: Int64 { feeVariable + feeFixed }
  var net: Int64 { gross - fee + netOff }
}

/// What a dispute report says of a dispute, one row for each change.
struct CashAppDisputeState {
  let id: String
  let payment: CashAppPayment
  let amount: Int64
  let createdAt: Int64
  var state: String
  var changedAt: Int64
}
