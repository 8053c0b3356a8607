import Payments

/// Stripe's own minor units (docs/providers/stripe.md section 3.6) and their conversion to those of ISO 4217.
enum StripeAmount {
  /// Stripe uses whole units for these; MGA is among them although ISO 4217 gives it two digits.
  private static let withoutDecimals = Set(
    "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(separator: " ").map(String.init))
  private static let withThreeDecimals = Set("BHD JOD KWD OMR TND".split(separator: " ").map(String.init))

  /// Amounts in currencies with three decimals end in 0 (docs/providers/stripe.md section 3.6).
  static let steps: [String: Int64] = Dictionary(uniqueKeysWithValues: withThreeDecimals.map { ($0, 10) })

  /// Digits of Stripe's integers: 0, 2 or 3. ISK and UGX are sent in hundredths although they have none.
  static func exponent(_ currency: Currency) -> Int {
    withoutDecimals.contains(currency.code) ? 0 : withThreeDecimals.contains(currency.code) ? 3 : 2
  }

  /// Stripe's integer in minor units of ISO 4217.
  ///
  /// - Throws: `MoneyError.notWhole` for what ISO cannot hold (5.05 ISK), `.overflow` beyond 64 bits.
  static func minor(_ amount: Int64, _ currency: Currency) throws(MoneyError) -> Int64 {
    let exponent = exponent(currency)
    if exponent == currency.digits { return try Limits.amount(amount) }
    if exponent < currency.digits {
      let scaled = amount.multipliedReportingOverflow(by: Currency.powersOfTen[currency.digits - exponent])
      guard !scaled.overflow else { throw .overflow("an amount in \(currency.code)") }
      return try Limits.amount(scaled.partialValue)
    }
    let (whole, rest) = amount.quotientAndRemainder(dividingBy: Currency.powersOfTen[exponent - currency.digits])
    guard rest == 0 else { throw .notWhole(amount, currency.code) }
    return try Limits.amount(whole)
  }
}
