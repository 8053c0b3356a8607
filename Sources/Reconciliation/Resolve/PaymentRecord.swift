import Payments

/// A payment, as its provider states it whole or as it is folded from what was observed of it.
struct PaymentRecord: Sendable {
  var paymentID: Text
  var account: Text = ""
  var intentID: Text?
  var status: Text = "succeeded"
  var isCaptured = false
  /// An attempt without money: no payment, in no report.
  var isDeclined = false
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var capturedMinor: Int64 = 0
  var createdAt: Int64 = 0
  /// An uncaptured authorisation lapses here, where stated.
  var captureBefore: Int64?
  var destination: Text?
  var transferAmountMinor: Int64?
  var applicationFeeMinor: Int64?
  var method: Text?
  var failureRowID: Text?
  /// It is folded from observations rather than stated whole.
  var isFolded = false
  var authorisedAt: Int64?
  /// When what was not captured was released, lapsed, or was taken over by its captures.
  var canceledAt: Int64?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

/// What was asked for at checkout.
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

/// An identifier that an order, or another record, may know a payment, an intent or a dispute by.
struct ReferenceRecord: Sendable {
  var ownerID: Text
  var name: Text
  var value: Text
  /// Its position in the provider's `order_reference`, from 1; nil: not one of them.
  var orderRank: Int64?
  /// The owner's version that carries it.
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
  /// It releases an authorisation: no money.
  var isExpiredAuthorisation = false
  var failedAt: Int64?
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

/// A dispute, stated whole or folded.
struct DisputeRecord: Sendable {
  var disputeID: Text
  var paymentID: Text?
  /// inquiry open won lost closed prevented.
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
