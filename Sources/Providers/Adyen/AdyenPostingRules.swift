import Payments

/// Adyen's posting rules: which movement a row of a settlement detail report is (docs/fund-flows.md section 3,
/// docs/providers/adyen.md section 2.4).
///
/// The direction comes from the debit and credit columns, never from the type.
struct AdyenPostingRule: Equatable, Sendable {
  /// What a row reports of a payment, a refund or a dispute, apart from its money.
  enum Story: Equatable, Sendable {
    /// An instalment of a capture: the capture is reported in several rows.
    case capture, instalment, captureFailure, refund, refundFailure, disputed, disputeReturned, disputeLost
    /// No more than its money.
    case none
  }
  let posting: PostingRule
  let story: Story
  /// Whether the row's PSP reference is that of a customer's payment.
  let isOfPayment: Bool

  private init(_ posting: PostingRule, _ story: Story = .none, isOfPayment: Bool = false) {
    self.posting = posting
    self.story = story
    self.isOfPayment = isOfPayment
  }

  /// The rule for a value of the column Type, in any case; nil when the type is unknown.
  static func of(_ type: String) -> AdyenPostingRule? { byType[type.lowercased()] }

  /// A row of an unknown type: kept in the batch and in the balance.
  static let unknown = AdyenPostingRule(PostingRule(.other, .other), isOfPayment: true)

  private static func customer(_ posting: PostingRule, _ story: Story) -> AdyenPostingRule {
    AdyenPostingRule(posting, story, isOfPayment: true)
  }

  private static func fee(_ type: FeeType, isOfPayment: Bool = false) -> AdyenPostingRule {
    AdyenPostingRule(PostingRule(.provider, .fee, feeType: type), isOfPayment: isOfPayment)
  }

  private static let captures = PostingRule(.customer, .capture)
  private static let failures = PostingRule(.customer, .chargeFailure)
  private static let refunds = PostingRule(.customer, in: .refundFailure, out: .refund)
  private static let disputes = PostingRule(.customer, in: .disputeReversal, out: .dispute)
  private static let reserve = AdyenPostingRule(PostingRule(.other, .reserve))
  private static let adjusted = AdyenPostingRule(PostingRule(.other, .adjustment))
  private static let payout = AdyenPostingRule(PostingRule(.bank, in: .payoutReversal, out: .payout))
  /// Money that the merchant sends to Adyen.
  private static let payin = AdyenPostingRule(PostingRule(.bank, .other))
  /// Money to a shopper or third party that does not belong to a payment.
  private static let paidOut = AdyenPostingRule(PostingRule(.other, .other))

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

extension AdyenSettlementRow {
  /// The postings of the row; they always add up to its stated net.
  func postings(_ rule: AdyenPostingRule) -> [Posting] {
    var builder = PostingBuilder(net.code)
    let gross = isWhole ? amountMinor : convertedMinor
    builder.post(rule.posting, gross, description: rule.posting.counterparty == .customer ? nil : words)
    for fee in fees { builder.post(.fee, .provider, -fee.amountMinor, feeType: fee.type) }
    // For a row that does not add up, the stated net counts; settlement_row_broken reports the rest.
    builder.post(
      .adjustment, .provider, amountMinor - gross, description: "what the row's own arithmetic leaves open")
    return builder.postings
  }
}
