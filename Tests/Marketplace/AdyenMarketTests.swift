import Foundation
import Testing

@testable import Marketplace

@Suite struct AdyenMarketTests {
  static let accounts: [AccountPlan] = [.adyenNL, .adyenUS, .adyenUK]

  private func market(_ seed: UInt64, _ account: AccountPlan, orders: Int = 250, faults: Int = 60) throws -> Market {
    try Market.generate(MarketPlan(seed: seed, accounts: [account], orders: orders, faults: faults))
  }

  /// The report files of a night, by name.
  private func reports(_ market: Market, night: Int) -> [String: String] {
    let account = market.nights[night - 1].accounts.values.first
    let served = (account?.site as? AdyenSite)?.files ?? [:]
    let files = served.merging(account?.files ?? [:]) { $1 }.filter { $0.key.contains("settlement_detail_report") }
    return Dictionary(uniqueKeysWithValues: files.map { (String($0.key.split(separator: "/").last ?? ""), $0.value) })
  }

  @Test(arguments: accounts) func `every batch comes to nothing, except where a fault says otherwise`(
    account: AccountPlan
  ) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let market = try market(seed, account)
      let broken = market.planted.filter { $0.type == .batchOutOfBalance }.flatMap(\.recordIDs)
      let reports = reports(market, night: 2)
      #expect(reports.count == 10)
      var handedOn: [Int: Decimal] = [:]
      for (_, text) in reports.sorted(by: {
        $0.key.count != $1.key.count ? $0.key.count < $1.key.count : $0.key < $1.key
      }) {
        let rows = SettlementText(text).rows
        let number = try #require(rows.first.flatMap { $0["Batch Number"] }.flatMap { Int($0) })
        let sum = rows.reduce(Decimal(0)) { $0 + $1.net }
        let opening = rows.filter { $0["Modification Merchant Reference"]?.contains(" from ") == true }.reduce(
          Decimal(0)
        ) { $0 + $1.net }
        let isWrong = sum != 0 || handedOn[number - 1].map { $0 != opening } == true
        handedOn[number] = -rows.filter { $0["Modification Merchant Reference"]?.contains(" to ") == true }.reduce(
          Decimal(0)
        ) { $0 + $1.net }
        #expect(
          isWrong == broken.contains("\(account.id)/\(number)")
            || (isWrong == false && broken.contains("\(account.id)/\(number + 1)")))
      }
    }
  }

  @Test(arguments: accounts)
  func `a row's net is its gross at its rate less its fees, except where a fault says otherwise`(
    account: AccountPlan
  ) throws {
    let market = try market(4, account)
    let broken = Set(market.planted.filter { $0.type == .settlementRowBroken }.flatMap(\.paymentIDs))
    for text in reports(market, night: 1).values {
      for row in SettlementText(text).rows where row["Psp Reference"]?.isEmpty == false {
        let off = row.net - (row.converted - row.fees)
        let isConverted = row["Gross Currency"] != row["Net Currency"]
        let tolerated = isConverted ? Decimal(string: "0.0151") ?? 0 : 0
        let isBroken = abs(off) > tolerated
        #expect(
          !isBroken || (broken.contains(row["Psp Reference"] ?? "") && row["Type"] == "Settled"),
          "\(row["Psp Reference"] ?? "")")
      }
    }
    #expect(!broken.isEmpty)
  }

  @Test func `reports wear their accounts' looks: order of columns, BOM, line ends, zeros, the hour that is skipped`()
    throws
  {
    let dutch = try #require(reports(market(5, .adyenNL), night: 1)["settlement_detail_report_batch_212.csv"])
    #expect(
      dutch.hasPrefix(
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,")
    )
    #expect(dutch.contains("Reserved10,Booking Date,Booking Date TimeZone\n"))
    let american = reports(try market(5, .adyenUS), night: 2)
    let first = try #require(american["settlement_detail_report_batch_1041_20260302.csv"])
    #expect(first.hasPrefix("\u{FEFF}Booking Date TimeZone,Booking Date,"))
    #expect(first.contains("\r\n"))
    #expect(american.values.contains { $0.contains(",EST,") } && american.values.contains { $0.contains(",EDT,") })
    #expect(AdyenAccount.american.local(1_772_953_199) == ("2026-03-08 01:59:59", "EST"))
    #expect(AdyenAccount.american.local(1_772_953_200) == ("2026-03-08 03:00:00", "EDT"))
  }

  @Test func `notifications are signed as Adyen signs, repeated, and out of order`() throws {
    let event = AdyenEvent(
      code: "EVENT", psp: "pspReference", original: "originalReference", reference: "reference", currency: "eur",
      value: 1_000, at: 0,
      night: 1)
    let account = AdyenAccount(
      name: "merchantAccount", currency: "eur", zone: "UTC", firstBatch: 1, isDownloaded: false, isNotified: true,
      isReordered: false)
    let key = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"
    #expect(AdyenNotices(account: account, key: key).signature(event) == "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=")
    let files = try market(6, .adyenNL).nights[0].accounts.values.first?.files ?? [:]
    let lines = files.values.flatMap { $0.split(separator: "\n") }.map(String.init)
    #expect(lines.count > Set(lines).count)
    for line in lines { #expect(try JSONTree.parse(line)["notificationItems"]?.elements.count == 1) }
    let told = try #require(files["adyen-notifications/AcmeNL-1.jsonl"])
    let dates = told.split(separator: "\n").map { line in
      String(String(line).split(separator: "\"eventDate\":\"")[1].prefix(19))
    }
    #expect(dates != dates.sorted())
    #expect(files.values.contains { $0.contains("REPORT_AVAILABLE") })
  }

  @Test func `what is downloaded asks for the report user, and the next number is not there`() throws {
    let site = try #require(market(7, .adyenNL).nights[0].accounts.values.first?.site)
    let path = "/reports/download/MerchantAccount/AcmeNL/settlement_detail_report_batch_"
    func status(_ number: Int, basic: String?) -> Int {
      site.answer(
        SiteRequest(
          method: "GET", path: "\(path)\(number).csv", query: [], headers: [:], body: "", baseURL: "", basic: basic),
        repeating: false
      ).status
    }
    let user = "\(AdyenSite.user):\(AdyenSite.password)"
    #expect(status(212, basic: nil) == 401)
    #expect(status(212, basic: "report@Company.Other:x") == 401)
    #expect((212...220).allSatisfy { status($0, basic: user) == 200 })
    #expect(status(221, basic: user) == 404)
  }

  @Test func `the kiosk's calls are JSON, and an order carries the hash that its payment was prepared with`() throws {
    let files = try market(8, .adyenUS).nights[0].accounts.values.first?.files ?? [:]
    let calls = try #require(files["kiosk/calls-1.jsonl"]).split(separator: "\n").map { try JSONTree.parse(String($0)) }
    let prepared = Set(
      calls.filter { $0["call"]?.word == "init-payment" }.compactMap {
        $0["response"]?["data"]?["payment_init_hash"]?.word
      })
    let orders = calls.filter { $0["call"]?.word == "orders" }
    #expect(orders.count > 10)
    for order in orders {
      let hash = try #require(order["request"]?["payment_info"]?["payment_init_hash"]?.word)
      #expect(prepared.contains(hash) && hash.utf8.count == 32)
      #expect(order["response"]?["data"]?["total"]?.word.flatMap { Int64($0) } ?? 0 > 0)
    }
  }
}

/// A settlement report, split by a reader of the test's own.
private struct SettlementText {
  let rows: [Row]

  init(_ text: String) {
    let lines = text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n").split(separator: "\n").map {
      Self.cells(String($0))
    }
    rows = lines.dropFirst().map { Row(cells: Dictionary(zip(lines[0], $0)) { first, _ in first }) }
  }

  private static func cells(_ line: String) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }

  struct Row {
    let cells: [String: String]

    subscript(_ name: String) -> String? { cells[name] }
    private func amount(_ name: String) -> Decimal { Decimal(string: cells[name] ?? "") ?? 0 }
    var net: Decimal { amount("Net Credit (NC)") - amount("Net Debit (NC)") }
    var fees: Decimal {
      amount("Commission (NC)") + amount("Markup (NC)") + amount("Scheme Fees (NC)") + amount("Interchange (NC)")
    }
    var converted: Decimal { (amount("Gross Credit (GC)") - amount("Gross Debit (GC)")) * amount("Exchange Rate") }
  }
}
