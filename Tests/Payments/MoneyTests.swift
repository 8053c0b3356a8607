import Testing

@testable import Payments

@Suite("Money")
struct MoneyTests {
  @Test("parse and print are inverse for every currency and amount", arguments: Currency.all)
  func parsePrint(currency: Currency) throws {
    var random = RandomNumbers(seed: 20_261_121)
    let edges: [Int64] = [0, 1, -1, 9, 10, 99, 100, 101, 999, 1000, 1001, Limits.amountMinor, -Limits.amountMinor]
    for amount in edges
      + (0..<200).map({ _ in Int64(bitPattern: random.next() >> (random.next() % 64)) % (Limits.amountMinor + 1) })
    {
      let money = Money(amountMinor: amount, currency: currency)
      #expect(try Money.parse(money.decimalText, currency) == money, "\(amount) \(currency), seed 20261121")
      #expect(money.decimalText.split(separator: ".").dropFirst().first?.count ?? 0 == currency.digits)
    }
  }

  @Test("a sum never wraps: it is exact or an error")
  func sums() throws {
    var random = RandomNumbers(seed: 7)
    let euro = try Currency(code: "eur")
    for _ in 0..<2000 {
      let left = Int64(bitPattern: random.next())
      let right = Int64(bitPattern: random.next())
      let (sum, overflow) = left.addingReportingOverflow(right)
      let added = try? Money(amountMinor: left, currency: euro).adding(Money(amountMinor: right, currency: euro))
      #expect(added?.amountMinor == (overflow ? nil : sum), "seed 7")
    }
  }

  @Test("amounts of two currencies are never added")
  func twoCurrencies() throws {
    let dollars = Money(amountMinor: 1, currency: try Currency(code: "USD"))
    let euros = Money(amountMinor: 1, currency: try Currency(code: "EUR"))
    #expect(throws: MoneyError.twoCurrencies("USD", "EUR")) { try dollars.adding(euros) }
  }

  @Test(
    "a text that is no exact amount is refused",
    arguments: [
      ("", "USD"), ("-", "USD"), (".5", "USD"), ("5.", "USD"), ("1e3", "USD"), ("1,00", "USD"), ("1.000", "USD"),
      ("1.0", "JPY"),
      (" 1", "USD"),
      ("92233720368547758.07", "USD"), ("92233720368547758.08", "USD"), ("9223372036854775808", "JPY"), ("NaN", "USD"),
      ("1.2.3", "USD"),
      ("٣", "USD"), ("10000000000000.01", "USD"), ("-10000000000000.01", "USD"), ("1000000000000001", "JPY"),
      ("1000000000000.001", "BHD"),
    ])
  func refused(text: String, code: String) throws {
    let currency = try Currency(code: code)
    #expect(throws: MoneyError.self) { try Money.parse(text, currency) }
  }

  @Test("a proportion rounds to the nearest unit, halves away from zero")
  func proportions() throws {
    let cases: [(Int64, Int64, Int64, Int64)] = [
      (880, 500, 1200, 367), (880, 1000, 1200, 733), (109, 50, 153, 36), (1, 1, 2, 1), (-1, 1, 2, -1), (1, -1, 2, -1),
      (3, 1, 2, 2), (5, 1, 3, 2),
      (.max, .max, .max, .max), (0, 5, 3, 0), (.max, 1, 1, .max), (123, 400, 1000, 49),
    ]
    for (amount, part, whole, expected) in cases {
      #expect(try Money.proportion(amount, part, whole) == expected, "\(amount) × \(part) ÷ \(whole)")
    }
    #expect(throws: MoneyError.self) { try Money.proportion(.max, 2, 1) }
    #expect(throws: MoneyError.self) { try Money.proportion(1, 1, 0) }
  }
}

/// A seeded generator (SplitMix64), so that a failure can be repeated.
struct RandomNumbers {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
