import Foundation
import Marketplace
import TestSupport
import Testing

/// The statements of a marketplace's sellers: they go on from period to period, add up to the reconciliation, and
/// report each seller its own alone.
@Suite("Statements", .onItsOwnThread, .serialized)
struct StatementTests {
  static let seed: UInt64 = 4
  static let firstDay = "2026-03-01"
  static let lastDay = "2026-03-10"

  @Test(
    "sums continue over days and months, equal connected_accounts.csv exactly, and are the same bytes on both stores"
  )
  func continuing() async throws {
    var bytes: [[String: Data]] = []
    for engine in TestStore.all where engine == .sqlite || TestStore.postgresqlURL != nil {
      try await StatementNights.serve(Self.seed, engine) { nights in
        let whole = try await nights.report(Self.firstDay, Self.lastDay)
        let parts = try await [
          nights.report(Self.firstDay, "2026-03-03"), nights.report("2026-03-04", "2026-03-04"),
          nights.report("2026-03-05", Self.lastDay),
        ]
        var days: [StatementNights.Period] = []
        for day in engine == .sqlite ? 1...10 : 1...3 {
          try await days.append(nights.report(String(format: "2026-03-%02d", day), String(format: "2026-03-%02d", day)))
        }
        if engine == .postgresql { days += parts.dropFirst() }
        for periods in [parts, days] { expectToContinue(periods, whole) }
        for period in [whole] + parts + days { expectToEqualAccounts(period) }
        for periods in [parts, days] {
          for (before, period) in zip([nil] + periods.dropLast(), periods) {
            #expect(try period.rollForward?.problems(after: before?.rollForward) == [])
          }
        }
        #expect(try await nights.report(Self.firstDay, Self.lastDay).files == whole.files, "run twice")
        let later = try await nights.report("2026-04-01", "2026-04-30")
        for key in whole.rows.keys where isZero(whole.balance(key, \.last)) == false {
          #expect(later.rows[key]?.count == 2 && later.balance(key, \.first) == whole.balance(key, \.last), "\(key)")
        }
        #expect(later.rows.keys.allSatisfy { whole.rows[$0] != nil })
        bytes.append(whole.files)
      }
    }
    #expect(bytes.count < 2 || bytes[0] == bytes[1], "the stores differ")
  }

  @Test(
    "a statement names no other account, no order of others and no provider fee, in the file or in the workbook"
  )
  func ownAlone() async throws {
    try await StatementNights.serve(Self.seed, .sqlite) { nights in
      let period = try await nights.report(Self.firstDay, Self.lastDay)
      let orders = try CSVTable("\(nights.folder)/orders.csv").rows
      let sellers = Dictionary(uniqueKeysWithValues: orders.map { ($0["order_id"] ?? "", $0["seller_account"] ?? "") })
      let accounts = Set(period.list.map { $0["connected_account"] ?? "" })
      #expect(accounts.count > 10)
      for line in period.list {
        let (account, file) = (line["connected_account"] ?? "", line["file"] ?? "")
        var texts = [String(decoding: period.files[file] ?? Data(), as: UTF8.self)]
        texts += try nights.cells(line["workbook"] ?? "", first: Self.firstDay, last: Self.lastDay).flatMap { $0 }
        for text in texts {
          #expect(!accounts.subtracting([account]).contains { text.contains($0) }, "\(file) names another account")
          #expect(!text.contains("acct_platform") && !text.contains("txn_"), "\(file) names what is ours")
        }
        for row in period.rows[StatementNights.key(line)] ?? [] {
          for order in (row["order_id"] ?? "").split(separator: " ").map(String.init) {
            #expect(
              ["", account].contains(sellers[order] ?? "?"),
              "\(file): \(order) is an order of \(sellers[order] ?? "nobody")")
          }
          #expect(Self.types.contains(row["type"] ?? ""), "\(file): \(row)")
        }
      }
    }
  }

  @Test("the workbook holds the file's rows, its balances as formulas with their values")
  func workbook() async throws {
    try await StatementNights.serve(Self.seed, .sqlite) { nights in
      let period = try await nights.report(Self.firstDay, Self.lastDay)
      for line in period.list {
        let rows = period.rows[StatementNights.key(line)] ?? []
        let cells = try nights.cells(line["workbook"] ?? "", first: Self.firstDay, last: Self.lastDay)
        #expect(cells.count >= rows.count + 5)
        for (row, cells) in zip(rows, cells.drop { $0.first != "Booked (UTC)" }.dropFirst()) {
          #expect(cells.last.flatMap { Double($0) } == Double(row["balance"] ?? ""), "\(line): \(cells)")
          #expect(cells.dropFirst().first == row["type"])
        }
      }
    }
  }

  private static let types: Set = [
    "opening", "payment", "refund", "refund_failure", "transfer", "transfer_reversal", "application_fee",
    "application_fee_refund", "closing",
  ]

  private func isZero(_ text: String) -> Bool { text.allSatisfy { "0.".contains($0) } }

  private func amount(_ rows: [[String: String]], _ column: String) -> Decimal {
    rows.reduce(0) { $0 + (Decimal(string: $1[column] ?? "") ?? 0) }
  }

  /// Each closing is the next opening, and the parts' movements are those of the whole.
  private func expectToContinue(_ periods: [StatementNights.Period], _ whole: StatementNights.Period) {
    #expect(!whole.rows.isEmpty)
    for key in whole.rows.keys {
      var balance = ""
      for period in periods {
        let opening = period.balance(key, \.first)
        #expect(opening == balance || (isZero(opening) && isZero(balance)), "\(key): \(balance), then \(opening)")
        balance = period.balance(key, \.last)
      }
      #expect(
        balance == whole.balance(key, \.last) || (isZero(balance) && isZero(whole.balance(key, \.last))), "\(key)")
      #expect(periods.flatMap { $0.movements(key) } == whole.movements(key), "\(key)")
    }
    #expect(Set(periods.flatMap(\.rows.keys)) == Set(whole.rows.keys))
  }

  /// The lines of each account add up to what the reconciliation says it gained.
  private func expectToEqualAccounts(_ period: StatementNights.Period) {
    for row in period.accounts {
      let key = StatementNights.key(row)
      let lines = period.movements(key)
      #expect(amount(lines, "amount") == Decimal(string: row["connected_net"] ?? ""), "\(key)")
      let fees = lines.filter { $0["type"] == "application_fee" }
      #expect(-amount(fees, "amount") == Decimal(string: row["application_fee"] ?? ""), "\(key)")
    }
    let known = Set(period.accounts.map(StatementNights.key))
    for key in period.rows.keys where !known.contains(key) { #expect(period.movements(key).isEmpty, "\(key)") }
    for line in period.list {
      #expect(
        line["opening"] == period.balance(StatementNights.key(line), \.first)
          && line["closing"] == period.balance(StatementNights.key(line), \.last))
    }
  }
}
