import Payments

/// The inputs that a payment's state is folded from.
struct PaymentFacts {
  var payment: PaymentRecord
  var intent: IntentRecord?
  var entries: [Entry] = []
  /// Captures of a folded payment.
  var captures: [Capture] = []
  var commissions: [CommissionFact] = []
  /// The first refund that only released the authorisation.
  var voidedAt: Int64?
  /// Transfers for it, booked or not.
  var linkedTransfers = 0
  var coverage = RecordCoverage()
}

/// A commission object, and when it counts from.
struct CommissionFact {
  var countsFrom: Int64
  var currency: Text
  var amountMinor: Int64
}

/// A payment at an instant: what was captured, refunded and failed in the currency the customer saw, what was
/// requested, and what was moved.
struct PaymentState {
  var status: Status
  var isCaptured = false
  var capturedAt: Int64?
  var failedAt: Int64?
  /// The captured total less partial-capture reversals and failures.
  var capturedMinor: Int64 = 0
  var refundedMinor: Int64 = 0
  var failedMinor: Int64 = 0
  /// The captured total before failures are deducted.
  var chargedMinor: Int64 = 0
  var settlementCurrency: Text?
  var settlementCapturedMinor: Int64 = 0
  var chargeType: ChargeType
  var destination: Text?
  var askedTransferMinor: Int64?
  var askedFeeMinor: Int64?
  var connectedAccount: Text?
  var transfers: Int64 = 0
  /// Nil: none or several.
  var transferCurrency: Text?
  var transferredMinor: Int64 = 0
  var reversedMinor: Int64 = 0
  var commissions: Int64 = 0
  var commissionCurrency: Text?
  var collectedMinor: Int64 = 0
  var returnedMinor: Int64 = 0
  var disputedMinor: Int64 = 0
  /// Captured since the coverage began, so that missing records may be claimed.
  var isCovered = false
  /// Authorised beyond what was captured, and still capturable.
  var openMinor: Int64 = 0
  /// When the authorised but uncaptured amount was released or lapsed.
  var releasedAt: Int64?

  enum Status: String {
    case captured, refunded, disputed, failed, authorised, started, canceled
    case partiallyRefunded = "partially_refunded"
  }

  enum ChargeType: String {
    case platform, separate, direct
    case destinationFull = "destination_full"
    case destinationTransferAmount = "destination_transfer_amount"
    case destinationApplicationFee = "destination_application_fee"
  }
}
