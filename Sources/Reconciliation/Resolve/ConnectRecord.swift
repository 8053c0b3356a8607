/// Money that the platform transfers to a connected account.
struct TransferRecord: Sendable {
  var transferID: Text
  /// The payment it names as its source.
  var paymentID: Text?
  var connectedAccount: Text?
  var rowID: Text?
  var transferGroup: Text?
  var orderReference: Text?
}

/// A transfer taken back, in full or in part.
struct ReversalRecord: Sendable {
  var reversalID: Text
  var transferID: Text
  var refundID: Text?
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var createdAt: Int64 = 0
  var rowID: Text?
}

/// The platform's commission, taken from a connected account.
struct CommissionRecord: Sendable {
  var feeID: Text
  /// The payment on the platform; for a direct charge the connected account's own.
  var paymentID: Text?
  var connectedAccount: Text?
  var isDirect = false
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var createdAt: Int64 = 0
  var rowID: Text?
}

/// A commission given back, in full or in part.
struct CommissionRefundRecord: Sendable {
  var feeRefundID: Text
  var feeID: Text
  var rowID: Text?
}
