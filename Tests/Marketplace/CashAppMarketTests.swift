import Foundation
import Testing

@testable import Marketplace

@Suite struct CashAppMarketTests {
  private func files(_ seed: UInt64, night: Int) throws -> (market: Market, files: [String: String]) {
    let market = try Market.generate(MarketPlan(seed: seed, accounts: [.cashApp], orders: 250, faults: 40))
    let files = market.nights[night - 1].accounts.values.first?.files ?? [:]
    return (
      market,
      Dictionary(uniqueKeysWithValues: files.map { ($0.key.replacing("cashapp-settlements/", with: ""), $0.value) })
    )
  }

  private func rows(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private func number(_ row: [String: String], _ name: String) -> Int64 { row[name].flatMap { Int64($0) } ?? 0 }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a batch ends with what it began with and its rows, less the payout, except where a fault says otherwise`(
    seed: UInt64
  ) throws {
    let (market, files) = try files(seed, night: 1)
    let broken = Set(market.planted.filter { $0.type == .batchOutOfBalance }.flatMap(\.recordIDs))
    var handedOn: Int64?
    var negative = 0
    for name in files.keys.sorted() where name.contains("balance_summary") {
      let id = try #require(name.firstRange(of: "_batch_").map { String(name[$0.upperBound...].dropLast(4)) })
      let stated = Dictionary(
        uniqueKeysWithValues: rows(files[name] ?? "").map { ($0["category"] ?? "", number($0, "net_amount")) })
      let chunks = files.filter { $0.key.contains("settlement_report") && $0.key.contains(id) }
      let booked = chunks.values.flatMap(rows).reduce(0) { $0 + number($1, "net_amount") }
      let (opening, closing) = (stated["starting_balance"] ?? 0, stated["ending_balance"] ?? 0)
      let holds = opening + booked - (stated["payout"] ?? 0) == closing && booked == stated["activity"]
      #expect(
        (holds && handedOn ?? opening == opening) != broken.contains(id)
          || (broken.contains(id) == false && handedOn != opening))
      handedOn = closing
      negative += closing < 0 ? 1 : 0
    }
    #expect(negative >= 1)
  }

  @Test
  func `a row's net is its gross less its fee, and its fee the sum of two parts, except where a fault says otherwise`()
    throws
  {
    let (market, files) = try files(5, night: 1)
    let broken = Set(market.planted.filter { $0.type == .settlementRowBroken }.flatMap(\.paymentIDs))
    for row in files.filter({ $0.key.contains("settlement_report") }).values.flatMap(rows) {
      let holds = number(row, "gross_amount") - number(row, "fee_amount") == number(row, "net_amount")
      #expect(holds || broken.contains(row["payment_id"] ?? ""))
      #expect(number(row, "fee_variable") + number(row, "fee_fixed") == number(row, "fee_amount"))
    }
    #expect(!broken.isEmpty)
  }

  @Test func `batches close on working days at 23:00 UTC, and a later night delivers them again under other names`()
    throws
  {
    let (_, first) = try files(6, night: 1)
    let days = Set(first.keys.map { String($0.prefix(8)) })
    #expect(days == ["20260302", "20260303", "20260304", "20260305", "20260306", "20260309", "20260310"])
    let (_, second) = try files(6, night: 2)
    for (name, text) in first { #expect(second[name] == text, "\(name) changed in place") }
    let again = second.keys.filter { $0.hasPrefix("20260311") && $0.contains("STB_20260310") }
    #expect(!again.isEmpty)
  }
}
