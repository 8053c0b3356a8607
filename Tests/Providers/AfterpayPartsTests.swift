import Foundation
import JSON
import Payments
import Settings
import Testing

@testable import Providers

@Suite("Afterpay's amounts, dates, payments and configuration") struct AfterpayPartsTests {
  @Test(
    "amounts are exact to the millionth",
    arguments: [
      ("$266.145000", 266_145_000), ("$1,259.72", 1_259_720_000), ("-$297.270000", -297_270_000),
      ("$-5.00", -5_000_000), ("85.95", 85_950_000),
      ("", 0), ("US$12", 12_000_000), ("$1,234,567.891234", 1_234_567_891_234), ("$0.000000", 0),
    ] as [(String, Int64)])
  func amounts(text: String, millionths: Int64) throws {
    #expect(try AfterpayAmount(text, Currency(code: "USD")).millionths == millionths)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "1.259,72", "1259,72", "$1,25", "$12,3456.00", "$", "$.50", "5.", "1.0000001", "($5.00)", "--5", "£5.00",
      "A$5.00", "5 USD", "1e3",
      "$99,999,999,999,999.00",
    ])
  func refused(text: String) throws {
    #expect(throws: AfterpayAmountError.self) { try AfterpayAmount(text, Currency(code: "USD")) }
  }

  @Test("half a cent is rounded away from zero") func rounding() throws {
    let dollars = try Currency(code: "USD")
    for (millionths, minor) in [
      (296_705_000, 29_671), (296_704_999, 29_670), (-5_000, -1), (-4_999, 0), (14_295_000, 1_430),
    ] as [(Int64, Int64)] {
      #expect(AfterpayAmount(millionths: millionths).rounded(dollars) == minor)
    }
  }

  @Test("dates by their format; a day in the month's place is an error") func dates() throws {
    #expect(try AfterpayDateFormat.standard.date("08/01/2026 18:02").description == "2026-08-01")
    #expect(throws: AfterpayDateError(text: "13/02/2026", format: "MM/dd/yyyy")) {
      try AfterpayDateFormat.standard.date("13/02/2026")
    }
    let european = try #require(AfterpayDateFormat("dd/MM/yyyy"))
    #expect(try european.date("13/02/2026").description == "2026-02-13")
    let iso = try #require(AfterpayDateFormat("yyyy-MM-dd"))
    #expect(try iso.date("2026-02-13").description == "2026-02-13")
    for wrong in ["", "02/13", "02/13/26", "02-13-2026", "2/13/2026x", "02/30/2026"] {
      #expect(throws: AfterpayDateError.self) { try AfterpayDateFormat.standard.date(wrong) }
    }
    for wrong in ["", "MM/dd", "MM/dd/yy", "MM/dd/yyyy HH", "dd/dd/yyyy", "MMddyyyy"] {
      #expect(AfterpayDateFormat(wrong) == nil)
    }
  }

  /// captured, real refunds, inconsistency of a payment reported in a line.
  private func read(_ events: String, refunds: String = "", open: String = "0.00", state: String = "CAPTURED") throws
    -> AfterpayPayment
  {
    let line = """
      {"id":"7","status":"APPROVED","created":"2026-08-13T10:00:00.000Z","originalAmount":{"amount":"30.00",\
      "currency":"GBP"},\
      "openToCaptureAmount":{"amount":"\(open)","currency":"GBP"},"paymentState":"\(state)","refunds":[\(refunds)],\
      "events":[\(events)]}
      """
    let configuration = AfterpayConfiguration(
      name: "afterpay", merchantID: "32", secretKey: Secret(""), currency: "GBP")
    return try JSONParser().parse(Array(line.utf8)) { try AfterpayPayment($0, AfterpayReader(configuration)) }
  }

  private func event(_ type: String, _ amount: String, at: String = "2026-08-13T13:37:47.222Z") -> String {
    #"{"id":"e-\#(type)","created":"\#(at)","type":"\#(type)","amount":{"amount":"\#(amount)","currency":"GBP"}}"#
  }

  private func refund(_ id: String, _ amount: String, at: String) -> String {
    #"{"refundId":"\#(id)","refundedAt":"\#(at)","amount":{"amount":"\#(amount)","currency":"GBP"}}"#
  }

  @Test("of refunds near a void only the nearest of its amount is its shadow") func voids() throws {
    let events = event("CAPTURED", "10.00") + "," + event("VOIDED", "20.00")
    #expect(try read(events, refunds: refund("r", "20.00", at: "2026-08-13T13:37:46.639Z")).realRefunds.isEmpty)
    #expect(
      try read(events, refunds: refund("r", "20.00", at: "2026-08-13T13:37:53.000Z")).realRefunds.map(\.id) == ["r"])
    #expect(
      try read(events, refunds: refund("r", "10.00", at: "2026-08-13T13:37:47.000Z")).realRefunds.map(\.id) == ["r"])
    let two =
      refund("far", "20.00", at: "2026-08-13T13:37:44.000Z") + ","
      + refund("near", "20.00", at: "2026-08-13T13:37:47.000Z")
    #expect(try read(events, refunds: two).realRefunds.map(\.id) == ["far"])
  }

  @Test("an immediate payment without an event of its capture is captured whole, less what was voided") func implied()
    throws
  {
    #expect(try read(event("AUTH_APPROVED", "30.00")).impliedCaptureMinor == 3000)
    #expect(try read(event("AUTH_APPROVED", "30.00") + "," + event("VOIDED", "20.00")).impliedCaptureMinor == 1000)
    #expect(try read(event("AUTH_APPROVED", "30.00"), open: "30.00", state: "AUTH_APPROVED").impliedCaptureMinor == nil)
    #expect(try read(event("AUTH_APPROVED", "30.00"), state: "AUTH_APPROVED").impliedCaptureMinor == nil)
  }

  @Test("captured, open and voided make the original amount, or the payment is inconsistent") func consistency() throws
  {
    #expect(try read(event("CAPTURED", "10.00") + "," + event("VOIDED", "20.00")).inconsistency == nil)
    #expect(try read(event("CAPTURED", "10.00"), open: "20.00").inconsistency == nil)
    #expect(try read(event("CAPTURED", "10.00") + "," + event("EXPIRED", "20.00")).inconsistency == nil)
    #expect(try read(event("CAPTURED", "10.00"), open: "5.00").inconsistency == 1500)
    #expect(try read(event("CAPTURED", "40.00")).inconsistency == 4000)
  }

  private func configuration(_ entry: String) throws -> AfterpayConfiguration {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString).yml")
    defer { try? FileManager.default.removeItem(at: file) }
    let head = "reporting: {time_zone: America/New_York}\norders:\n  - {name: shop, kind: csv, orders: orders.csv}\n"
    try Data((head + "providers:\n  - name: afterpay\n    kind: afterpay\n" + entry).utf8).write(to: file)
    var found: AfterpayConfiguration?
    _ = try Settings.load(file.path, environment: ["KEY": afterpayKey], providerKinds: ["afterpay"]) {
      found = try AfterpayConfiguration($0)
    }
    return try #require(found)
  }

  @Test("the entry of the configuration, and its defaults") func entry() throws {
    let found = try configuration(
      "    merchant_id: 32\n    secret_key: ${KEY}\n    currency: usd\n    settlement_directory: exports\n")
    #expect(found.merchantID == "32" && found.currency == "USD" && found.baseURL == "https://global-api.afterpay.com")
    #expect(found.settlementDateFormat == .standard && found.timeZone == "America/New_York")
    #expect(found.settlementDirectory?.hasSuffix("/exports") == true && found.lookBack == 121 * day && found.lag == 0)
    #expect(!"\(found)".contains("findme"))
  }

  @Test("mistakes are reported with their keys, never with the secret") func mistakes() throws {
    let error = #expect(throws: SettingsError.self) {
      try configuration(
        "    merchant_id: 32\n    secret_key: ${KEY}\n    currency: XXQ\n    settlement_date_format: MM/yyyy\n    "
          + "setlement_directory: x\n"
      )
    }
    let text = try #require(error).description
    for word in ["currency", "settlement_date_format", "setlement_directory", "settlement_directory"] {
      #expect(text.contains(word))
    }
    #expect(!text.contains("findme"))
  }
}
