import JSON
import Payments

/// An amount as PayPal writes it: an object of two strings, in major units (docs/providers/paypal.md section 2).
///
/// The currency is in `currency_code`, in payouts and older answers in `currency`; the number in `value`, formerly in
/// `total`.
struct PayPalAmount: Equatable {
  var minor: Int64
  var currency: Currency
  /// Whether the number has a decimal point although PayPal's own rules for the currency allow none.
  var hasBadScale = false

  /// PayPal uses whole units only for these, HUF and TWD too, although ISO 4217 gives them two digits.
  private static let withoutDecimals: Set<String> = ["HUF", "JPY", "TWD"]

  /// Reads an amount that must be there.
  ///
  /// - Throws: `JSONError`, or `MoneyError` when it is not an amount, the currency is unknown, or it is finer than ISO
  ///   4217 allows.
  init(_ value: JSONValue) throws {
    let code = value["currency_code"].isAbsent ? value["currency"] : value["currency_code"]
    let figure = value["value"].isAbsent && !value["total"].isAbsent ? value["total"] : value["value"]
    let currency = try Currency(code: try code.string())
    let text = try figure.string()
    self = try CellError.naming(figure.path) { try PayPalAmount(figure: text, currency: currency) }
  }

  /// Reads `-?[0-9]+` or `-?[0-9]*.[0-9]+`.
  ///
  /// - Throws: `MoneyError`.
  init(figure: String, currency: Currency) throws(MoneyError) {
    guard let first = figure.utf8.first, first != UInt8(ascii: "+") else { throw .notDecimal(figure) }
    let isBare = figure.hasPrefix(".") || figure.hasPrefix("-.")
    let decimal = try ExactDecimal(isBare ? figure.replacingFirst(".", with: "0.") : figure)
    minor = try Self.minor(decimal, figure, currency)
    self.currency = currency
    hasBadScale = decimal.digits > 0 && Self.withoutDecimals.contains(currency.code)
  }

  /// The amount in the minor units of ISO 4217; further digits must be zeros.
  private static func minor(_ decimal: ExactDecimal, _ figure: String, _ currency: Currency) throws(MoneyError) -> Int64
  {
    if decimal.digits <= currency.digits {
      let scaled = decimal.unscaled.multipliedReportingOverflow(
        by: Currency.powersOfTen[currency.digits - decimal.digits])
      guard !scaled.overflow else { throw .overflow("the amount \(figure.prefix(40)) \(currency.code)") }
      return try Limits.amount(scaled.partialValue)
    }
    var rest = decimal.unscaled
    for _ in currency.digits..<decimal.digits {
      guard rest % 10 == 0 else { throw .tooManyDigits(figure, currency.code, currency.digits) }
      rest /= 10
    }
    return try Limits.amount(rest)
  }
}

extension String {
  fileprivate func replacingFirst(_ mark: Character, with other: String) -> String {
    guard let place = firstIndex(of: mark) else { return self }
    return self[..<place] + other + self[index(after: place)...]
  }
}
