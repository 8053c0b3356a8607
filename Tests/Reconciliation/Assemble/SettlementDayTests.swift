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

  @Test("A file works out the days that it has rows of, from the rows of every file, and no other")
  func files() throws {
    try withStore(.sqlite) { database in
      for file in [7, 8] as [Int64] { try land(file, in: database) }
      try add("r1", day: "D1", file: 7, net: 10_000, paidMinor: 1, to: database)
      try add("r2", day: "D2", file: 7, net: 20_000, paidMinor: 2, to: database)
      try derive(7, in: database)
      #expect(try days(in: database) == ["payout:D1 -1 of 7", "payout:D2 -2 of 7"])
      try add("r3", day: "D2", file: 8, net: 30_000, paidMinor: 4, to: database)
      // Worked out with file 7, it would be seen.
      try database.execute("update settled_net set net_millionths = 90000 where row_id = 'r1'")
      try derive(8, in: database)
      #expect(
        try days(in: database) == ["payout:D1 -1 of 7", "payout:D2 -5 of 8", "rounding:D2 -1 of 8"])
      #expect(try database.integer("select count(*) from posting") == 3)
    }
  }

  private func land(_ file: Int64, in database: any Database) throws {
    try database.execute(
      """
      insert into landed_file (file_id, path, source, stream, observed_at, window_from, window_to, covers_from,
        watermark, range_from, range_to,
        complete, objects, sha256) values ($1, $2, 'p', 's', 1, 0, 0, 0, 0, 0, 0, 1, 0, '')
      """, [.integer(file), .text("f\(file)")])
  }

  /// - Parameters:
  ///   - net: in millionths.
  ///   - paidMinor: the net of the ledger's row; nil: none is there.
  private func add(_ row: String, day: String, file: Int64, net: Int64, paidMinor: Int64?, to database: any Database)
    throws
  {
    try database.execute(
      """
      insert into settled_net (provider, account, payout_id, row_id, currency, net_millionths, minor_millionths,
        settled_at, landed_file,
        landed_line) values ('p', 'a', $1, $2, 'AUD', $3, 10000, 5, $4, 1)
      """, [.text(day), .text(row), .integer(net), .integer(file)])
    guard let paidMinor else { return }
    let number = try (database.integer("select max(row_no) from ledger_row where row_no > 0") ?? 0) + 1
    try database.execute(
      """
      insert into ledger_row (row_no, provider, row_id, account, category, currency, amount_minor, fee_minor,
        net_minor, booked_at,
        known_category, fee_sum_minor, first_landed_at, landed_file, landed_line)
      values ($1, 'p', $2, 'a', 'capture', 'AUD', $3, 0, $3, 5, 1, 0, 1, $4, 1)
      """, [.integer(number), .text(row), .integer(paidMinor), .integer(file)])
  }

  private func derive(_ file: Int64, in database: any Database) throws {
    try SettlementDays(database: database, sql: TestStore.repository + "/sql").derive(for: "p", file: file)
  }

  private func days(in database: any Database) throws -> [String] {
    var found: [String] = []
    try database.query("select row_id, amount_minor, landed_file from ledger_row where row_no < 0 order by row_id") {
      found.append("\($0.text(0) ?? "") \(try $0.integer(1) ?? 0) of \(try $0.integer(2) ?? 0)")
    }
    return found
  }

  /// The rows that sql/days makes of a day whose exact nets are in millionths and whose ledger rows add up to
  /// `paidMinor` (nil: none is there).
  private func rows(nets: [Int64], paidMinor: Int64?) throws -> [(
    rowID: String, amountMinor: Int64, from: String, to: String
  )] {
    try withStore(.sqlite) { database in
      try land(7, in: database)
      for (index, net) in nets.enumerated() {
        try add(
          "r\(index)", day: "D", file: 7, net: net, paidMinor: paidMinor.map { index == 0 ? $0 : 0 }, to: database)
      }
      try derive(7, in: database)
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
