// Nouns of the flow; their fields are the columns of sql/schema, whose comments say what each one means.
// Amounts are minor units by ISO 4217, instants Unix seconds UTC, currencies upper-case codes.

/// Money from the platform to a connected account.
package struct Transfer: Hashable, Sendable {
  package var provider: String
  package var transferID: String
  package var paymentID: String?
  package var connectedAccount: String?
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var rowID: String?
  package var transferGroup: String?
  package var orderReference: String?
  package var origin: Origin

  package init(
    provider: String, transferID: String, paymentID: String? = nil, connectedAccount: String? = nil, currency: String,
    amountMinor: Int64, createdAt: Int64, rowID: String? = nil, transferGroup: String? = nil,
    orderReference: String? = nil,
    origin: Origin
  ) {
    self.provider = provider
    self.transferID = transferID
    self.paymentID = paymentID
    self.connectedAccount = connectedAccount
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.rowID = rowID
    self.transferGroup = transferGroup
    self.orderReference = orderReference
    self.origin = origin
  }
}

/// Money pulled back from a connected account.
package struct TransferReversal: Hashable, Sendable {
  package var provider: String
  package var reversalID: String
  package var transferID: String
  package var refundID: String?
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var rowID: String?
  package var origin: Origin

  package init(
    provider: String, reversalID: String, transferID: String, refundID: String? = nil, currency: String,
    amountMinor: Int64,
    createdAt: Int64, rowID: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.reversalID = reversalID
    self.transferID = transferID
    self.refundID = refundID
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.rowID = rowID
    self.origin = origin
  }
}

/// The platform's commission, taken from a connected account by a fee object.
package struct ApplicationFee: Hashable, Sendable {
  package var provider: String
  package var feeID: String
  package var paymentID: String?
  package var connectedAccount: String?
  package var isDirect: Bool
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var rowID: String?
  package var origin: Origin

  package init(
    provider: String, feeID: String, paymentID: String? = nil, connectedAccount: String? = nil, isDirect: Bool,
    currency: String, amountMinor: Int64, createdAt: Int64, rowID: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.feeID = feeID
    self.paymentID = paymentID
    self.connectedAccount = connectedAccount
    self.isDirect = isDirect
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.rowID = rowID
    self.origin = origin
  }
}

/// Commission given back to a connected account.
package struct ApplicationFeeRefund: Hashable, Sendable {
  package var provider: String
  package var feeRefundID: String
  package var feeID: String
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var rowID: String?
  package var origin: Origin

  package init(
    provider: String, feeRefundID: String, feeID: String, currency: String, amountMinor: Int64, createdAt: Int64,
    rowID: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.feeRefundID = feeRefundID
    self.feeID = feeID
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.rowID = rowID
    self.origin = origin
  }
}

/// Money from the provider to the platform's bank; negative when the provider debits the bank.
package struct Payout: Hashable, Sendable {
  package var provider: String
  package var payoutID: String
  package var account: String
  package var currency: String
  package var amountMinor: Int64
  package var createdAt: Int64
  package var arrivalOn: String?
  package var status: String
  package var isItemised: Bool
  package var rowID: String?
  package var failureRowID: String?
  package var failureCode: String?
  package var bankReference: String?
  package var origin: Origin

  package init(
    provider: String, payoutID: String, account: String, currency: String, amountMinor: Int64, createdAt: Int64,
    arrivalOn: String? = nil, status: String, isItemised: Bool, rowID: String? = nil, failureRowID: String? = nil,
    failureCode: String? = nil, bankReference: String? = nil, origin: Origin
  ) {
    self.provider = provider
    self.payoutID = payoutID
    self.account = account
    self.currency = currency
    self.amountMinor = amountMinor
    self.createdAt = createdAt
    self.arrivalOn = arrivalOn
    self.status = status
    self.isItemised = isItemised
    self.rowID = rowID
    self.failureRowID = failureRowID
    self.failureCode = failureCode
    self.bankReference = bankReference
    self.origin = origin
  }
}
