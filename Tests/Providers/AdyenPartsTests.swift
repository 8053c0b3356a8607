import Foundation
import JSON
import Payments
import Settings
import TestSupport
import Testing

@testable import Providers

@Suite("What Adyen signs") struct AdyenSignatureTests {
  /// Two from Adyen's own libraries, the others made with their key: a reference with colons, yen, krona, a report.
  @Test(
    "the published vectors verify, colons and all",
    arguments: [
      (
        "pspReference:originalReference:merchantAccount:reference:1000:EUR:EVENT:true",
        "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc="
      ),
      (
        "pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true",
        "ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE="
      ),
      (
        "AAAA0000AAAA0001::DemoShopECOM:ORD-1001:10000:EUR:AUTHORISATION:true",
        "FclRklPtttXILzqqRmGoifbmnb7L2+UoadUkbisq9Uo="
      ),
      (
        "settlement_detail_report_batch_214.csv::DemoShopECOM::0:EUR:REPORT_AVAILABLE:true",
        "uOnYz/mi/3wDxm+bOvHViSpnkKx4d0gteYOqNXQOZow="
      ),
    ])
  func vectors(text: String, signature: String) throws {
    let key = try #require(AdyenSignatureKey(hexadecimal: adyenTestKey))
    #expect(key.hasSigned(text, signature: signature))
    #expect(
      !key.hasSigned(text + " ", signature: signature) && !key.hasSigned(text, signature: String(signature.dropLast(4)))
    )
    #expect(!key.hasSigned(text, signature: "") && !key.hasSigned(text, signature: "no base64"))
  }

  @Test("an item verifies with colons in its reference, with any of the keys, and whatever type success is")
  func items() throws {
    let old = try #require(AdyenSignatureKey(hexadecimal: String(repeating: "00", count: 32)))
    let key = try #require(AdyenSignatureKey(hexadecimal: adyenTestKey))
    for success in ["\"true\"", "true"] {
      let item =
        #"""
        {"additionalData":{"hmacSignature":"CR7gepKqI8gowOHqW44gZq67JRZnPBG7nWS9o+Mz0nI="},"amount":{"currency":"EUR",\#
        "value":3000},
        """#
        + #""eventCode":"REFUND","merchantAccountCode":"DemoShopECOM","merchantReference":"ORD-1001","#
        + #""originalReference":"AAAA0000AAAA0001","pspReference":"RFND0000AAAA0001","success":\#(success)}"#
      try JSONParser().parse(Array(item.utf8)) { value in
        let notification = AdyenNotification(item: value, location: "x")
        #expect(notification.isBelieved([old, key]) && !notification.isBelieved([old]) && !notification.isBelieved([]))
      }
    }
    #expect(!"\(key)\(String(reflecting: key))".contains("DFB1"))
  }

  @Test("a key is hexadecimal digits, two for each byte", arguments: ["", "abc", "zz", "0x12", "12 4"])
  func keys(text: String) { #expect(AdyenSignatureKey(hexadecimal: text) == nil) }
}

@Suite("Adyen's amounts and times") struct AdyenValueTests {
  @Test(
    "notifications count in Adyen's digits",
    arguments: [
      ("JPY", 2000, 2000), ("ISK", 279_000, 2790), ("CLP", 500_00, 500), ("CVE", 7, 700), ("IDR", 12, 1200),
      ("EUR", 1130, 1130),
      ("KWD", 1500, 1500),
    ]
  )
  func exponents(code: String, sent: Int64, minor: Int64) throws {
    #expect(try AdyenAmount.minor(sent, Currency(code: code)) == minor)
  }

  @Test("what a currency cannot hold is refused, not rounded") func notWhole() throws {
    #expect(throws: MoneyError.self) { try AdyenAmount.minor(Int64(279_050), Currency(code: "ISK")) }
    #expect(throws: MoneyError.self) { try AdyenAmount.minor("0.125", Currency(code: "EUR")) }
    #expect(throws: MoneyError.self) { try AdyenAmount.minor("1e5", Currency(code: "EUR")) }
  }

  @Test(
    "reports drop zeros or keep them",
    arguments: [
      ("26.2", 2620), ("75", 7500), ("454331.90", 45_433_190), ("3.500", 350), ("", 0), ("0.00", 0), ("-1.5", -150),
    ])
  func decimals(text: String, minor: Int64) throws {
    #expect(try AdyenAmount.minor(text, Currency(code: "EUR")) == minor)
  }

  @Test(
    "a rate converts to the nearest cent, halves away from zero",
    arguments: [
      ("1.1005658780012", 55_700, "GBP", "EUR", 61_302), ("1.1734", 8000, "GBP", "EUR", 9387),
      ("0.0061", 2000, "JPY", "EUR", 1220),
      ("0.011", 1000, "INR", "EUR", 11), ("161.25", 100, "EUR", "JPY", 161), ("0.5", 1, "EUR", "EUR", 1),
      ("0.5", -1, "EUR", "EUR", -1),
      ("18999.123456789012345678", 100, "EUR", "IDR", 1_899_912), ("1", 5, "EUR", "EUR", 5),
    ])
  func rates(text: String, gross: Int64, from: String, to: String, minor: Int64) throws {
    let rate = try #require(try AdyenAmount.Rate(text))
    #expect(try rate.converted(gross, from: Currency(code: from), to: Currency(code: to)) == minor)
  }

  private static let clocks: [(zone: String, text: String, abbreviation: String, instant: String, isDisputed: Bool)] = [
    ("Europe/Amsterdam", "2026-10-25 02:30:00", "CEST", "2026-10-25T00:30:00Z", false),
    ("Europe/Amsterdam", "2026-10-25 02:30:00", "CET", "2026-10-25T01:30:00Z", false),
    ("Europe/Amsterdam", "2026-10-25 02:30:00", "", "2026-10-25T00:30:00Z", false),
    ("Europe/Amsterdam", "2026-05-03 12:00:00", "CET", "2026-05-03T10:00:00Z", true),
    ("Europe/Amsterdam", "2026-03-29 02:30:00", "CET", "2026-03-29T01:30:00Z", false),
    ("America/Los_Angeles", "2025-09-10 09:00:00", "PST", "2025-09-10T16:00:00Z", true),
    ("America/Los_Angeles", "2026-11-01 01:30:00", "PDT", "2026-11-01T08:30:00Z", false),
    ("America/Los_Angeles", "2026-11-01 01:30:00", "PST", "2026-11-01T09:30:00Z", false),
    ("Europe/London", "2026-07-01 12:00:00", "BST", "2026-07-01T11:00:00Z", false),
    ("Asia/Shanghai", "2026-07-01 12:00:00", "CST", "2026-07-01T04:00:00Z", false),
  ]

  @Test("the account's zone decides, and an abbreviation reports the hour that comes twice", arguments: clocks.indices)
  func clock(index: Int) throws {
    let (zone, text, abbreviation, instant, isDisputed) = Self.clocks[index]
    let clock = AdyenClock(zone: try #require(TimeZone(identifier: zone)))
    #expect(Instant.text(try clock.instant(text, abbreviation)) == instant)
    #expect(Instant.text(try clock.instant(text, abbreviation)) == instant)
    #expect(clock.disagreements == (isDisputed ? 2 : 0))
  }

  @Test(
    "a time that a spreadsheet has touched is refused",
    arguments: ["4/7/25 9:00", "2026-02-30 10:00:00", "2026-07-06", "2026-07-06 10:00", ""])
  func noTime(text: String) { #expect(throws: AdyenClockError.self) { try AdyenClock(zone: .gmt).instant(text, "") } }

  @Test("reports are routed by their names") func names() {
    #expect(AdyenReportName("settlement_detail_report_batch_214.csv")?.batch == 214)
    #expect(AdyenReportName("settlement_detail_report_batch_1413_20230523.csv")?.batch == 1413)
    #expect(AdyenReportName("settlement_detail_report_batch_7.1.csv")?.batch == 7)
    #expect(AdyenReportName("settlement_detail_report_batch_7.xlsx")?.format == "xlsx")
    #expect(
      AdyenReportName.dated("settlement_detail_report_batch_7_20260708.csv")
        == "settlement_detail_report_batch_7_20260708.csv")
    #expect(AdyenReportName.dated("settlement_detail_report_batch_7_?x=1.csv") == nil)
    for other in [
      "payments_accounting_report_2026_07_06.csv", "settlement_detail_report_batch_.csv",
      "settlement_detail_report_batch_7x.csv",
      "settlement_detail_report_batch_7.pdf", "../settlement_detail_report_batch_7.csv",
      "settlement_detail_report_batch_99999999999.csv",
    ] {
      #expect(AdyenReportName(other) == nil, "\(other)")
    }
  }
}

@Suite("Adyen's entry in the configuration") struct AdyenConfigurationTests {
  private func read(_ entry: String) throws -> AdyenConfiguration {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString).yml")
    defer { try? FileManager.default.removeItem(at: file) }
    let order = "orders:\n  - {name: shop, kind: csv, orders: orders.csv}\n"
    try Data((order + "providers:\n  - {name: adyen, kind: adyen, \(entry)}\n").utf8).write(to: file)
    var found: AdyenConfiguration?
    _ = try Settings.load(
      file.path, environment: ["KEY": adyenTestKey, "PASSWORD": adyenPassword], providerKinds: ["adyen"]
    ) {
      found = try AdyenConfiguration($0)
    }
    return try #require(found)
  }

  @Test("a download needs an address and a user; keys are many") func download() throws {
    let configuration = try read(
      "merchant_account: AcmeNL, username: report_1@Company.Acme, password: \"${PASSWORD}\", "
        + "base_url: https://ca-live.adyen.com, first_batch: 212, "
        + "webhooks_directory: hooks, hmac_keys: [\"${KEY}\", \"00ff\"], time_zone: Europe/Amsterdam, "
        + "order_reference: [merchant_order_reference]"
    )
    #expect(
      configuration.firstBatch == 212 && configuration.signatureKeys.count == 2
        && configuration.orderReference == ["merchant_order_reference"])
    guard case .download(let url, let user, _) = configuration.reports else {
      return #expect(Bool(false), "no download")
    }
    #expect(url == "https://ca-live.adyen.com" && user == "report_1@Company.Acme")
    #expect(!"\(configuration)".contains("findme") && !"\(configuration)".contains("DFB1"))
  }

  @Test("a folder needs neither address nor user, and without notifications no keys; what is null is left out")
  func folder() throws {
    let configuration = try read(
      "merchant_account: AcmeNL, reports_directory: reports, first_batch: null, webhooks_directory: null, "
        + "balance_platform: Demo, balance_platform_reports_directory: bp, liable_account: BA1")
    guard case .folder(let path) = configuration.reports else { return #expect(Bool(false), "no folder") }
    #expect(path.hasSuffix("/reports") && configuration.webhooksDirectory == nil && configuration.signatureKeys.isEmpty)
    #expect(
      configuration.timeZone == "Europe/Amsterdam"
        && configuration.orderReference == ["merchant_reference", "merchant_order_reference"])
    #expect(configuration.balancePlatform == "Demo" && configuration.liableAccount == "BA1")
  }

  @Test(
    "what is missing or wrong is named",
    arguments: [
      ("merchant_account: AcmeNL", "base_url"),
      ("merchant_account: AcmeNL, base_url: https://ca-live.adyen.com, username: u", "password"),
      ("reports_directory: r", "merchant_account"),
      ("merchant_account: AcmeNL, reports_directory: r, webhooks_directory: w", "hmac_keys"),
      ("merchant_account: AcmeNL, reports_directory: r, hmac_keys: [xyz]", "hmac_keys"),
      ("merchant_account: ../x, reports_directory: r", "merchant_account"),
      ("merchant_account: AcmeNL, reports_directory: r, hmac_key: [aa]", "hmac_keys"),
      ("merchant_account: AcmeNL, reports_directory: r, time_zone: Amsterdam", "Europe/Amsterdam"),
    ])
  func mistakes(entry: String, named: String) {
    let error = #expect(throws: SettingsError.self) { try read(entry) }
    #expect(error?.description.contains(named) == true, "\(String(describing: error))")
  }
}
