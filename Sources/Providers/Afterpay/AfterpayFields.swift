import JSON

/// What is kept of each object of Afterpay's API before it is landed; everything else is dropped and counted in the
/// manifest.
///
/// `orderDetails` contains the customer's name, addresses and goods: none of it is kept. Field names and meanings:
/// docs/providers/afterpay.md section 2.
enum AfterpayFields {
  private static let money: FieldSet = ["amount", "currency"]

  /// The payment: ids for matching, the events and refunds that move money, and the totals that must agree with them.
  static let payment: FieldSet = [
    "id": .all, "token": .all, "status": .all, "created": .all, "paymentState": .all, "merchantReference": .all,
    "originalAmount": money, "openToCaptureAmount": money,
    "events": ["id": .all, "created": .all, "expires": .all, "type": .all, "amount": money],
    "refunds": [
      "id": .all, "refundId": .all, "refundedAt": .all, "amount": money, "merchantReference": .all,
      "refundMerchantReference": .all,
    ],
  ]

  /// The dispute: its subject, its state, the deadline for an answer.
  static let dispute: FieldSet = [
    "id", "order", "merchantOrderId", "amount", "reason", "status", "open", "responseDueBy", "createdAt", "updatedAt",
    "closingReason",
  ]
}
