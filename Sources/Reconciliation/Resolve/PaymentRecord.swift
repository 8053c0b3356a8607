import Payments

/// A payment, stated by its provider as a whole or folded from observations.
struct PaymentRecord: Sendable {
  var paymentID: Text
  var account: Text = ""
  var intentID: Text?
  var status: Text = "succeeded"
  var isCaptured = false
  /// An attempt without money: not a payment, and in no report.
  var isDeclined = false
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var capturedMinor: Int64 = 0
  var createdAt: Int64 = 0
  /// When an uncaptured authorisation lapses, if stated.
  var captureBefore: Int64?
  var destination: Text?
  var transferAmountMinor: Int64?
  var applicationFeeMinor: Int64?
  var method: Text?
  var failureRowID: Text?
  /// Whether it is folded from observations rather than stated as a whole.
  var isFolded = false
  var authorisedAt: Int64?
  /// When the uncaptured part was released, lapsed, or was taken over by captures.
  var canceledAt: Int64?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

/// The amount requested at checkout.
struct IntentRecord: Sendable {
  var intentID: Text
  var status: Text
  var currency: Text = ""
  var createdAt: Int64 = 0
  var canceledAt: Int64?
  var latestPaymentID: Text?
  var destination: Text?
  var transferAmountMinor: Int64?
  var applicationFeeMinor: Int64?
  var landedFile: Int64 = 0
}

/// An identifier by which an order or another record may refer to a payment, an intent or a dispute.
struct ReferenceRecord: Sendable {
  var ownerID: Text
  var name: Text
  var value: Text
  /// Its position in the provider's `order_reference`, from 1; nil: not one of them.
  var orderRank: Int64?
  /// The landed file of the owner's version that names it.
  var landedFile: Int64 = 0
}

/// A refund, stated whole or folded.
struct RefundRecord: Sendable {
  var refundID: Text
  var paymentID: Text?
  var status: Text
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var createdAt: Int64 = 0
  var rowID: Text?
  var failureRowID: Text?
  var reversalID: Text?
  /// Whether it only releases an authorisation, without money.
  var isExpiredAuthorisation = false
  var failedAt: Int64?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

/// A dispute, stated whole or folded.
struct DisputeRecord: Sendable {
  var disputeID: Text
  var paymentID: Text?
  /// One of: inquiry, open, won, lost, closed, prevented.
  var status: Text
  var providerStatus: Text = ""
  var reason: Text?
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var createdAt: Int64 = 0
  var respondBy: Int64?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}
