import Payments
import Storage
import TestSupport
import Testing

@testable import Reconciliation

@Suite("What a settlement day pays")
struct SettlementDayTests {
  /// `net` in millionths; the rows of the ledger add up to `paid`. Expected: the rows that the day makes.
  @Test(
    "Exact nets, rounded once",
    arguments: [
      Case("AP07a-sub-cent", "296705000; paid 29671", "payout:D -29671"),
      Case("AP07b-sub-cents-of-a-day", "296705000 296705000; paid 59342", "payout:D -59341 rounding:D -1"),
      Case("AP08-negative-date", "-5000000; paid -500", "payout:D 500"),
      Case("AP-late-settlement-file", "5000000; paid -", ""),
    ])
  func day(_ line: Case) throws {
    let paid = Int64(line.parts[1][1])
    let rows = try rows(nets: line.parts[0].map { Int64($0) ?? 0 }, paidMinor: paid)
    #expect(rows.map { "\($0.rowID) \($0.amountMinor)" }.joined(separator: " ") == line.expected)
  }

  @Test("A payout leaves to the bank, a negative one comes back from it, and the rounding is the provider's (AP08)")
  func postings() throws {
    let paid = try rows(nets: [20_000], paidMinor: 1)
    #expect(paid.map { [$0.from, $0.to] } == [["platform", "bank"], ["provider", "platform"]])
    let owed = try rows(nets: [-20_000], paidMinor: -2)
    #expect(owed.map { [$0.from, $0.to] } == [["bank", "platform"]])
  }

  /// The rows that sql/days makes of a day whose exact nets are in millionths and whose ledger rows add up to
  /// `paidMinor` (nil: none is there).
  private func rows(nets: [Int64], paidMinor: Int64?) throws -> [(
    rowID: String, amountMinor: Int64, from: String, to: String
  )] {
    try withStore(.sqlite) { database in
      try database.execute(
        """
        insert into landed_file (file_id, path, source, stream, observed_at, window_from, window_to, covers_from,
          watermark, range_from, range_to,
          complete, objects, sha256) values (7, 'f', 'p', 's', 1, 0, 0, 0, 0, 0, 0, 1, 0, '')
        """)
      for (index, net) in nets.enumerated() {
        try database.execute(
          """
          insert into settled_net (provider, account, payout_id, row_id, currency, net_millionths, minor_millionths,
            settled_at, landed_file,
            landed_line) values ('p', 'a', 'D', $1, 'AUD', $2, 10000, 5, 7, 1)
          """, [.text("r\(index)"), .integer(net)])
        guard let paidMinor else { continue }
        try database.execute(
          """
          insert into ledger_row (row_no, provider, row_id, account, category, currency, amount_minor, fee_minor,
            net_minor, booked_at,
            known_category, fee_sum_minor, first_landed_at, landed_file, landed_line)
          values ($1, 'p', $2, 'a', 'capture', 'AUD', $3, 0, $3, 5, 1, 0, 1, 7, 1)
          """, [.integer(Int64(index + 1)), .text("r\(index)"), .integer(index == 0 ? paidMinor : 0)])
      }
      try SettlementDays(database: database, sql: TestStore.repository + "/sql").derive(for: "p")
      var found: [(rowID: String, amountMinor: Int64, from: String, to: String)] = []
      try database.query(
        """
        select l.row_id, l.amount_minor, p.from_role, p.to_role from ledger_row l join posting p on p.row_no = l.row_no
        where l.row_no < 0 order by l.row_id
        """
      ) { found.append(($0.text(0) ?? "", try $0.integer(1) ?? 0, $0.text(2) ?? "", $0.text(3) ?? "")) }
      return found
    }
  }

  /// `day row net`, with `of=` the net that the API reports of the row. Expected: `day row net`.
  @Test(
    "Which rows it pays",
    arguments: [
      Case("AP01-immediate-payment", "D1 a1 1000 of=1000", "D1 a1 1000"),
      Case("AP17b-orphan-settlement", "D1 s1 1000", "D1 s1 1000"),
      Case("AP-settled-with-another-amount", "D1 a1 990 of=1000", "D1 a1 990"),
      Case("AP-settled-with-another-amount", "D1 a1 1100 of=1000", "D1 a1 1000"),
      Case("AP-settled-with-another-amount", "D1 a1 600 of=1000 @1; D2 a1 600 of=1000 @2", "D1 a1 600, D2 a1 400"),
      Case("AP-settled-with-another-amount", "D1 a1 1000 of=1000 @1; D2 a1 50 of=1000 @2", "D1 a1 1000, D2 a1 0"),
    ])
  func lines(_ line: Case) throws {
    let payments = try line.parts.enumerated().map { index, words in
      let words = Words(words)
      return SettlementDayLines.Payment(
        net: ExactNet(payoutID: Text(words.plain[0]), rowID: Text("s\(index)"), settledAt: words.date),
        rowID: Text(words.plain[1]),
        netMinor: try #require(Int64(words.plain[2])), reportedMinor: words.number("of"))
    }
    let lines = try SettlementDayLines.movements(payments)
    #expect(lines.map { "\($0.payoutID) \($0.rowID) \($0.netMinor)" }.joined(separator: ", ") == line.expected)
  }
}
