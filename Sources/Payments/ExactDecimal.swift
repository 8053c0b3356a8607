/// A decimal taken from its literal text, exact: rates and amounts never pass through floating point.
package struct ExactDecimal: Hashable, Sendable {
  /// The digits without the point: 2.90 is 290.
  package let unscaled: Int64
  /// How many of the digits are after the point, 0...18.
  package let digits: Int

  /// Reads `[-+]digits[.digits]`; no exponent, no grouping, no spaces.
  ///
  /// - Throws: `MoneyError.notDecimal`, or `.overflow` beyond 64 bits.
  package init(_ text: String) throws(MoneyError) {
    var unscaled: Int64 = 0
    var digits = 0
    var figures = 0
    var isFraction = false
    let bytes = text.utf8
    let isNegative = bytes.first == UInt8(ascii: "-")
    for byte in bytes.dropFirst(isNegative || bytes.first == UInt8(ascii: "+") ? 1 : 0) {
      if byte == UInt8(ascii: "."), !isFraction, figures > 0 {
        isFraction = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw .notDecimal(text) }
      let tens = unscaled.multipliedReportingOverflow(by: 10)
      let figure = Int64(byte - UInt8(ascii: "0"))
      let next = tens.partialValue.addingReportingOverflow(isNegative ? -figure : figure)
      guard !tens.overflow, !next.overflow else { throw .overflow("the number \(text.prefix(40))") }
      unscaled = next.partialValue
      figures += 1
      if isFraction { digits += 1 }
    }
    guard figures > 0, !isFraction || digits > 0, digits <= 18 else { throw .notDecimal(text) }
    self.unscaled = unscaled
    self.digits = digits
  }

  /// The denominator of `unscaled`, with `extraDigits` more decimal places: 2.9 % is 29 / 1000 with two extra digits.
  ///
  /// - Throws: `MoneyError.overflow` beyond 10^18.
  package func whole(extraDigits: Int = 0) throws(MoneyError) -> Int64 {
    guard digits + extraDigits <= 18 else { throw .overflow("a rate with \(digits) digits") }
    return (0..<(digits + extraDigits)).reduce(Int64(1)) { whole, _ in whole * 10 }
  }
}
