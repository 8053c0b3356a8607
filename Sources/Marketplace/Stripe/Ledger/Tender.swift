/// The currencies of a sale: what the customer sees, and what the platform's ledger holds.
struct Tender: Sendable, Equatable {
  /// ISO 4217, lower case as in Stripe's JSON.
  var presentment: String
  var settlement: String
  /// Settlement minor units per 100,000 presentment minor units; nil in one currency.
  var rate: Int64?

  static let usd = Tender(presentment: "usd", settlement: "usd")
  static let eur = Tender(presentment: "eur", settlement: "eur")
  static let jpy = Tender(presentment: "jpy", settlement: "jpy")
  static let kwd = Tender(presentment: "kwd", settlement: "kwd")

  init(presentment: String, settlement: String, rate: Int64? = nil) {
    self.presentment = presentment
    self.settlement = settlement
    self.rate = rate
  }

  /// Canadian dollars that settle in US dollars, at a rate of that many hundred-thousandths.
  static func cad(rate: Int64) -> Tender {
    Tender(presentment: "cad", settlement: "usd", rate: rate)
  }

  /// An amount in settlement minor units, rounded to nearest.
  func settled(_ amount: Int64) -> Int64 {
    guard let rate else { return amount }
    return Self.share(amount, rate, of: 100_000)
  }

  /// The rate in its literal text, e.g. `0.73456`.
  var rateText: String? {
    guard let rate else { return nil }
    let digits = String(rate % 100_000)
    return "\(rate / 100_000)." + String(repeating: "0", count: 5 - digits.count) + digits
  }

  /// `amount × part / whole`, rounded to nearest, half away from zero.
  static func share(_ amount: Int64, _ part: Int64, of whole: Int64) -> Int64 {
    let product = amount * part
    let half = product < 0 ? -whole / 2 : whole / 2
    return (product + half) / whole
  }

  /// How many decimal digits a currency has.
  static func digits(_ currency: String) -> Int {
    switch currency.lowercased() {
    case "jpy": 0
    case "kwd": 3
    default: 2
    }
  }

  /// An amount in major units, exact, e.g. `12.30`.
  static func text(_ amount: Int64, _ currency: String) -> String {
    let digits = digits(currency)
    guard digits > 0 else { return "\(amount)" }
    let sign = amount < 0 ? "-" : ""
    let text = String(amount.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}

/// How a customer pays.
enum Method: String, Sendable, CaseIterable {
  case card
  case ideal
  case sepaDebit = "sepa_debit"
  case bankAccount = "us_bank_account"

  var isCard: Bool { self == .card }

  /// Methods whose money can still fail days later.
  var isAsynchronous: Bool { self == .sepaDebit || self == .bankAccount }
}

/// The provider's fees, by settlement currency; the rate cards of the generated configuration are the same.
struct FeeRate: Sendable {
  let currency: String
  /// Hundredths of a percent.
  let basisPoints: Int64
  /// Minor units.
  let fixed: Int64

  static let cards = [
    FeeRate(currency: "usd", basisPoints: 290, fixed: 30), FeeRate(currency: "eur", basisPoints: 150, fixed: 25),
    FeeRate(currency: "jpy", basisPoints: 360, fixed: 0), FeeRate(currency: "kwd", basisPoints: 250, fixed: 100),
  ]

  /// The fee on an amount in settlement minor units; methods other than cards have a fixed one and are on no rate
  /// card.
  static func fee(_ amount: Int64, _ currency: String, _ method: Method) -> Int64 {
    guard method.isCard, let rate = cards.first(where: { $0.currency == currency }) else {
      return method == .ideal ? 29 : 40
    }
    return Tender.share(amount, rate.basisPoints, of: 10_000) + rate.fixed
  }
}
