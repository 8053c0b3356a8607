import JSON
import Payments

/// Adyen's amounts: decimals in reports, integers with exponents of its own in notifications
/// (docs/providers/adyen.md section 3).
enum AdyenAmount {
  private static let withoutDecimals = Set(
    "CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(separator: " ").map(String.init))
  private static let withThreeDecimals = Set("BHD IQD JOD KWD LYD OMR TND".split(separator: " ").map(String.init))

  /// Digits of the integers in notifications: 0, 2 or 3. ISK and CLP are sent in hundredths although ISO 4217 gives
  /// them none, CVE and IDR in whole units although it gives them two.
  static func exponent(_ currency: Currency) -> Int {
    withoutDecimals.contains(currency.code) ? 0 : withThreeDecimals.contains(currency.code) ? 3 : 2
  }

  /// A notification's integer as written: some middleware stores numbers as text. nil where it is missing.
  ///
  /// - Throws: `JSONError` when it is neither, `MoneyError` when the text is no whole number.
  static func written(_ value: JSONValue) throws -> Int64? {
    guard value.kind == .string else { return try value.optionalMinor() }
    let text = try value.string()
    guard let number = Int64(text) else { throw MoneyError.notDecimal(String(text.prefix(40))) }
    return try Limits.amount(number)
  }

  /// A notification's integer in minor units of ISO 4217.
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

  /// A report's decimal in minor units; insignificant trailing zeros are accepted, an empty cell is 0.
  ///
  /// - Throws: `MoneyError` when it is not a decimal, or has more digits than the currency.
  static func minor(_ text: String, _ currency: Currency) throws(MoneyError) -> Int64 {
    if text.isEmpty { return 0 }
    return try Money.parse(trimmed(text), currency).amountMinor
  }

  /// Trailing zeros of a fraction are dropped, and the point when nothing follows it; a bare point (`.91`) gets a
  /// leading zero.
  fileprivate static func trimmed(_ written: String) -> String {
    let sign = written.utf8.first == UInt8(ascii: "-") ? "-" : ""
    let figures = written.dropFirst(sign.count)
    let isBare = figures.utf8.count > 1 && figures.utf8.first == UInt8(ascii: ".")
    let text = isBare ? "\(sign)0\(figures)" : written
    guard text.utf8.last == UInt8(ascii: "0") || text.utf8.last == UInt8(ascii: "."),
      text.utf8.contains(UInt8(ascii: "."))
    else { return text }
    var rest = text[...]
    while rest.utf8.last == UInt8(ascii: "0") { rest = rest.dropLast() }
    return String(rest.utf8.last == UInt8(ascii: ".") && rest.utf8.count > 1 ? rest.dropLast() : rest)
  }

  /// Net currency per unit of gross currency, as a report states it: up to fifteen digits after the point.
  struct Rate {
    private let decimal: ExactDecimal

    /// - Returns: nil for an empty cell or zero: no rate is stated.
    /// - Throws: `MoneyError` when it is no decimal.
    init?(_ text: String) throws(MoneyError) {
      let decimal = try text.isEmpty ? nil : ExactDecimal(Rate.shortened(text))
      guard let decimal, decimal.unscaled != 0 else { return nil }
      self.decimal = decimal
    }

    /// Digits beyond 64 bits are too small to affect the rounding to minor units.
    private static func shortened(_ written: String) -> String {
      let text = written.utf8.first == UInt8(ascii: ".") ? "0\(written)" : written
      guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return text }
      let whole = text.utf8.distance(from: text.startIndex, to: point)
      let rest = text.prefix(whole + 1 + max(0, min(15, 18 - whole)))
      return AdyenAmount.trimmed(String(rest))
    }

    /// The gross in minor units of the net currency, rounded to the nearest, halves away from zero.
    func converted(_ grossMinor: Int64, from gross: Currency, to net: Currency) throws(MoneyError) -> Int64 {
      let digits = decimal.digits + gross.digits - net.digits
      if digits < 0 {
        return try Limits.amount(Money.proportion(grossMinor, try Self.times(decimal.unscaled, -digits), 1))
      }
      guard digits <= 18 else { throw .overflow("an exchange rate with \(decimal.digits) digits") }
      return try Limits.amount(
        Money.proportion(grossMinor, decimal.unscaled, (0..<digits).reduce(Int64(1)) { whole, _ in whole * 10 }))
    }

    private static func times(_ number: Int64, _ tens: Int) throws(MoneyError) -> Int64 {
      let scaled = number.multipliedReportingOverflow(by: Currency.powersOfTen[tens])
      guard !scaled.overflow else { throw .overflow("an exchange rate") }
      return scaled.partialValue
    }
  }
}
