import Payments

/// What every party of a payment has received by an instant, in one settlement currency.
struct FundFlow: Sendable {
  var currency: Text
  var account: Text = ""
  var gross = CheckedSum()
  var refunded = CheckedSum()
  var disputed = CheckedSum()
  var transferred = CheckedSum()
  var transferReversed = CheckedSum()
  var commission = CheckedSum()
  var commissionReturned = CheckedSum()
  /// The net of each party; the nets of all parties sum to zero.
  var platform = CheckedSum()
  var connected = CheckedSum()
  var customer = CheckedSum()
  /// What the provider charged.
  var provider = CheckedSum()
  var other = CheckedSum()
  /// Whether one of its entries was booked since the opening.
  var isInRange = false
  /// Whether the capture settled in this currency.
  var hasCapture = false

  /// The flows of a payment's entries that were booked before an instant, in the order of their currencies.
  ///
  /// - Throws: `MoneyError.overflow`.
  static func flows(_ entries: [Entry], before instant: Int64, opening: Int64) throws(MoneyError) -> [FundFlow] {
    var flows: [FundFlow] = []
    for entry in entries where entry.bookedAt < instant {
      let place = flows.firstIndex { $0.currency == entry.currency } ?? flows.count
      if place == flows.count { flows.append(FundFlow(currency: entry.currency)) }
      try flows[place].add(entry, opening)
    }
    for place in flows.indices { flows[place].leaveOutReturnsOfUnread() }
    return flows.count < 2 ? flows : flows.sorted { $0.currency < $1.currency }
  }

  /// What came back of a capture, refund or dispute that lies before coverage is none of the flow's own; the nets
  /// contain it.
  private mutating func leaveOutReturnsOfUnread() {
    if gross.minor < 0 { gross = CheckedSum() }
    if refunded.minor < 0 { refunded = CheckedSum() }
    if disputed.minor < 0 { disputed = CheckedSum() }
  }

  private mutating func add(_ entry: Entry, _ opening: Int64) throws(MoneyError) {
    account = max(account, entry.account)
    isInRange = isInRange || entry.bookedAt >= opening
    try addKind(entry)
    try addParties(entry)
  }

  private mutating func addKind(_ entry: Entry) throws(MoneyError) {
    let amount = entry.amountMinor
    switch entry.kind {
    case .capture, .chargeFailure:
      hasCapture = hasCapture || entry.kind == .capture
      try gross.add(amount, if: entry.to == .platform)
    case .refund, .refundFailure: try refunded.add(amount, if: entry.from == .platform)
    case .dispute, .disputeReversal: try disputed.add(amount, if: entry.from == .platform)
    case .transfer: try transferred.add(amount)
    case .transferReversal: try transferReversed.add(amount)
    case .applicationFee: try commission.add(amount)
    case .applicationFeeRefund: try commissionReturned.add(amount)
    default: break
    }
  }

  private mutating func addParties(_ entry: Entry) throws(MoneyError) {
    let amount = entry.amountMinor
    if entry.to == .platform || entry.from == .platform { try platform.add(amount, if: entry.to == .platform) }
    if entry.connectedAccount != nil { try connected.add(amount, if: entry.from == .platform) }
    if entry.to == .customer || entry.from == .customer { try customer.add(amount, if: entry.to == .customer) }
    if entry.to == .provider || entry.from == .provider { try provider.add(amount, if: entry.to == .provider) }
    let isOtherTo = entry.to == .other || entry.to == .bank
    if isOtherTo || entry.from == .other || entry.from == .bank { try other.add(amount, if: isOtherTo) }
  }
}
