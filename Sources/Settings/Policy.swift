/// What the platform expects of its own flows; every duration in seconds.
package struct Policy: Sendable, Equatable {
  /// A refund of a destination charge is expected to take the connected account's share back.
  package var refundReversesTransfer = true
  /// A refund of a destination charge is expected to return the application fee.
  package var refundReturnsApplicationFee = true
  /// An authorisation older than this is a discrepancy.
  package var captureWithin: Int64 = 7 * 86400
  /// An authorisation that expires within this is a discrepancy.
  package var expiryWarning: Int64 = 86400
  /// Grace before a paid order without a capture is a discrepancy.
  package var orderPaidWithin: Int64 = 86400
  /// A capture is expected to be in a payout by then.
  package var settleWithin: Int64 = 5 * 86400
  /// A started payment is expected to be concluded by then.
  package var approvalWithin: Int64 = 3600
  /// Two equal refunds within this time count as one made twice.
  package var duplicateRefundWithin: Int64 = 600
  /// An expected report should be available by then.
  package var reportDueWithin: Int64 = 26 * 3600

  /// The defaults.
  package init() {}

  /// The values of a `policy` node; others are inherited from the policy above it.
  init(_ node: SettingsNode, over above: Policy = Policy()) {
    refundReversesTransfer = node.bool("refund_reverses_transfer", default: above.refundReversesTransfer)
    refundReturnsApplicationFee = node.bool(
      "refund_returns_application_fee", default: above.refundReturnsApplicationFee)
    captureWithin = node.duration("capture_within", default: above.captureWithin)
    expiryWarning = node.duration("expiry_warning", default: above.expiryWarning)
    orderPaidWithin = node.duration("order_paid_within", default: above.orderPaidWithin)
    settleWithin = node.duration("settle_within", default: above.settleWithin)
    approvalWithin = node.duration("approval_within", default: above.approvalWithin)
    duplicateRefundWithin = node.duration("duplicate_refund_within", default: above.duplicateRefundWithin)
    reportDueWithin = node.duration("report_due_within", default: above.reportDueWithin)
  }
}

/// How far an amount may deviate before it is a discrepancy; minor units.
package struct Tolerance: Sendable, Equatable {
  /// For amounts in a currency that has no entry of its own.
  package var amount: Int64 = 0
  /// For amounts, by currency code.
  package var amountByCurrency: [String: Int64] = [:]
  /// Per proportional reversal or fee refund.
  package var proportional: Int64 = 1
  /// Against the rate card.
  package var providerFee: Int64 = 1

  /// The defaults.
  package init() {}

  init(_ node: SettingsNode) {
    let amounts = node.node("amount")
    amount = amounts.integer("default", default: 0)
    for key in amounts.keys where key != "default" {
      if CurrencyCode.isValid(key) {
        amountByCurrency[key.uppercased()] = amounts.integer(key, default: 0)
      } else {
        amounts.allow(key)
        amounts.object(to: key, "expected \"default\" or a currency code of three letters, as in EUR")
      }
    }
    proportional = node.integer("proportional", default: 1)
    providerFee = node.integer("provider_fee", default: 1)
  }

  /// The tolerance for an amount in a currency, minor units.
  package func amount(in currency: String) -> Int64 { amountByCurrency[currency] ?? amount }
}

/// What a provider charges for a method from a given day on, as agreed; decimals are literal text.
package struct RateCard: Sendable, Equatable {
  /// The configured provider.
  package var provider: String
  /// The settlement currency, upper-case.
  package var currency: String
  /// The payment method as the provider calls it; nil for all.
  package var method: String?
  /// Percent of the captured amount, e.g. `2.9`.
  package var percent: String
  /// Per capture, major units of the currency, e.g. `0.30`.
  package var fixed: String
  /// The first day on which it applies, `2026-01-01`; nil: always.
  package var from: String?

  init(_ node: SettingsNode) {
    provider = node.string("provider")
    currency = node.currency("currency")
    method = node.optionalString("method")
    percent = node.keys.contains("percent") ? node.decimal("percent") : "0"
    fixed = node.keys.contains("fixed") ? node.decimal("fixed") : "0"
    from = node.optionalDay("from")
    node.allow("percent", "fixed")
  }
}
