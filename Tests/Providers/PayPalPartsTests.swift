import JSON
import Payments
import Testing

@testable import Providers

@Suite("PayPal's amounts, moments and event codes") struct PayPalPartsTests {
  @Test(
    "amounts as PayPal writes them",
    arguments: [
      ("10.99", "USD", 1099), ("-13.79", "USD", -1379), (".5", "USD", 50), ("-.5", "USD", -50), ("0", "USD", 0),
      ("1.0", "USD", 100),
      ("1500", "JPY", 1500), ("1500.00", "JPY", 1500), ("1500", "HUF", 150_000), ("10.9900", "USD", 1099),
    ])
  func amounts(figure: String, code: String, minor: Int64) throws {
    #expect(try PayPalAmount(figure: figure, currency: Currency(code: code)).minor == minor)
  }

  @Test(
    "what is no amount is refused",
    arguments: [
      "", "+5", "5.", "1,234.56", "10.99abc", "10.999", "1e3", " 1", "--1", ".", "-", "99999999999999999999", "USD",
    ])
  func noAmounts(figure: String) throws {
    let dollar = try Currency(code: "USD")
    #expect(throws: MoneyError.self) { try PayPalAmount(figure: figure, currency: dollar) }
  }

  @Test(
    "decimals where PayPal has none are read and flagged",
    arguments: [("JPY", true), ("HUF", true), ("TWD", true), ("USD", false)])
  func badScale(code: String, isBad: Bool) throws {
    #expect(try PayPalAmount(figure: "12.00", currency: Currency(code: code)).hasBadScale == isBad)
  }

  @Test("all three names of an amount's members are accepted, a swapped pair is not") func members() throws {
    let parser = JSONParser()
    for text in [
      #"{"currency_code":"USD","value":"1.10"}"#, #"{"currency":"USD","value":"1.10"}"#,
      #"{"currency":"USD","total":"1.10"}"#,
    ] {
      #expect(try parser.parse(Array(text.utf8)) { try PayPalAmount($0) }.minor == 110)
    }
    #expect(throws: MoneyError.self) {
      try parser.parse(Array(#"{"currency_code":"1.10","value":"USD"}"#.utf8)) { try PayPalAmount($0) }
    }
  }

  @Test(
    "moments as PayPal writes them",
    arguments: [
      "2026-03-02T10:00:05+0000", "2026-03-02T10:00:05Z", "2026-03-02T10:00:05.000Z", "2026-03-02T10:00:05.00Z",
      "2026-03-02T10:00:05.964Z",
      "2026-03-02T03:00:05.964PDT", "2026-03-02T02:00:05PST", "2026-03-02T12:00:05+02:00", "2026-03-02T11:00:05.1+0100",
    ])
  func moments(text: String) throws { #expect(try PayPalInstant.parse(text) == 1_772_445_605) }

  @Test(
    "what is no moment is refused",
    arguments: ["", "2026-03-02", "2026-03-02T10:00:05", "yesterdayT", "2026-13-02T10:00:05Z", "PDT"])
  func noMoments(text: String) { #expect(throws: InstantError.self) { try PayPalInstant.parse(text) } }

  @Test(
    "event codes by their group, with exceptions",
    arguments: [
      ("T0006", PayPalEventCode.Meaning.payment, true), ("T0113", .platformFee, true), ("T0106", .disputeFee, true),
      ("T0199", .fee, false),
      ("T1107", .refund, true), ("T1110", .dispute, true), ("T1105", .hold, true), ("T1300", .authorisation, true),
      ("T1399", .authorisation, true),
      ("T2103", .hold, true), ("T2199", .hold, false), ("T0400", .payout, true), ("T9800", .display, true),
      ("T9900", .other, false),
      ("T7777", .other, false), ("", .other, false), ("t0006", .other, false), ("T00061", .other, false),
    ])
  func codes(code: String, meaning: PayPalEventCode.Meaning, isKnown: Bool) {
    #expect(PayPalEventCode.of(code) == PayPalEventCode(meaning: meaning, isKnown: isKnown))
  }

  @Test("halves of a window meet and cover it, down to a second alone") func halves() {
    #expect(
      PayPalPiece(from: 0, to: 31 * 86_400).halves == [
        PayPalPiece(from: 0, to: 1_339_200), PayPalPiece(from: 1_339_200, to: 31 * 86_400),
      ])
    #expect(PayPalPiece(from: 5, to: 6).halves == [PayPalPiece(from: 5, to: 5), PayPalPiece(from: 6, to: 6)])
    #expect(PayPalPiece(from: 5, to: 5).halves == nil)
  }

  @Test("a refund's capture is the end of its link upwards") func capture() throws {
    let text =
      #"""
      {"links":[{"rel":"self","href":"https://a/v2/payments/refunds/R"},{"rel":"up",\#
      "href":"https://a/v2/payments/captures/CAP1"}]}
      """#
    #expect(try JSONParser().parse(Array(text.utf8)) { PayPalReader.capture(ofRefund: $0) } == "CAP1")
  }
}
