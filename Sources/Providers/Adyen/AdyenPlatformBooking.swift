import Payments

/// What a booking on a balance account is: which movements it makes, seen from the platform
/// (docs/fund-flows.md section 3, docs/providers/adyen.md section 2.7).
///
/// The direction comes from the sign of the amount, never from the type.
struct AdyenPlatformBooking {
  /// One movement of money.
  struct Movement {
    var kind: EntryKind
    var from: Role
    var to: Role
    var amountMinor: Int64
    var feeType: FeeType?
    var description: String?
  }
  /// One row of our ledger: its movements add up to its net.
  struct Part {
    /// Appended to the Transaction Id; empty for the row itself.
    var suffix = ""
    var netMinor: Int64 = 0
    var feeMinor: Int64 = 0
    /// The sum of the report's own columns.
    var feeSumMinor: Int64 = 0
    var movements: [Movement]
    var isOfPayment = false
    /// Whether it is what the customer paid or got back.
    var isGross = false
    /// Whether the merchant account's settlement report contains it too.
    var isEcho = false
    var recordID: String
    var recordKind: RecordKind
    var connectedAccount: String?
  }
  /// What a type of a payment's bookings means, apart from its money.
  struct Rule {
    let subject: EventSubject
    let kind: RecordKind
    let incoming: EntryKind
    let outgoing: EntryKind
    let whenIncoming: EventState?
    let whenOutgoing: EventState?
  }

  static let rules: [String: Rule] = {
    let capture = Rule(
      subject: .payment, kind: .payment, incoming: .capture, outgoing: .chargeFailure, whenIncoming: .captured,
      whenOutgoing: .captureFailed)
    let refund = Rule(
      subject: .refund, kind: .refund, incoming: .refundFailure, outgoing: .refund, whenIncoming: .failed,
      whenOutgoing: .succeeded)
    let dispute = Rule(
      subject: .dispute, kind: .dispute, incoming: .disputeReversal, outgoing: .dispute, whenIncoming: .won,
      whenOutgoing: .opened)
    let lost = Rule(
      subject: .dispute, kind: .dispute, incoming: .disputeReversal, outgoing: .dispute, whenIncoming: .won,
      whenOutgoing: .lost)
    return [
      "capture": capture, "capturereversal": capture, "refund": refund, "refundreversal": refund, "chargeback": dispute,
      "chargebackreversal": dispute, "chargebackcorrection": dispute, "secondchargeback": lost,
    ]
  }()

  let row: AdyenPlatformRow
  let isLiable: Bool
  let liableAccount: String

  /// Whether it is a share of a payment, of its refund or of its dispute.
  var isShare: Bool { rule != nil && !row.isCost }
  /// Whether there is a rule for its category and type.
  var isKnown: Bool { rule != nil || lone != nil }
  /// The capture, refund or dispute, by its own reference.
  var happening: String {
    if !row.modificationReference.isEmpty { return row.modificationReference }
    return rule?.subject == .payment ? row.pspReference : row.transferID
  }

  private var rule: Rule? {
    row.category == "platformpayment" && !row.pspReference.isEmpty ? Self.rules[row.type] : nil
  }
  private var amount: Int64 { abs(row.balanceMinor) }
  private var isIncoming: Bool { row.balanceMinor > 0 }

  func movements() -> [Part] {
    if let rule { return row.isCost ? cost(of: rule) : share(of: rule) }
    if let lone { return [lone] }
    return [between(.other, .other, .other)]
  }

  /// What the customer paid, and in the same booking the seller's share of it; the liable account's share stays with
  /// the platform.
  private func share(of rule: Rule) -> [Part] {
    let gross = Part(
      suffix: isLiable ? "" : "/customer", netMinor: row.balanceMinor,
      movements: [
        Movement(
          kind: isIncoming ? rule.incoming : rule.outgoing, from: isIncoming ? .customer : .platform,
          to: isIncoming ? .platform : .customer,
          amountMinor: amount)
      ], isOfPayment: true, isGross: true, isEcho: true, recordID: happening, recordKind: rule.kind)
    if isLiable { return [gross] }
    let handedOn = Part(
      netMinor: -row.balanceMinor,
      movements: [
        Movement(
          kind: isIncoming ? .transfer : .transferReversal, from: isIncoming ? .platform : .connected,
          to: isIncoming ? .connected : .platform,
          amountMinor: amount)
      ], isOfPayment: true, recordID: row.transferID, recordKind: isIncoming ? .transfer : .transferReversal,
      connectedAccount: row.balanceAccount)
    return [gross, handedOn]
  }

