import Payments
import Testing

@testable import Providers

@Suite("The postings of a ledger row") struct PostingBuilderTests {
  @Test("money that comes is from the counterparty, money that leaves to it; nothing is posted of 0") func direction() {
    let rule = PostingRule(.customer, in: .refundFailure, out: .refund, feeType: .other)
    var builder = PostingBuilder("EUR")
    builder.post(rule, 500, description: "back")
    builder.post(.fee, .provider, 0, feeType: .processing)
    builder.post(rule, -700)
    builder.post(.transfer, from: .customer, to: .connected, 30)
    #expect(
      builder.postings == [
        Posting(
          ordinal: 0, kind: .refundFailure, from: .customer, to: .platform, currency: "EUR", amountMinor: 500,
          feeType: .other, description: "back"),
        Posting(
          ordinal: 1, kind: .refund, from: .platform, to: .customer, currency: "EUR", amountMinor: 700,
          feeType: .other),
        Posting(ordinal: 2, kind: .transfer, from: .customer, to: .connected, currency: "EUR", amountMinor: 30),
      ])
  }

  @Test("a dispute's own fee at PayPal is a dispute's, a partner's share costs what the payment costs")
  func payPalFees() {
    func fee(_ meaning: PayPalEventCode.Meaning) -> FeeType {
      PayPalPostingRules.ownFee(of: .init(meaning))
    }
    #expect(fee(.payment) == .processing && fee(.dispute) == .dispute && fee(.disputeFee) == .dispute)
    #expect(fee(.platformFee) == .processing && fee(.fee) == .other)
  }
}

extension PostingRule {
  fileprivate init(_ meaning: PayPalEventCode.Meaning) {
    self = PayPalPostingRules.of(meaning, code: "T0006", isIncoming: true, refers: true)
  }
}
