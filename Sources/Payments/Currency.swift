/// A currency of ISO 4217, with the number of digits that its amounts have in every report and in the store.
///
/// Providers have exceptions of their own (Stripe counts ISK in hundredths): those are used only while reading a
/// provider's amount.
package struct Currency: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Three upper-case letters.
  package let code: String
  /// Digits after the decimal point, 0...4.
  package let digits: Int

  /// Takes the code in any case.
  ///
  /// - Throws: `MoneyError.unknownCurrency` when ISO 4217 does not list it.
  package init(code: String) throws(MoneyError) {
    let upper = code.uppercased()
    guard let digits = ISO4217.digits[upper] else { throw .unknownCurrency(code) }
    self.code = upper
    self.digits = digits
  }

  package var description: String { code }

  /// Minor units in one major unit: 1, 100, 1000 or 10000.
  package var minorUnits: Int64 { Currency.powersOfTen[digits] }

  package static func < (left: Currency, right: Currency) -> Bool { left.code < right.code }

  /// Every currency that ISO 4217 lists, sorted by code.
  package static var all: [Currency] { ISO4217.digits.map { Currency(code: $0.key, digits: $0.value) }.sorted() }

  package static let powersOfTen: [Int64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  private init(code: String, digits: Int) {
    self.code = code
    self.digits = digits
  }
}

/// The list of ISO 4217 (active alphabetic codes), by the number of digits.
private enum ISO4217 {
  static let digits: [String: Int] = {
    var digits: [String: Int] = [:]
    for (count, codes) in [0: zero, 2: two, 3: three, 4: four] {
      for code in codes.split(separator: " ") { digits[String(code)] = count }
    }
    return digits
  }()

  private static let zero = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
  private static let three = "BHD IQD JOD KWD LYD OMR TND"
  private static let four = "CLF UYW"
  private static let two = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF \
    CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK \
    HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR \
    MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP \
    SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER \
    ZAR ZMW ZWG ZWL
    """
}
