/// Sums and facts of one group at one snapshot: all that its verdict rests on.
///
/// Amounts are minor units of the currency that customers saw; instants Unix seconds UTC. `captured` includes payments
/// that failed later.
struct GroupFacts: Sendable, Equatable {
  /// The snapshot's instant.
  var instant: Int64 = 0

  /// Orders placed by then, and how many of them are due (neither pending nor cancelled), cancelled, and served (paid
  /// or fulfilled).
  var orders = 0
  var due = 0
  var cancelled = 0
  var served = 0
  /// Nil: none or several.
  var orderCurrency: String?
  /// The tenders of the orders that are due, and of all of them.
  var dueMinor: Int64 = 0
  var tenderMinor: Int64 = 0
  /// The tenders of those that are pending.
  var pendingMinor: Int64 = 0
  /// When the last of them was placed; 0 without one.
  var placedAt: Int64 = 0
  /// When the last capture of the due orders must be visible; nil where none is due.
  var dueAt: Int64?
  /// Whether a capture of every due order would have been read.
  var isCaptureReadable = false
  /// The number of due orders, if there are several, each of which alone equals what was captured.
  var fullOrders = 0

  /// Payments captured by then (failed ones too), and payments with an authorisation that can still be captured.
  var payments = 0
  var authorised = 0
  /// Payments of which something failed.
  var failed = 0
  /// Nil: none or several.
  var paymentCurrency: String?
  var capturedMinor: Int64 = 0
  var refundedMinor: Int64 = 0
  /// What disputes took, less what they gave back; 0 where that is in another currency.
  var disputedMinor: Int64 = 0
  /// Where its captures are in several currencies, so that the sums above mean nothing: whether more than the tolerance
  /// of one of them is neither refunded nor disputed. Nil: they have one currency.
  var isAnyCurrencyHeld: Bool?
  /// The last capture; 0 without one.
  var capturedAt: Int64 = 0
  var failedAt: Int64?
  /// Whether every capture is within the provider's coverage.
  var isCovered = false
  /// When the last authorisation lapsed or was released; 0 without one.
  var releasedAt: Int64 = 0
  /// How far the provider's payments are read, if an authorisation without a capture lapsed within its coverage, so
  /// that nothing of that payment is unknown; nil: none did.
  var lapseReadUntil: Int64?
  /// The number of captures, if there are several payments, each of which alone equals the tender.
  var fullPayments = 0
  /// The time span for which the payments of all its providers are read.
  var paymentsFrom: Int64 = 0
  var paymentsUntil: Int64 = 0
  /// Whether the orders were placed within the coverage of every provider that may hold the rest of their tender, and
  /// how far the payments of these are read; never where that is a provider that is not configured.
  var isRestCovered = true
  var restReadUntil = Int64.max
  /// How far the refunds of all its providers are read.
  var refundsReadUntil = Int64.max
  /// Whether the run could read the refunds of all its providers, as far as they reach.
  var areRefundsRead = true
  /// When the last of its cancellations was read: the status itself has no date. 0 without one.
  var cancelReadAt: Int64 = 0
  /// Whether a payment was refunded after the snapshot, so that an undated cancellation may be later, too.
  var isRefundedLater = false

  /// Whether an order of the last capture would have been read, and how far orders are read.
  var areOrdersReadable = false
  var ordersUntil: Int64 = 0

  /// Whether one init hash is on several due orders.
  var isHashOnSeveralOrders = false
  /// Whether a payment of the group, which has no order, has an init hash.
  var hasInitHash = false
  /// When the order with that hash should have been visible.
  var initDueAt: Int64?

  /// The amount by which sums may differ and still be equal.
  var toleranceMinor: Int64 = 0

  /// Whether both sides have a currency, and it is the same.
  var isOneCurrency: Bool { orderCurrency != nil && orderCurrency == paymentCurrency }
  /// The later of order and capture: the two cannot be compared before.
  var bothAt: Int64 { max(placedAt, capturedAt) }
}

/// An amount that needs more than 64 bits: the group is left out, with the reason.
struct AmountOverflow: Error, CustomStringConvertible, Equatable {
  var description: String

  init(_ sum: String) { description = "\(sum) exceeds 64 bits of minor units" }
}

extension Int64 {
  /// - Throws: `AmountOverflow` naming the sum.
  func adding(_ other: Int64, _ sum: @autoclosure () -> String) throws(AmountOverflow) -> Int64 {
    let (result, overflow) = addingReportingOverflow(other)
    if overflow { throw AmountOverflow(sum()) }
    return result
  }

  /// - Throws: `AmountOverflow` naming the difference.
  func subtracting(_ other: Int64, _ difference: @autoclosure () -> String) throws(AmountOverflow) -> Int64 {
    let (result, overflow) = subtractingReportingOverflow(other)
    if overflow { throw AmountOverflow(difference()) }
    return result
  }
}
