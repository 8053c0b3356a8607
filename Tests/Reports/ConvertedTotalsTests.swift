import Payments
import Testing

@testable import Reports

@Suite("Converted totals")
struct ConvertedTotalsTests {
  /// An amount in the first currency, its rate, and what it is in the second.
  struct Case: Sendable {
    let amount: Int64
    let from: String
    let rate: String
    let to: String
    let converted: Int64?
  }

  @Test(
    "Digits of both currencies count, halves are rounded away from zero, and nothing overflows",
    arguments: [
      Case(amount: 10_000, from: "USD", rate: "0.92", to: "EUR", converted: 9_200),
      Case(amount: 1_000, from: "JPY", rate: "0.0061", to: "EUR", converted: 610),
      Case(amount: 12_345, from: "KWD", rate: "3.0125", to: "EUR", converted: 3_719),
      Case(amount: 100, from: "EUR", rate: "163.5", to: "JPY", converted: 164),
      Case(amount: -100, from: "EUR", rate: "163.5", to: "JPY", converted: -164),
      Case(amount: 1, from: "USD", rate: "0.4999", to: "EUR", converted: 0),
      Case(
        amount: 1_000_000_000_000_000, from: "USD", rate: "1.000000000000000001", to: "EUR",
        converted: 1_000_000_000_000_000),
      Case(amount: 1_000_000_000_000_000, from: "JPY", rate: "9000000000", to: "KWD", converted: nil),
    ])
  func conversion(_ example: Case) throws {
    let totals = ConvertedTotals(
      currency: try Currency(code: example.to), source: "rates.csv",
      rates: [example.from: .init(rate: try ExactDecimal(example.rate), day: nil)])
    #expect(totals.convert(example.amount, from: try Currency(code: example.from)) == example.converted)
    #expect(totals.convert(example.amount, from: try Currency(code: "CHF")) == nil)
  }
}
