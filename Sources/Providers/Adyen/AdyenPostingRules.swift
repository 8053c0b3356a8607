import Payments

/// Adyen's posting rules: which movement a row of a settlement detail report is (docs/fund-flows.md section 3,
/// docs/providers/adyen.md section 2.4).
///
/// The type never says the direction: debit and credit columns do.
struct AdyenPostingRule: Equatable, Sendable {
  /// What a row says of a payment, a refund or a dispute, beside its money.
  enum Story: Equatable, Sendable {
    /// An instalment of a capture: the capture is reported in several rows.
    case capture, instalment, captureFailure, refund, refundFailure, disputed, disputeReturned, disputeLost
    /// No more than its money.
    case none
  }
  let counterparty: Role
  /// The kind when money comes to the platform, and when it leaves.
  let incoming: EntryKind
  let outgoing: EntryKind
  var feeType: FeeType?
  var story = Story.none
  /// Whether the row's PSP reference is that of a customer's payment.
  var isOfPayment = false

  init(_ counterparty: Role, in incoming: EntryKind, out outgoing: EntryKind, feeType: FeeType? = nil) {
    self.counterparty = counterparty
    self.incoming = incoming
    self.outgoing = outgoing
    self.feeType = feeType
  }

  /// The rule for a word of the column Type, whatever its case; nil when nobody described it.
  static func of(_ type: String) -> AdyenPostingRule? { byType[type.lowercased()] }

  /// A row of a type that nobody described: kept in the batch and in the balance.
  static let unknown: AdyenPostingRule = {
    var rule = AdyenPostingRule(.other, in: .other, out: .other)
    rule.isOfPayment = true
    return rule
  }()

  private static func customer(_ kinds: (in: EntryKind, out: EntryKind), _ story: Story) -> AdyenPostingRule {
    var rule = AdyenPostingRule(.customer, in: kinds.in, out: kinds.out)
    rule.story = story
    rule.isOfPayment = true
    return rule
  }

  private static func fee(_ type: FeeType, isOfPayment: Bool = false) -> AdyenPostingRule {
    var rule = AdyenPostingRule(.provider, in: .fee, out: .fee, feeType: type)
    rule.isOfPayment = isOfPayment
    return rule
  }

  private static let captures = (in: EntryKind.capture, out: EntryKind.capture)
  private static let failures = (in: EntryKind.chargeFailure, out: EntryKind.chargeFailure)
  private static let refunds = (in: EntryKind.refundFailure, out: EntryKind.refund)
  private static let disputes = (in: EntryKind.disputeReversal, out: EntryKind.dispute)
  private static let reserve = AdyenPostingRule(.other, in: .reserve, out: .reserve)
  private static let adjusted = AdyenPostingRule(.other, in: .adjustment, out: .adjustment)
  private static let payout = AdyenPostingRule(.bank, in: .payoutReversal, out: .payout)
  /// Money that the merchant sends to Adyen.
  private static let payin = AdyenPostingRule(.bank, in: .other, out: .other)
  /// Money to a shopper or third party that no payment brought.
  private static let paidOut = AdyenPostingRule(.other, in: .other, out: .other)

  private static let byType: [String: AdyenPostingRule] = [
    "settled": customer(captures, .capture), "settledbulk": customer(captures, .capture),
    "settledinstallment": customer(captures, .instalment), "settledininstallments": customer(captures, .instalment),
    "capturefailed": customer(failures, .captureFailure), "settledreversed": customer(failures, .captureFailure),
    "refunded": customer(refunds, .refund), "refundedbulk": customer(refunds, .refund),
    "refundedinstallment": customer(refunds, .refund),
    "refundedreversed": customer(refunds, .refundFailure), "refundfailed": customer(refunds, .refundFailure),
    "refundnotcleared": customer(refunds, .refundFailure),
    "chargeback": customer(disputes, .disputed), "chargebackreversed": customer(disputes, .disputeReturned),
    "secondchargeback": customer(disputes, .disputeLost),
    "fee": fee(.processing), "invoicededuction": fee(.other), "misccosts": fee(.other),
    "paymentcost": fee(.other, isOfPayment: true),
    "depositcorrection": reserve, "reserveadjustment": reserve, "balancetransfer": adjusted,
    "merchantpayout": payout, "bankinstructionreturned": payout, "merchantpayin": payin, "merchantpayinreversed": payin,
    "paidout": paidOut, "paidoutreversed": paidOut, "bppaidout": paidOut,
    // Bookings that Adyen makes by hand.
    "matchedstatement": adjusted, "manualcorrected": adjusted,
  ]
}
