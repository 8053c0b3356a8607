// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// One customer payment at one provider: a charge (docs/providers/stripe.md section 2).
package struct Payment: Hashable, Sendable {
  package var provider: String
  package var paymentID: String
  package var account: String
  package var intentID: String?
  package var status: PaymentStatus
  package var isCaptured: Bool
  package var isDeclined: Bool
  package var currency: String
  package var amountMinor: Int64
  package var capturedMinor: Int64
  package var createdAt: Int64
  package var captureBefore: Int64?
  package var destination: String?
  package var transferAmountMinor: Int64?
  package var applicationFeeMinor: Int64?
  package var transferGroup: String?
  package var method: String?
  package var rowID: String?
  package var failureRowID: String?
  package var origin: Origin

  package init(
    provider: String, paymentID: String, account: String, intentID: String? = nil, status: PaymentStatus,
    isCaptured: Bool,
    isDeclined: Bool, currency: String, amountMinor: Int64, capturedMinor: Int64, createdAt: Int64,
    captureBefore: Int64? = nil,
    destination: String? = nil, transferAmountMinor: Int64? = nil, applicationFeeMinor: Int64? = nil,
    transferGroup: String? = nil, method: String? = nil, rowID: String? = nil, failureRowID: String? = nil,
    origin: Origin
  ) {
    self.provider = provider
    self.paymentID = paymentID
    self.account = account
    self.intentID = intentID
    self.status = status
    self.isCaptured = isCaptured
    self.isDeclined = isDeclined
    self.currency = currency
    self.amountMinor = amountMinor
    self.capturedMinor = capturedMinor
    self.createdAt = createdAt
    self.captureBefore = captureBefore
    self.destination = destination
    self.transferAmountMinor = transferAmountMinor
    self.applicationFeeMinor = applicationFeeMinor
    self.transferGroup = transferGroup
    self.method = method
    self.rowID = rowID
    self.failureRowID = failureRowID
    self.origin = origin
  }
}

/// What was requested at checkout, whether or not it led to a charge (Stripe: a payment intent).
package struct Intent: Hashable, Sendable {
  package var provider: String
  package var intentID: String
  package var status: IntentStatus
  package var currency: String
  package var amountMinor: Int64
  package var capturableMinor: Int64
  package var createdAt: Int64
  package var canceledAt: Int64?
  package var latestPaymentID: String?
  package var destination: String?
  package var transferAmountMinor: Int64?
  package var applicationFeeMinor: Int64?
  package var transferGroup: String?
  package var origin: Origin

  package init(
    provider: String, intentID: String, status: IntentStatus, currency: String, amountMinor: Int64,
    capturableMinor: Int64,
    createdAt: Int64, canceledAt: Int64? = nil, latestPaymentID: String? = nil, destination: String? = nil,
    transferAmountMinor: Int64? = nil, applicationFeeMinor: Int64? = nil, transferGroup: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.intentID = intentID
    self.status = status
    self.currency = currency
    self.amountMinor = amountMinor
    self.capturableMinor = capturableMinor
    self.createdAt = createdAt
    self.canceledAt = canceledAt
    self.latestPaymentID = latestPaymentID
    self.destination = destination
    self.transferAmountMinor = transferAmountMinor
    self.applicationFeeMinor = applicationFeeMinor
    self.transferGroup = transferGroup
    self.origin = origin
  }
}

/// An identifier by which an order or another record may refer to a payment, an intent or a transfer.
package struct Reference: Hashable, Sendable {
  package var provider: String
  package var ownerID: String
  package var name: String
  package var value: String
  package var orderRank: Int?
  package var origin: Origin

  package init(
    provider: String, ownerID: String, name: String, value: String, orderRank: Int? = nil, origin: Origin
  ) {
    self.provider = provider
    self.ownerID = ownerID
    self.name = name
    self.value = value
    self.orderRank = orderRank
    self.origin = origin
  }
}

/// Money going back to a customer, in presentment currency.
package struct Refund: Hashable, Sendable {
  package var provider: String
  package var refundID: String
  package var paymentID: String?
  package var status: RefundStatus
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var rowID: String?
  package var failureRowID: String?
  package var reversalID: String?
  package var isExpiredAuthorisation: Bool
  package var origin: Origin

  package init(
    provider: String, refundID: String, paymentID: String? = nil, status: RefundStatus, currency: String,
    amountMinor: Int64,
    createdAt: Int64, rowID: String? = nil, failureRowID: String? = nil, reversalID: String? = nil,
    isExpiredAuthorisation: Bool, origin: Origin
  ) {
    self.provider = provider
    self.refundID = refundID
    self.paymentID = paymentID
    self.status = status
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.rowID = rowID
    self.failureRowID = failureRowID
    self.reversalID = reversalID
    self.isExpiredAuthorisation = isExpiredAuthorisation
    self.origin = origin
  }
}

/// A customer's bank contesting a payment.
package struct Dispute: Hashable, Sendable {
  package var provider: String
  package var disputeID: String
  package var paymentID: String?
  package var status: DisputeStatus
  package var providerStatus: String
  package var reason: String?
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var respondBy: Int64?
  package var rowIDs: [String]
  package var origin: Origin

  package init(
    provider: String, disputeID: String, paymentID: String? = nil, status: DisputeStatus, providerStatus: String,
    reason: String? = nil, currency: String, amountMinor: Int64, createdAt: Int64, respondBy: Int64? = nil,
    rowIDs: [String],
    origin: Origin
  ) {
    self.provider = provider
    self.disputeID = disputeID
    self.paymentID = paymentID
    self.status = status
    self.providerStatus = providerStatus
    self.reason = reason
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.respondBy = respondBy
    self.rowIDs = rowIDs
    self.origin = origin
  }
}
