import Payments

/// The figures of a summary in one currency, for orientation: the rates come from a file of the platform, and no proof
/// depends on a converted amount.
package struct ConvertedTotals: Sendable, Equatable {
  /// The rate of a line of the figures.
  package struct Rate: Sendable, Equatable {
    /// Units of the reporting currency for one unit of the line's currency, as in the file.
    package var rate: ExactDecimal
    /// The day of the rate in the file; nil for the reporting currency itself.
    package var day: BusinessDay?

    package init(rate: ExactDecimal, day: BusinessDay?) { (self.rate, self.day) = (rate, day) }
  }

  package var currency: Currency
  /// The name of the file, without folders.
  package var source: String
  /// By currency code; a currency without a rate is not converted.
  package var rates: [String: Rate]

  package init(currency: Currency, source: String, rates: [String: Rate]) {
    (self.currency, self.source, self.rates) = (currency, source, rates)
  }

  /// An amount in the reporting currency, minor units, rounded half away from zero as in a spreadsheet; nil without a
  /// rate or beyond 64 bits.
  package func convert(_ amountMinor: Int64, from currency: Currency) -> Int64? {
    guard let rate = rates[currency.code]?.rate else { return nil }
    let power = { (exponent: Int) in (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 } }
    let product = Int128(amountMinor).multipliedReportingOverflow(by: Int128(rate.unscaled))
    let scaled = product.partialValue.multipliedReportingOverflow(by: power(self.currency.digits))
    guard !product.overflow, !scaled.overflow else { return nil }
    let whole = power(rate.digits + currency.digits)
    let (quotient, remainder) = scaled.partialValue.quotientAndRemainder(dividingBy: whole)
    let isUp = remainder.magnitude * 2 >= whole.magnitude
    return Int64(exactly: isUp ? quotient + scaled.partialValue.signum() : quotient)
  }
}
