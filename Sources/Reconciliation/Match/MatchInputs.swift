import Payments

/// What matching needs of the store, as values: orders, payments and refunds with the identifiers they name.
///
/// Instants are Unix seconds UTC, amounts minor units of the currency beside them. Orders and payments are sorted by
/// their ids.
struct MatchInputs: Sendable {
  var texts: TextPool
  /// The empty text (the source name of all providers together), and the status of the orders' refunds.
  let empty: TextID
  let succeeded: TextID
  /// The instants of the snapshots: 0 opening, 1 closing. A fact counts where its instant is before.
  var instants: [Int64] = []
  var orders: [MatchOrder] = []
  /// The identifiers that the newest version of each order names.
  var orderReferences: [OrderReference] = []
  /// Hashes by which an ordering front end started payments, with its first call.
  var initHashes: [TextID: Int64] = [:]
  /// The identifiers of payments that an order, a refund or the front end may name; others connect nothing and are left
  /// out.
  var references: [PaymentReference] = []
  var payments: [MatchPayment] = []
  /// The providers' refunds at each snapshot.
  var refunds: [[ProviderRefund]] = [[], []]
  var orderRefunds: [OrderRefundRecord] = []
  /// When a provider refunded a payment last, of refunds after the opening.
  var latestRefunds: [RecordKey: Int64] = [:]
  /// By provider.
  var policies: [TextID: MatchPolicy] = [:]
  /// Minor units by currency.
  var tolerances: [String: Int64] = [:]
  /// By provider; `""` for all of them together.
  var paymentCoverage: [TextID: SubjectCoverage] = [:]
  var orderCoverage: SubjectCoverage?
  /// Nil: refunds of orders are not compared.
  var orderRefundCoverage: SubjectCoverage?

  /// How far captures lag behind orders at a provider that an order does not name: the longest of all.
  var longestCaptureDelay: Int64 = 86_400

  /// Where orders and payments are, by their ids.
  var orderPlaces = Places()
  var paymentPlaces = Places()

  init() {
    var texts = TextPool()
    empty = texts.intern("")
    succeeded = texts.intern(RefundStatus.succeeded.rawValue)
    self.texts = texts
  }

  func tolerance(in currency: String?) -> Int64 { currency.flatMap { tolerances[$0] } ?? 0 }
}

/// An internal order, as far as matching looks at it.
struct MatchOrder: Sendable {
  var orderID: TextID
  var placedAt: Int64
  /// Nil: a status that there is no rule for.
  var status: OrderStatus?
  var currency: String
  var tenderMinor: Int64
  /// The provider that the order expects to hold its payment.
  var provider: TextID?
  var landedFile: Int64

  /// Neither pending nor cancelled: its tender is due.
  var isDue: Bool { status != .pending && status != .cancelled }
  /// The goods are paid for as far as the order system says.
  var isServed: Bool { status == .paid || status == .fulfilled }
}

/// An identifier of a payment that an order names.
struct OrderReference: Sendable {
  /// The place of the order.
  var order: Int32
  var value: TextID
}

/// An identifier of a payment.
struct PaymentReference: Sendable {
  var flowKey: TextID
  var value: TextID
  /// Its place among the configured `order_reference` fields, 1 first; nil: none of them.
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

  /// The snapshot of the opening snapshot (moment 0) (opening) or 1 (closing).
  subscript(_ moment: Int64) -> PaymentSnapshot? {
    get { moment == 0 ? opening : closing }
    set { if moment == 0 { opening = newValue } else { closing = newValue } }
  }
}

/// A payment at one snapshot; amounts in the currency that the customer saw.
struct PaymentSnapshot: Sendable {
  /// How far a payment without a capture has come.
  enum Progress: Sendable { case started, authorised, other }

  var account: TextID
  var currency: String
  var progress: Progress
  var isCaptured: Bool
  var capturedAt: Int64?
  var capturedMinor: Int64
  var refundedMinor: Int64
  var failedMinor: Int64
  var failedAt: Int64?
  /// Captured since the provider's coverage began.
  var isCovered: Bool
  /// Authorised beyond what was captured, and can still be.
  var openMinor: Int64
  /// When what was authorised and not captured lapsed or was released.
  var releasedAt: Int64?

  /// It holds money, or may still.
  var isActive: Bool { isCaptured || progress != .other }
}

/// A refund as its provider has it at one snapshot.
struct ProviderRefund: Sendable {
  var refundID: TextID
  var flowKey: TextID
  var provider: TextID
  /// As `refund_at` words it.
  var status: TextID
  var standing: RefundClaim
  var currency: String
  var amountMinor: Int64
  var createdAt: Int64
}

/// A refund as the order system records it.
struct OrderRefundRecord: Sendable {
  var refundID: TextID
  /// The place of the order.
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

/// What matching needs of a provider's policy, in seconds.
struct MatchPolicy: Sendable {
  /// After an order is placed its capture is to be seen within this.
  var captureCompleteWithin: Int64
  var approvalWithin: Int64
}

/// How far a source is complete (docs/contract.md section 5.2).
struct SubjectCoverage: Sendable {
  var coversFrom: Int64
  var completeTo: Int64
  /// Whether there is such a source at all.
  var isAsked: Bool
}
