// The objects of Stripe's API as the marketplace keeps them while its stories unfold; Rendering makes JSON of them.
// Instants are Unix seconds UTC, amounts minor units. `night` is the first night on which an object can be seen.

/// A payment intent.
final class IntentRecord {
  let id: String
  let created: Int64
  var amount: Int64
  var amountReceived: Int64 = 0
  var amountCapturable: Int64 = 0
  let currency: String
  var status = "requires_payment_method"
  var canceledAt: Int64?
  var latestCharge: String?
  var captureMethod = "automatic_async"
  var applicationFee: Int64?
  var destination: String?
  var transferAmount: Int64?
  var transferGroup: String?
  var orderID: String?
  var method = Method.card
  var shopper: Shopper
  var night: Int

  init(id: String, created: Int64, amount: Int64, currency: String, shopper: Shopper, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.shopper = shopper
    self.night = night
  }
}

/// A charge.
final class ChargeRecord {
  let id: String
  let created: Int64
  let amount: Int64
  let currency: String
  var amountCaptured: Int64 = 0
  var amountRefunded: Int64 = 0
  var isCaptured = false
  var status = "succeeded"
  var isDisputed = false
  var failureCode: String?
  var row: String?
  var failureRow: String?
  var intent: String
  var transfer: String?
  var fee: String?
  /// The destination stated on the charge, which a skipped transfer removes.
  var destination: String?
  var transferAmount: Int64?
  var applicationFee: Int64?
  var transferGroup: String?
  var orderID: String?
  var captureBefore: Int64?
  var method = Method.card
  var shopper: Shopper
  var night: Int

  init(id: String, created: Int64, amount: Int64, currency: String, intent: String, shopper: Shopper, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.intent = intent
    self.shopper = shopper
    self.night = night
  }
}

/// A balance transaction: one row of the ledger.
final class RowRecord {
  let id: String
  var created: Int64
  var availableOn: Int64
  let type: String
  let category: String
  let source: String?
  let currency: String
  var amount: Int64
  var fee: Int64
  var rate: String?
  var description: String?
  /// The fee's parts: type, amount, description.
  var parts: [(type: String, amount: Int64, description: String)]
  /// The payout that pays the row.
  var payout: String?
  /// Rows that no automatic payout takes: payouts themselves, and what a story keeps back.
  var isKeptBack = false
  var night: Int

  var net: Int64 { amount - fee }

  init(
    id: String, created: Int64, type: String, category: String, source: String?, currency: String, amount: Int64,
    fee: Int64,
    night: Int
  ) {
    self.id = id
    self.created = created
    self.type = type
    self.category = category
    self.source = source
    self.currency = currency
    self.amount = amount
    self.fee = fee
    self.night = night
    availableOn = (created / 86_400 + 2) * 86_400
    parts = fee == 0 ? [] : [("stripe_fee", fee, "Stripe processing fees")]
  }
}

/// A transfer to a connected account.
final class TransferRecord {
  let id: String
  let created: Int64
  let amount: Int64
  let currency: String
  let destination: String
  let source: String?
  var group: String?
  var orderID: String?
  var row = ""
  var reversals: [ReversalRecord] = []
  var night: Int

  var reversed: Int64 { reversals.reduce(0) { $0 + $1.amount } }

  init(id: String, created: Int64, amount: Int64, currency: String, destination: String, source: String?, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.destination = destination
    self.source = source
    self.night = night
  }
}

/// A reversal of a transfer, or a refund of an application fee: the two have one shape.
final class ReversalRecord {
  let id: String
  let parent: String
  let created: Int64
  let amount: Int64
  let currency: String
  let row: String
  /// The refund that asked for it; nil when it was made by hand, for a dispute or after a failure.
  let refund: String?
  var night: Int

  init(
    id: String, parent: String, created: Int64, amount: Int64, currency: String, row: String, refund: String?,
    night: Int
  ) {
    self.id = id
    self.parent = parent
    self.created = created
    self.amount = amount
    self.currency = currency
    self.row = row
    self.refund = refund
    self.night = night
  }
}

/// An application fee.
final class FeeRecord {
  let id: String
  let created: Int64
  let amount: Int64
  let currency: String
  let account: String
  let charge: String
  let connectedCharge: String
  let row: String
  var refunds: [ReversalRecord] = []
  var night: Int

  var refunded: Int64 { refunds.reduce(0) { $0 + $1.amount } }

  init(
    id: String, created: Int64, amount: Int64, currency: String, account: String, charge: String,
    connectedCharge: String,
    row: String, night: Int
  ) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.account = account
    self.charge = charge
    self.connectedCharge = connectedCharge
    self.row = row
    self.night = night
  }
}