  /// What Adyen charges for a payment, and in the same booking what the seller who bears it pays us. Only the first is
  /// also in the settlement.
  private func cost(of rule: Rule) -> [Part] {
    let isDispute = rule.subject == .dispute
    let parts = row.costs.isEmpty ? [(type: isDispute ? .dispute : .processing, minor: -row.balanceMinor)] : row.costs
    let fee = charged(
      parts.map { (isDispute ? .dispute : $0.type, $0.minor) },
      Part(
        suffix: isLiable ? "" : "/fee", movements: [], isOfPayment: true, isEcho: true, recordID: happening,
        recordKind: rule.kind))
    if isLiable { return [fee] }
    let borne = Part(
      netMinor: -row.balanceMinor, movements: [bySeller], isOfPayment: true, recordID: happening, recordKind: .other,
      connectedAccount: row.balanceAccount)
    return [fee, borne]
  }

  /// A fee by its parts; where they do not add up to it, the remainder is a line of its own, and fee_sum_mismatch
  /// reports it.
  private func charged(_ parts: [(type: FeeType, minor: Int64)], _ part: Part) -> Part {
    var part = part
    part.netMinor = row.balanceMinor
    part.feeMinor = -row.balanceMinor
    part.feeSumMinor = parts.reduce(Int64(0)) { $0 &+ $1.minor }
    var lines = parts.map { ($0.type, $0.minor, row.description.isEmpty ? nil : row.description) }
    let rest = part.feeMinor &- part.feeSumMinor
    if rest != 0 { lines.append((.other, rest, "what the columns of the fee leave open")) }
    part.movements = lines.map { type, minor, words in
      Movement(
        kind: .fee, from: minor > 0 ? .platform : .provider, to: minor > 0 ? .provider : .platform,
        amountMinor: abs(minor), feeType: type,
        description: words)
    }
    return part
  }

  /// A fee charged to a seller's balance account passes through the platform.
  private var bySeller: Movement {
    Movement(
      kind: .adjustment, from: isIncoming ? .platform : .connected, to: isIncoming ? .connected : .platform,
      amountMinor: amount)
  }
}

/// Bookings that belong to no payment.
extension AdyenPlatformBooking {
  private var lone: Part? {
    switch (row.category, row.type) {
    case ("bank", _): between(.bank, .payoutReversal, .payout, record: .payout)
    case ("topup", _): between(.bank, .other, .other)
    case ("internal", "fee"): account(fee: .processing)
    case ("internal", "invoicededuction"), ("internal", "misccost"), ("internal", "paymentcost"): account(fee: .other)
    case ("internal", "internaltransfer"): internalTransfer
    case (_, "manualcorrection"), (_, "balanceadjustment"), (_, "leftover"): between(.other, .adjustment, .adjustment)
    case (_, "reserveadjustment"), (_, "depositcorrection"), (_, "balancerollover"): between(.other, .reserve, .reserve)
    default: nil
    }
  }

  private func account(fee type: FeeType) -> Part {
    var part = charged([(type, -row.balanceMinor)], Part(movements: [], recordID: row.transferID, recordKind: .other))
    guard !isLiable else { return part }
    part.netMinor = 0
    part.connectedAccount = row.balanceAccount
    part.movements.append(bySeller)
    return part
  }

  /// Between two balance accounts: a movement between the platform and a seller is taken from the platform's side;
  /// between two sellers, both sides report theirs.
  private var internalTransfer: Part {
    if isLiable && !row.counterparty.isEmpty && row.counterparty != liableAccount {
      return Part(
        netMinor: row.balanceMinor,
        movements: [
          Movement(
            kind: isIncoming ? .transferReversal : .transfer, from: isIncoming ? .connected : .platform,
            to: isIncoming ? .platform : .connected,
            amountMinor: amount)
        ], recordID: row.transferID, recordKind: isIncoming ? .transferReversal : .transfer,
        connectedAccount: row.counterparty)
    }
    if !isLiable && row.counterparty == liableAccount {
      return Part(movements: [], recordID: row.transferID, recordKind: .transfer, connectedAccount: row.balanceAccount)
    }
    return between(.other, .adjustment, .adjustment)
  }

  /// Between the balance account's owner (the platform or a seller) and an outside party.
  private func between(_ outside: Role, _ incoming: EntryKind, _ outgoing: EntryKind, record: RecordKind = .other)
    -> Part
  {
    let owner: Role = isLiable ? .platform : .connected
    return Part(
      netMinor: isLiable ? row.balanceMinor : 0,
      movements: [
        Movement(
          kind: isIncoming ? incoming : outgoing, from: isIncoming ? outside : owner, to: isIncoming ? owner : outside,
          amountMinor: amount,
          description: row.description.isEmpty ? nil : row.description)
      ], recordID: row.transferID, recordKind: record, connectedAccount: isLiable ? nil : row.balanceAccount)
  }
}
