import Payments

@testable import Reconciliation

/// Builds the inputs of matching from a few words; the opening is at 1000, the closing at 2000.
struct MatchInputsBuilder {
  private(set) var inputs = MatchInputs()
  private var values: [(flowKey: TextID, value: TextID, rank: Int64?)] = []
  private var named: [(order: TextID, value: TextID)] = []
  private var refunded: [(order: TextID, amount: Int64, reference: TextID?)] = []

  init() {
    inputs.instants = [1000, 2000]
    inputs.tolerances = ["EUR": 0]
    inputs.policies[inputs.texts.intern("bank")] = MatchPolicy(captureCompleteWithin: 100, approvalWithin: 100)
    let coverage = SubjectCoverage(coversFrom: 0, completeTo: 5000, isAsked: true)
    (inputs.orderCoverage, inputs.orderRefundCoverage) = (coverage, coverage)
    read(from: 0)
  }

  /// From when payments are read.
  mutating func read(from coversFrom: Int64) {
    let coverage = SubjectCoverage(coversFrom: coversFrom, completeTo: 5000, isAsked: true)
    for provider in ["", "bank"] { inputs.paymentCoverage[inputs.texts.intern(provider)] = coverage }
  }

  /// An order and the identifiers of payments that it names.
  mutating func order(
    _ id: String, _ tender: Int64 = 1000, status: OrderStatus = .paid, at placedAt: Int64 = 500,
    naming values: [String] = []
  ) {
    let orderID = inputs.texts.intern(id)
    inputs.orders.append(
      MatchOrder(
        orderID: orderID, placedAt: placedAt, status: status, currency: "EUR", tenderMinor: tender, provider: nil,
        landedFile: 1))
    for value in values { named.append((orderID, inputs.texts.intern(value))) }
  }

  /// A payment, captured at an instant (nil: authorised only), and its identifiers with their places among the order
  /// references.
  mutating func payment(
    _ id: String, _ captured: Int64 = 1000, at capturedAt: Int64? = 600, references: [String: Int64?] = [:]
  ) {
    let flowKey = inputs.texts.intern("bank:\(id)")
    let snapshot = PaymentSnapshot(
      account: inputs.texts.intern("A"), currency: "EUR", progress: capturedAt == nil ? .authorised : .other,
      isCaptured: capturedAt != nil,
      capturedAt: capturedAt, capturedMinor: capturedAt == nil ? 0 : captured, refundedMinor: 0, failedMinor: 0,
      isCovered: true, openMinor: 0)
    inputs.payments.append(
      MatchPayment(
        flowKey: flowKey, provider: inputs.texts.intern("bank"), paymentID: inputs.texts.intern(id),
        opening: (capturedAt ?? 0) < 1000 ? snapshot : nil, closing: snapshot))
    for (value, rank) in references.sorted(by: { $0.key < $1.key }) {
      values.append((flowKey, inputs.texts.intern(value), rank))
    }
  }

  /// A hash by which the ordering front end started a payment.
  mutating func started(_ hash: String, at instant: Int64 = 400) {
    inputs.initHashes[inputs.texts.intern(hash)] = instant
  }

  /// A provider's refund at both snapshots.
  mutating func refund(_ id: String, of payment: String, _ amount: Int64) {
    for moment in 0...1 {
      inputs.refunds[moment].append(
        ProviderRefund(
          refundID: inputs.texts.intern(id), flowKey: inputs.texts.intern("bank:\(payment)"),
          provider: inputs.texts.intern("bank"),
          status: inputs.succeeded, standing: .succeeded, currency: "EUR", amountMinor: amount, createdAt: 700))
    }
  }

  /// A refund that the order system records.
  mutating func orderRefund(of order: String, _ amount: Int64, naming reference: String? = nil) {
    let orderID = inputs.texts.intern(order)
    var named: TextID?
    if let reference { named = inputs.texts.intern(reference) }
    refunded.append((orderID, amount, named))
  }

  /// The inputs, sorted as the reader sorts them.
  func made() -> MatchInputs {
    var made = inputs
    let texts = made.texts
    made.orders.sort { texts.precedes($0.orderID, $1.orderID) }
    made.payments.sort { texts.precedes($0.flowKey, $1.flowKey) }
    made.orderPlaces = Places(of: made.orders.map(\.orderID))
    made.paymentPlaces = Places(of: made.payments.map(\.flowKey))
    made.orderReferences = named.compactMap { name in
      made.orderPlaces[name.order].map { OrderReference(order: $0, value: name.value) }
    }
    made.references = values.map { PaymentReference(flowKey: $0.flowKey, value: $0.value, rank: $0.rank) }
    for (number, refund) in refunded.enumerated() {
      guard let order = made.orderPlaces[refund.order] else { continue }
      made.orderRefunds.append(
        OrderRefundRecord(
          refundID: made.texts.intern("R\(number)"), order: order, refundedAt: 700, currency: "EUR",
          amountMinor: refund.amount,
          reference: refund.reference))
    }
    return made
  }

  /// What the rules find: `payment order rule rank`, sorted.
  func links() -> [String] {
    let inputs = made()
    return MatchLink.all(inputs, aliases: InitHashes(inputs).aliases).map { link in
      let order = inputs.texts.string(inputs.orders[Int(link.claim.order)].orderID)
      return "\(inputs.texts.string(link.flowKey).dropFirst("bank:".count)) \(order) \(link.rule) \(link.claim.rank)"
    }.sorted()
  }
}
