import Payments

/// Which posting a row becomes: the counterparty, and the kind when money comes and when it leaves.
struct PayPalPostingRule: Equatable, Sendable {
  var counterparty: Role
  var incoming: EntryKind
  var outgoing: EntryKind
  /// Of rows that are fees themselves.
  var feeType: FeeType?
  /// What `fee_amount` beside it is.
  var ownFee: FeeType = .processing

  /// The rule of a row; `refers` says whether it names the payment it is about.
  init(_ meaning: PayPalEventCode.Meaning, code: String, isIncoming: Bool, refers: Bool) {
    switch meaning {
    case .payment: self = isIncoming ? Self.of(.customer, .capture, .capture) : Self.of(.other, .other, .other)
    case .refund: self = Self.of(.customer, .refundFailure, .refund)
    case .dispute:
      self = Self.of(.customer, .disputeReversal, .dispute)
      ownFee = .dispute
    case .disputeFee: self = Self.fee(.provider, .dispute)
    case .platformFee: self = Self.fee(.other, .platform)
    case .paymentFee: self = Self.fee(.provider, .processing)
    case .fee: self = Self.fee(.provider, .other)
    case .conversion: self = Self.of(.other, .fx, .fx)
    case .funding: self = Self.of(.bank, .other, .other)
    case .payout: self = Self.of(.bank, .payoutReversal, .payout)
    case .otherPayout: self = Self.of(.other, .payoutReversal, .payout)
    case .hold: self = Self.of(.other, .reserve, .reserve)
    case .reversal:
      self =
        !isIncoming && refers
        ? Self.of(.customer, .chargeFailure, .chargeFailure) : Self.of(.other, .adjustment, .adjustment)
    case .adjustment: self = Self.of(.other, .adjustment, .adjustment)
    case .authorisation, .display, .other: self = Self.of(code == "T1104" ? .bank : .other, .other, .other)
    }
  }

  private init(counterparty: Role, incoming: EntryKind, outgoing: EntryKind, feeType: FeeType?) {
    self.counterparty = counterparty
    self.incoming = incoming
    self.outgoing = outgoing
    self.feeType = feeType
    if let feeType { ownFee = feeType }
  }

  private static func of(_ counterparty: Role, _ incoming: EntryKind, _ outgoing: EntryKind) -> Self {
    Self(counterparty: counterparty, incoming: incoming, outgoing: outgoing, feeType: nil)
  }

  private static func fee(_ counterparty: Role, _ type: FeeType) -> Self {
    Self(counterparty: counterparty, incoming: .fee, outgoing: .fee, feeType: type)
  }
}
