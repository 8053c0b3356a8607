import Payments

/// What the money rows of a payment add up to by an instant, in presentment and settlement currencies.
struct PaymentMoney {
  var capturedAt: Int64?
  var failedAt: Int64?
  /// Presentment: captured, taken back, refunded.
  var charged = CheckedSum()
  var failed = CheckedSum()
  var refunded = CheckedSum()
  var settlementCurrency: Text?
  var settlementCaptured = CheckedSum()
  var disputed = CheckedSum()
  var transfers: Int64 = 0
  var transferCurrencies = Currencies()
  var transferred = CheckedSum()
  var reversed = CheckedSum()
  var connectedAccount: Text?
  var commissionCurrencies = Currencies()
  var commissionReturned = CheckedSum()
  /// Whether more than fees was booked: a provider charges for an authorisation too.
  var isMoved = false

  /// The distinct currencies of some amounts, as far as needed.
  struct Currencies {
    private(set) var first: Text?
    private var last: Text?

    /// The only one; nil where there are none or several.
    var only: Text? { first == last ? first : nil }

    mutating func add(_ currency: Text) {
      first = Known.min(first, currency)
      last = Known.max(last, currency)
    }
  }

  /// Nil where no entry was booked by then.
  ///
  /// - Throws: `MoneyError.overflow`.
  init?(_ entries: [Entry], before instant: Int64) throws(MoneyError) {
    var isEmpty = true
    for entry in entries where entry.bookedAt < instant {
      isEmpty = false
      try add(entry)
    }
    if isEmpty { return nil }
  }

  private mutating func add(_ entry: Entry) throws(MoneyError) {
    if entry.kind != .fee { isMoved = true }
    switch entry.kind {
    case .capture, .chargeFailure: try addCapture(entry)
    case .refund, .refundFailure: try refunded.add(entry.presentmentMinor ?? 0, if: entry.from == .platform)
    case .dispute, .disputeReversal: try disputed.add(entry.amountMinor, if: entry.from == .platform)
    case .transfer, .transferReversal: try addTransfer(entry)
    case .applicationFee: commissionCurrencies.add(entry.currency)
    case .applicationFeeRefund:
      commissionCurrencies.add(entry.currency)
      try commissionReturned.add(entry.amountMinor)
    default: break
    }
  }

  private mutating func addCapture(_ entry: Entry) throws(MoneyError) {
    let presentment = entry.presentmentMinor ?? 0
    try settlementCaptured.add(entry.amountMinor, if: entry.to == .platform)
    if entry.kind == .capture {
      try charged.add(presentment, if: entry.to == .platform)
      settlementCurrency = Known.min(settlementCurrency, entry.currency)
      if entry.to == .platform { capturedAt = Known.min(capturedAt, entry.bookedAt) }
    } else {
      try failed.add(presentment, if: entry.from == .platform)
      failedAt = Known.min(failedAt, entry.bookedAt)
    }
  }

  private mutating func addTransfer(_ entry: Entry) throws(MoneyError) {
    transferCurrencies.add(entry.currency)
    if entry.kind == .transferReversal { return try reversed.add(entry.amountMinor) }
    transfers += 1
    try transferred.add(entry.amountMinor)
    connectedAccount = Known.min(connectedAccount, entry.connectedAccount)
  }
}
