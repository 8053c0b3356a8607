/// An amount of one currency in its minor units, exact and overflow-checked.
///
/// Every figure that Crossfoot states is one of these or a sum of these; amounts of two currencies are never added.
package struct Money: Hashable, Sendable, CustomStringConvertible {
  /// Minor units by the digits of ISO 4217; the whole range of `Int64`.
  package let amountMinor: Int64
  package let currency: Currency

  package init(amountMinor: Int64, currency: Currency) {
    self.amountMinor = amountMinor
    self.currency = currency
  }

  /// Reads an exact decimal in major units, e.g. `10.00` or `-0.5`, with at most the currency's digits.
  ///
  /// - Throws: `MoneyError` when the text is not a plain decimal, has more digits than the currency, or exceeds
  ///   `Limits.amountMinor`.
  package static func parse(_ text: String, _ currency: Currency) throws(MoneyError) -> Money {
    let decimal = try ExactDecimal(text)
    guard decimal.digits <= currency.digits else {
      throw .tooManyDigits(text, currency.code, currency.digits)
    }
    let scaled = decimal.unscaled.multipliedReportingOverflow(
      by: Currency.powersOfTen[currency.digits - decimal.digits])
    guard !scaled.overflow else { throw .overflow("the amount \(text.prefix(40)) \(currency.code)") }
    return Money(amountMinor: try Limits.amount(scaled.partialValue), currency: currency)
  }

  /// The exact decimal with the currency's digits, e.g. `10.00`, `500`, `-5.120`.
  package var decimalText: String { Money.decimalText(amountMinor, digits: currency.digits) }

  package var description: String { "\(decimalText) \(currency.code)" }

  /// The sum of two amounts of one currency.
  ///
  /// - Throws: `MoneyError.twoCurrencies` or `MoneyError.overflow`; an amount never wraps.
  package func adding(_ other: Money) throws(MoneyError) -> Money {
    guard currency == other.currency else { throw .twoCurrencies(currency.code, other.currency.code) }
    let sum = amountMinor.addingReportingOverflow(other.amountMinor)
    guard !sum.overflow else { throw .overflow("a sum in \(currency.code)") }
    return Money(amountMinor: sum.partialValue, currency: currency)
  }

  /// `part / whole` of an amount to the nearest minor unit, halves away from zero (docs/fund-flows.md section 8).
  ///
  /// - Throws: `MoneyError.overflow` when the result exceeds `Int64` or `whole` is zero.
  package static func proportion(_ amount: Int64, _ part: Int64, _ whole: Int64) throws(MoneyError) -> Int64 {
    guard whole != 0 else { throw .overflow("a proportion of zero") }
    let isNegative = (amount < 0) != (part < 0) && (amount != 0 && part != 0)
    let product = amount.magnitude.multipliedFullWidth(by: part.magnitude)
    guard product.high < whole.magnitude else { throw .overflow("a proportion") }
    var (quotient, remainder) = whole.magnitude.dividingFullWidth(product)
    if remainder >= whole.magnitude - remainder { quotient += 1 }
    guard quotient <= UInt64(Int64.max) else { throw .overflow("a proportion") }
    return isNegative != (whole < 0) ? -Int64(quotient) : Int64(quotient)
  }

  /// Minor units as an exact decimal with `digits` digits after the point.
  package static func decimalText(_ amountMinor: Int64, digits: Int) -> String {
    guard digits > 0 else { return String(amountMinor) }
    var figures = String(amountMinor.magnitude)
    if figures.count <= digits { figures = String(repeating: "0", count: digits + 1 - figures.count) + figures }
    let point = figures.index(figures.endIndex, offsetBy: -digits)
    return "\(amountMinor < 0 ? "-" : "")\(figures[..<point]).\(figures[point...])"
  }
}

/// Why an amount could not be read or computed.
package enum MoneyError: Error, Equatable, CustomStringConvertible {
  case unknownCurrency(String)
  case notDecimal(String)
  case tooManyDigits(String, String, Int)
  case overflow(String)
  /// An amount in minor units, beyond `Limits.amountMinor`.
  case beyondLimit(String)
  case twoCurrencies(String, String)
  case notWhole(Int64, String)

  package var description: String {
    switch self {
    case .unknownCurrency(let code):
      "\"\(code.prefix(20))\" is no currency of ISO 4217; expected three letters such as EUR"
    case .notDecimal(let text):
      "\"\(text.prefix(40))\" is no exact decimal; expected digits with at most one point, such as 10.00"
    case .tooManyDigits(let text, let currency, let digits):
      "\(text.prefix(40)) has more digits than \(currency) has (\(digits)); give the amount in major units, exactly"
    case .overflow(let what): "\(what) is beyond the range of 64-bit minor units"
    case .beyondLimit(let amount):
      "found \(amount.prefix(40)) minor units, expected at most 10^15 either way; see the record at its source"
    case .twoCurrencies(let one, let other): "an amount in \(one) was to be added to one in \(other)"
    case .notWhole(let amount, let currency):
      "\(amount) in the provider's minor units is no whole amount of \(currency) by ISO 4217; the record is kept aside"
    }
  }
}
