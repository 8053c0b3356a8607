import Payments

/// The inputs of matching from the store, as values: orders, payments and refunds with the identifiers they name.
///
/// Instants are Unix seconds UTC, amounts minor units of the currency beside them. Orders and payments are sorted by
/// their ids.
struct MatchInputs: Sendable {
  var texts: TextPool
  /// The empty text (the source name of all providers together), and the status of the orders' refunds.
  let empty: TextID
  let succeeded: TextID
  /// The instants of the snapshots: 0 opening, 1 closing. A fact counts if it is dated before the instant.
  var instants: [Int64] = []
  var orders: [MatchOrder] = []
  /// The identifiers that the newest version of each order names.
  var orderReferences: [OrderReference] = []
  /// Hashes with which an ordering front end started payments, each with the time of its first call.
  var initHashes: [TextID: Int64] = [:]
  /// The identifiers of payments that an order, a refund or the front end may name; others connect nothing and are left
  /// out.
  var references: [PaymentReference] = []
  var payments: [MatchPayment] = []
  /// The providers' refunds at each snapshot.
  var refunds: [[ProviderRefund]] = [[], []]
  var orderRefunds: [OrderRefundRecord] = []
  /// When a provider last refunded a payment, for refunds after the opening.
  var latestRefunds: [RecordKey: Int64] = [:]
  /// By provider.
  var policies: [TextID: MatchPolicy] = [:]
  /// Minor units by currency.
  var tolerances: [String: Int64] = [:]
  /// By provider; `""` for all of them together.
  var paymentCoverage: [TextID: SubjectCoverage] = [:]
  var refundCoverage: [TextID: SubjectCoverage] = [:]
  var orderCoverage: SubjectCoverage?
  /// Nil: refunds of orders are not compared.
  var orderRefundCoverage: SubjectCoverage?

  /// The longest delay of captures of all providers, for orders that name no provider.
  var longestCaptureDelay: Int64 = 86_400

  /// The positions of orders and payments, by their ids.
  var orderPlaces = Places()
  var paymentPlaces = Places()

  init() {
    var texts = TextPool()
    empty = texts.intern("")
    succeeded = texts.intern(RefundStatus.succeeded.rawValue)
    self.texts = texts
  }

  /// Whether its provider made a refund of a payment at an instant or later.
  func isRefunded(_ payment: MatchPayment, from instant: Int64) -> Bool {
    if latestRefunds.isEmpty { return false }
    return [payment.paymentID, payment.intentID].contains { recordID in
      guard let recordID else { return false }
      return latestRefunds[RecordKey(provider: payment.provider, recordID: recordID)].map { $0 >= instant } ?? false
    }
  }

  func tolerance(in currency: String?) -> Int64 { currency.flatMap { tolerances[$0] } ?? 0 }
}

/// An internal order, with the fields that matching needs.
struct MatchOrder: Sendable {
  var orderID: TextID
  var placedAt: Int64
  /// Nil: a status without a rule.
  var status: OrderStatus?
  var currency: String
  var tenderMinor: Int64
  /// The provider that the order expects to hold its payment.
  var provider: TextID?
  var landedFile: Int64
  /// When the newest version of a cancelled order was read; nil: it is not cancelled.
  var cancelReadAt: Int64?

  /// Whether it is neither pending nor cancelled, so that its tender is due.
  var isDue: Bool { status != .pending && status != .cancelled }
  /// Whether the goods are paid for according to the order system.
  var isServed: Bool { status == .paid || status == .fulfilled }
}

/// An identifier of a payment that an order names.
struct OrderReference: Sendable {
  /// The position of the order.
  var order: Int32
  var value: TextID
}

/// An identifier of a payment.
struct PaymentReference: Sendable {
  var flowKey: TextID
  var value: TextID
  /// Its position among the configured `order_reference` fields, from 1; nil: not one of them.
  var rank: Int64?
}

/// One customer payment at a provider at both snapshots; nil where it did not exist yet.
struct MatchPayment: Sendable {
  var flowKey: TextID
  var provider: TextID
  var paymentID: TextID
  var intentID: TextID?
  var opening: PaymentSnapshot?
  var closing: PaymentSnapshot?

  /// The snapshot at the opening (0) or the closing (1).
  subscript(_ moment: Int64) -> PaymentSnapshot? {
    get { moment == 0 ? opening : closing }
    set { if moment == 0 { opening = newValue } else { closing = newValue } }
  }
}

/// A payment at one snapshot; amounts in the currency that the customer saw.
struct PaymentSnapshot: Sendable {
  /// The progress of a payment without a capture.
  enum Progress: Sendable { case started, authorised, other }

  var account: TextID
  var currency: String
  var progress: Progress
  var isCaptured: Bool
  var capturedAt: Int64?
  var capturedMinor: Int64
  var refundedMinor: Int64
  /// Taken by disputes less given back; 0 where that is in another currency.
  var disputedMinor: Int64 = 0
  var failedMinor: Int64
  var failedAt: Int64?
  /// Captured since the provider's coverage began.
  var isCovered: Bool
  /// The amount authorised beyond what was captured, and still capturable.
  var openMinor: Int64
  /// When the authorised but uncaptured amount lapsed or was released.
  var releasedAt: Int64?

  /// Whether it is captured or may still be.
  var isActive: Bool { isCaptured || progress != .other }
}

/// A provider's refund at one snapshot.
struct ProviderRefund: Sendable {
  var refundID: TextID
  var flowKey: TextID
  var provider: TextID
  /// The status as in `refund_at`.
  var status: TextID
  var standing: RefundClaim
  var currency: String
  var amountMinor: Int64
  var createdAt: Int64
}

/// A refund as the order system records it.
struct OrderRefundRecord: Sendable {
  var refundID: TextID
  /// The position of the order.
  var order: Int32
  var refundedAt: Int64
  var currency: String
  var amountMinor: Int64
  /// The provider's refund or payment that it names.
  var reference: TextID?
}

/// A record of a provider by its id.
struct RecordKey: Hashable, Sendable {
  var provider: TextID
  var recordID: TextID
}

/// The part of a provider's policy that matching needs, in seconds.
struct MatchPolicy: Sendable {
  /// The time after an order is placed within which its capture must be visible.
  var captureCompleteWithin: Int64
  var approvalWithin: Int64
}

/// How far a source is complete (docs/contract.md section 5.2).
struct SubjectCoverage: Sendable {
  var coversFrom: Int64
  var completeTo: Int64
  /// Whether there is such a source at all.
  var isAsked: Bool
  /// Whether the run could read it, as far as it reaches.
  var isRead = true
}
