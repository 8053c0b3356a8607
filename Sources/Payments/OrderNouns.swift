// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// One internal order as its source last delivered it (docs/contract.md section 3).
package struct Order: Hashable, Sendable {
  package var orderID: String
  package var source: String
  package var placedAt: Int64
  package var status: OrderStatus
  package var currency: String
  package var totalMinor: Int64
  package var tenderMinor: Int64
  package var provider: String?
  package var sellerAccount: String?
  package var applicationFeeMinor: Int64?
  package var paymentReferences: [String]
  package var origin: Origin
  /// The source's own status, where there is no rule for it.
  package var statusWord: String?

  package init(
    orderID: String, source: String, placedAt: Int64, status: OrderStatus, currency: String, totalMinor: Int64,
    tenderMinor: Int64, provider: String? = nil, sellerAccount: String? = nil, applicationFeeMinor: Int64? = nil,
    paymentReferences: [String], origin: Origin, statusWord: String? = nil
  ) {
    self.orderID = orderID
    self.source = source
    self.placedAt = placedAt
    self.status = status
    self.currency = currency
    self.totalMinor = totalMinor
    self.tenderMinor = tenderMinor
    self.provider = provider
    self.sellerAccount = sellerAccount
    self.applicationFeeMinor = applicationFeeMinor
    self.paymentReferences = paymentReferences
    self.origin = origin
    self.statusWord = statusWord
  }
}

/// A refund as the order system records it.
package struct OrderRefund: Hashable, Sendable {
  package var refundID: String
  package var source: String
  package var orderID: String
  package var refundedAt: Int64
  package var currency: String
  package var amountMinor: Int64
  package var paymentReference: String?
  package var origin: Origin

  package init(
    refundID: String, source: String, orderID: String, refundedAt: Int64, currency: String, amountMinor: Int64,
    paymentReference: String? = nil, origin: Origin
  ) {
    self.refundID = refundID
    self.source = source
    self.orderID = orderID
    self.refundedAt = refundedAt
    self.currency = currency
    self.amountMinor = amountMinor
    self.paymentReference = paymentReference
    self.origin = origin
  }
}

/// One call by which an ordering front end starts or continues a payment: all calls with the same hash together are a
/// payment init.
package struct PaymentInitCall: Hashable, Sendable {
  package var source: String
  package var initHash: String
  package var call: String
  package var at: Int64
  package var currency: String
  package var amountMinor: Int64?
  package var asksApproval: Bool
  package var origin: Origin

  package init(
    source: String, initHash: String, call: String, at: Int64, currency: String, amountMinor: Int64? = nil,
    asksApproval: Bool,
    origin: Origin
  ) {
    self.source = source
    self.initHash = initHash
    self.call = call
    self.at = at
    self.currency = currency
    self.amountMinor = amountMinor
    self.asksApproval = asksApproval
    self.origin = origin
  }
}
