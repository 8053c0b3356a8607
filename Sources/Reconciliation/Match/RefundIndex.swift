/// Refunds by the payment or order that they belong to, and by the identifiers that name them.
struct RefundIndex: Sendable {
  private let byOrder: Buckets
  private let byPayment: [Buckets]
  private let byRefundID: [Buckets]
  /// Payments by the identifiers that the orders' refunds name.
  private let payments: [TextID: [Int32]]

  init(_ inputs: MatchInputs, aliases: [PaymentReference]) {
    byOrder = Buckets(keys: inputs.orderRefunds.map(\.order), count: inputs.orders.count)
    byPayment = inputs.refunds.map { refunds in
      Buckets(keys: refunds.map { inputs.paymentPlaces[$0.flowKey] ?? -1 }, count: inputs.payments.count)
    }
    byRefundID = inputs.refunds.map { Buckets(keys: $0.map(\.refundID.index), count: inputs.texts.count) }
    let named = Set(inputs.orderRefunds.compactMap(\.reference))
    var payments: [TextID: [Int32]] = [:]
    for reference in inputs.references + aliases where named.contains(reference.value) {
      if let place = inputs.paymentPlaces[reference.flowKey] { payments[reference.value, default: []].append(place) }
    }
    self.payments = payments
  }

  /// Positions of the refunds that the order system records for an order.
  func recorded(of order: Int32) -> ArraySlice<Int32> { byOrder[order] }

  /// Positions of the provider's refunds of a payment at a snapshot.
  func refunds(of payment: Int32, at moment: Int64) -> ArraySlice<Int32> { byPayment[Int(moment)][payment] }

  /// Positions of the providers' refunds with an id at a snapshot.
  func refunds(named refundID: TextID, at moment: Int64) -> ArraySlice<Int32> {
    byRefundID[Int(moment)][refundID.index]
  }

  /// Positions of the payments that have an identifier which a refund of the orders names.
  func payments(knownBy reference: TextID) -> [Int32] { payments[reference] ?? [] }
}
