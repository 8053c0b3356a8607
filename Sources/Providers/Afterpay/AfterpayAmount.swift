import Payments

/// An amount of the settlement file in millionths of the currency's major unit: it is written with a currency sign,
/// optional commas between thousands, and six decimals (docs/providers/afterpay.md section 2).
struct AfterpayAmount: Hashable, Sendable {
  /// Millionths of the major unit: 296.705 USD is 296,705,000.
  let millionths: Int64
  /// Five billion major units either way, so that a thousand rows of a payout still add up within 64 bits.
  static let limit: Int64 = 5_000_000_000_000_000

  /// Reads `$1,259.72`, `-$297.270000`, `£85.95` or `85.95`; a blank cell is zero.
  ///
  /// - Throws: `AfterpayAmountError` for anything else, including a decimal comma (`1.259,72`) or another currency's
  ///   sign.
  init(_ text: String, _ currency: Currency) throws(AfterpayAmountError) {
    var rest = Array(text.utf8)[...]
    let isNegative = Self.takeMinus(&rest)
    let letters = rest.prefix { (65...90).contains($0) }
    rest = rest.dropFirst(letters.count)
    if let (sign, currencies) = Self.signs.first(where: { rest.starts(with: $0.0.utf8) }) {
      guard currencies.contains(currency.code) else { throw .otherCurrency(text, currency.code) }
      rest = rest.dropFirst(sign.utf8.count)
    }
    guard letters.isEmpty || currency.code.utf8.starts(with: letters) else { throw .otherCurrency(text, currency.code) }
    let isNegativeInside = Self.takeMinus(&rest)
    guard !(isNegative && isNegativeInside) else { throw .notAmount(text) }
    guard !rest.isEmpty else {
      guard text.isEmpty else { throw .notAmount(text) }
      millionths = 0
      return
    }
    let number = try Self.number(rest, text)
    millionths = isNegative || isNegativeInside ? -number : number
  }

  init(millionths: Int64) { self.millionths = millionths }

  /// The currencies of Afterpay that a sign may stand for.
  private static let signs: [(String, [String])] = [
    ("$", ["USD", "AUD", "NZD", "CAD"]), ("£", ["GBP"]), ("€", ["EUR"]),
  ]

  private static func takeMinus(_ text: inout ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "-") else { return false }
    text = text.dropFirst()
    return true
  }

  /// Digits with commas between thousands, and at most six digits after a point.
  private static func number(_ figures: ArraySlice<UInt8>, _ text: String) throws(AfterpayAmountError) -> Int64 {
    var number: Int64 = 0
    var whole = 0
    var sinceComma: Int?
    var decimals: Int?
    // `.91`, as some spreadsheets write it; after a currency sign, a digit is missing.
    let isBare = text.utf8.first { $0 != UInt8(ascii: "-") } == UInt8(ascii: ".")
    for byte in figures {
      switch byte {
      case UInt8(ascii: "."):
        guard decimals == nil, whole > 0 || isBare, sinceComma ?? 3 == 3 else { throw .notAmount(text) }
        decimals = 0
      case UInt8(ascii: ","):
        guard decimals == nil, whole > 0, sinceComma.map({ $0 == 3 }) ?? (whole <= 3) else { throw .notAmount(text) }
        sinceComma = 0
      case 48...57:
        let tens = number.multipliedReportingOverflow(by: 10)
        let next = tens.partialValue.addingReportingOverflow(Int64(byte - 48))
        guard !tens.overflow, !next.overflow else { throw .tooLarge(text) }
        number = next.partialValue
        if let found = decimals { decimals = found + 1 } else { whole += 1 }
        if decimals == nil, let found = sinceComma { sinceComma = found + 1 }
      default: throw .notAmount(text)
      }
    }
    guard whole > 0 || isBare, decimals != 0, decimals ?? 0 <= 6, sinceComma ?? 3 == 3 else { throw .notAmount(text) }
    let scaled = number.multipliedReportingOverflow(by: Currency.powersOfTen[6 - (decimals ?? 0)])
    guard !scaled.overflow, scaled.partialValue <= limit else { throw .tooLarge(text) }
    return scaled.partialValue
  }

  /// Minor units of the currency, halves away from zero.
  func rounded(_ currency: Currency) -> Int64 {
    let unit = Currency.powersOfTen[6 - min(currency.digits, 6)]
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: unit)
    return rest.magnitude * 2 >= unit.magnitude ? whole + (millionths < 0 ? -1 : 1) : whole
  }

  /// The difference; two amounts of a settlement file are far too small to overflow it.
  ///
  /// - Throws: `AfterpayAmountError.tooLarge`.
  func minus(_ other: AfterpayAmount) throws(AfterpayAmountError) -> AfterpayAmount {
    let difference = millionths.subtractingReportingOverflow(other.millionths)
    guard !difference.overflow, difference.partialValue != .min else { throw .tooLarge("a difference") }
    return AfterpayAmount(millionths: difference.partialValue)
  }
}

/// Why a cell of the settlement file is not an amount.
enum AfterpayAmountError: Error, Equatable, CustomStringConvertible {
  case notAmount(String)
  case otherCurrency(String, String)
  case tooLarge(String)

  var description: String {
    switch self {
    case .notAmount(let text):
      "\"\(text.prefix(40))\" is no amount; expected one such as $1,259.72 or -$297.270000, with a point before the "
        + "decimals"
    case .otherCurrency(let text, let currency):
      "\"\(text.prefix(40))\" is in another currency than the account's \(currency): the file may be another account's"
    case .tooLarge(let text):
      "found \(text.prefix(40)), expected at most 5,000,000,000.00 either way; see the record at its source"
    }
  }
}
