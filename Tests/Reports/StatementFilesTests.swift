import Foundation
import Storage
import Testing
import TestSupport

@testable import Reports

/// Statements as they are cut from the rows of a definition: their names, their own proof, and what a definition may
/// not say.
@Suite struct StatementFilesTests {
  private static let layout = """
    title: Own
    statement: {balance: balance, adds: [amount]}
    columns:
      - {name: part, header: Part, format: word}
      - {name: amount, header: Amount, format: amount, total: true}
      - {name: balance, header: Balance, format: amount}

    """

  /// A definition whose rows are given: account, part, amount, balance, all in one currency.
  private static func query(
    _ rows: [(account: String, part: String, amount: Int64?, balance: Int64)], currency: String = "EUR"
  ) -> String {
    let values = rows.enumerated().map { index, row in
      let account = row.account.replacing("'", with: "''")
      return """
        select \(index) as place, 'stripe' as provider, '\(account)' as connected_account, '\(currency)' as currency,
          '\(row.part)' as part,
          cast(\(row.amount.map(String.init) ?? "null") as bigint) as amount_minor,
          cast(\(row.balance) as bigint) as balance_minor
        """
    }
    return """
      select provider, connected_account, currency, part, amount_minor, balance_minor
      from (\(values.joined(separator: " union all "))) as given
      order by place
      """
  }

  private static func define(_ layout: String = Self.layout, _ query: String, in folder: String) throws
    -> ReportCatalogue
  {
    try FileManager.default.createDirectory(atPath: "\(folder)/definitions/own", withIntermediateDirectories: true)
    try layout.write(toFile: "\(folder)/definitions/own/layout.yml", atomically: true, encoding: .utf8)
    try query.write(toFile: "\(folder)/definitions/own/query.sql", atomically: true, encoding: .utf8)
    return try ReportCatalogue(folders: ["\(folder)/definitions"])
  }

  /// Cuts the rows' statements below `folder` and returns their list.
  @discardableResult
  private static func write(_ query: String, _ layout: String = Self.layout, maximumRows: Int = 1000, in folder: String)
    throws -> String
  {
    try withStore(.sqlite) { database in
      let report = try #require(try define(layout, query, in: folder).statements.first)
      let files = try StatementFiles(
        report, days: "2026-03-01", timeZone: "UTC", range: Night.range,
        workbook: WorkbookSettings(maximumRows: maximumRows), in: folder)
      _ = try files.write(from: database)
      return try Night.text("\(folder)/own.csv")
    }
  }

  @Test(arguments: TestStore.all)
  func `our own definition gives the small night's accounts their statements`(engine: TestStore) throws {
    try Night.store(engine) { database in
      try Night.folder { folder in
        var run = try Night.run()
        run.writesStatements = true
        let files = try run.write(from: database, summary: Night.summary(database), into: folder)
        #expect(files.last?.name == "statements.csv" && files.last?.rows == 2)
        let header =
          "provider,connected_account,currency,booked_at,type,payment_id,order_id,reference,amount,paid_out,balance\n"
        try #expect(
          Night.text("\(folder)/statements/stripe/acct_B~08-USD.csv") == header + """
            stripe,acct_B,USD,2026-03-01T00:00:00Z,opening,,,,,,0.90
            stripe,acct_B,USD,2026-03-02T00:00:00Z,closing,,,,,,0.90

            """)
        let found = try Night.text("\(folder)/statements/stripe/acct_A~08-USD.csv")
        let expected =
          header + """
            stripe,acct_A,USD,2026-03-01T00:00:00Z,opening,,,,,,0.00
            stripe,acct_A,USD,2026-03-01T00:01:41Z,payment,ch_1,o1,tr_1,10.00,,10.00
            stripe,acct_A,USD,2026-03-01T00:01:42Z,application_fee,ch_1,o1,fee_1,-1.23,,8.77
            stripe,acct_A,USD,2026-03-01T00:03:21Z,payment,ch_2,o2,tr_2,8.77,,17.54
            stripe,acct_A,USD,2026-03-01T00:05:01Z,refund,ch_2,o2,trr_2,-2.92,,14.62
            stripe,acct_A,USD,2026-03-02T00:00:00Z,closing,,,,,,14.62

            """
        #expect(found == expected, "\(found)")
        let sheet = try Archive(Night.bytes("\(folder)/statements/stripe/acct_A~08-USD.xlsx"))
        #expect(!sheet.parts.contains { $0.text.contains("acct_B") || $0.text.contains("acct_P") })
        #expect(sheet.parts.filter { $0.name.hasPrefix("xl/worksheets/sheet") }.count == 1)
        #expect(
          sheet.sheets.contains("state=\"frozen\"") && sheet.sheets.contains("fitToHeight=\"0\"")
            && sheet.sheets.contains("<f>ROUND("))
      }
    }
  }

  @Test func `what no known account has moved is nobody's statement`() throws {
    try Night.store { database in
      try database.execute(
        """
        insert into entry (entry_id, provider, account, kind, from_party, to_party, connected_account, currency,
          amount_minor, booked_at, row_id, record_id)
        values ('eu', 'stripe', 'acct_P', 'transfer', 'platform', 'connected:unknown', 'unknown', 'USD',
          7, 1772323300, 'txn_u', 'tr_u')
        """)
      try Night.folder { folder in
        var run = try Night.run()
        run.writesStatements = true
        _ = try run.write(from: database, summary: Night.summary(database), into: folder)
        try #expect(Night.text("\(folder)/connected_accounts.csv").contains("\nstripe,unknown,USD,"))
        try #expect(
          FileManager.default.contentsOfDirectory(atPath: "\(folder)/statements/stripe").allSatisfy {
            $0.hasPrefix("acct_")
          })
      }
    }
  }

  @Test func `without being asked for there are none`() throws {
    try Night.store { database in
      try Night.folder { folder in
        try Night.write(database, into: folder)
        try #expect(!FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("statement") })
      }
    }
  }

  @Test func `hostile ids of accounts lead nowhere else and meet nobody`() throws {
    try Night.folder { folder in
      let ids = AccountNameTests.hostile.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let rows = ids.flatMap {
        [($0, "opening", nil, 0), ($0, "movement", 5, 5), ($0, "closing", nil, 5)] as [(String, String, Int64?, Int64)]
      }
      let list = try Self.write(Self.query(rows), in: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/own/stripe")
      #expect(Set(names.map { $0.lowercased() }).count == 2 * ids.count)
      try #expect(FileManager.default.contentsOfDirectory(atPath: "\(folder)/own") == ["stripe"])
      // A spreadsheet would run it, were it not for the apostrophe.
      #expect(list.contains("\nstripe,'=1+2,EUR,0.00,0.05,1,own/stripe/%3d1%2b2-EUR.csv,"), "\(list)")
    }
  }

  static let broken: [(rows: [(String, String, Int64?, Int64)], said: String)] = [
    (
      [("a", "opening", nil, 100), ("a", "movement", 5, 106), ("a", "closing", nil, 106)],
      "does not continue 100 with a movement of 5"
    ),
    (
      [("a", "opening", nil, 100), ("a", "closing", nil, 101)],
      "the balance 101 does not continue 100 with a movement of 0"
    ),
    ([("a", "opening", nil, 100), ("a", "closing", 1, 101)], "does not continue 100"),
    ([("a", "opening", nil, 100)], "the statement of a in EUR has no row whose part is closing"),
    ([("a", "movement", 5, 5)], "a statement is one row opening, its movements, one row closing"),
    ([("a", "opening", nil, 0), ("a", "opening", nil, 0)], "one row opening"),
    ([("a", "start", nil, 0)], "part is none of opening, movement, closing"),
    (
      [("b", "opening", nil, 0), ("b", "closing", nil, 0), ("a", "opening", nil, 0)],
      "not in the order of provider, connected_account, currency"
    ),
    ([("", "opening", nil, 0)], "a statement is of a connected account"),
    ([("a", "opening", nil, .max), ("a", "movement", 1, .max)], "does not continue"),
  ]

  @Test(arguments: 0..<broken.count)
  func `a statement that does not add up, or is not whole, is refused`(row: Int) throws {
    try Night.folder { folder in
      let error = #expect(throws: ReportError.self) { try Self.write(Self.query(Self.broken[row].rows), in: folder) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(Self.broken[row].said), "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func `a currency that is none is refused with its row`() throws {
    try Night.folder { folder in
      let error = #expect(throws: ReportError.self) {
        try Self.write(Self.query([("a", "opening", nil, 0)], currency: "../"), in: folder)
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("row 1 of the query, column currency"))
    }
  }

  @Test func `beyond a sheet's rows the file contains them all and the sheet says so`() throws {
    try Night.folder { folder in
      let movements = (1...6).map { ("a", "movement", 1, $0) as (String, String, Int64?, Int64) }
      try Self.write(
        Self.query([("a", "opening", nil, 0)] + movements + [("a", "closing", nil, 6)]), maximumRows: 3, in: folder)
      let sheets = try Archive(Night.bytes("\(folder)/own/stripe/a-EUR.xlsx")).sheets
      #expect(sheets.contains("The first 3 of 8 rows are shown here. a-EUR.csv contains all of them."))
      try #expect(Night.text("\(folder)/own/stripe/a-EUR.csv").split(separator: "\n").count == 9)
    }
  }

  static let mistakes: [(layout: String, line: Int, said: String)] = [
    (
      layout.replacing("balance: balance,", with: "balanse: balance,"), 2,
      "unknown key \"balanse\" in statement; did you mean \"balance\"?"
    ),
    (
      layout.replacing("adds: [amount]", with: "adds: [total]"), 2,
      "statement: no column of format amount is called total"
    ),
    (
      layout.replacing("adds: [amount]", with: "adds: [part]"), 2,
      "statement: no column of format amount is called part"
    ),
    (
      layout.replacing("title: Own", with: "title: Own\nstands_in_for: entries"), 3,
      "a statement cannot replace another report"
    ),
    (
      layout.replacing("total: true", with: "link: dashboard"), 5,
      "amount: a column of a statement has neither link nor formula nor choices"
    ),
  ]

  @Test(arguments: 0..<mistakes.count)
  func `a mistake in a statement's layout is reported with its line`(row: Int) throws {
    try Night.folder { folder in
      let error = #expect(throws: ReportError.self) {
        try Self.define(Self.mistakes[row].layout, "select 1 as a", in: folder)
      }
      let said = error.map { "\($0)" } ?? ""
      #expect(
        said.hasPrefix("\(folder)/definitions/own/layout.yml:\(Self.mistakes[row].line): ")
          && said.contains(Self.mistakes[row].said), "\(said)")
    }
  }

  @Test func `a statement's query that does not say whose its rows are is refused before anything is written`() throws {
    try Night.store { database in
      try Night.folder { folder in
        let catalogue = try Self.define(
          Self.layout,
          "select 'x' as part, cast(1 as bigint) as amount_minor, cast(1 as bigint) as balance_minor, 'EUR' as "
            + "currency",
          in: folder)
        let error = #expect(throws: ReportError.self) { try catalogue.examine(in: database, range: Night.range) }
        #expect(
          "\(error.map { "\($0)" } ?? "")"
            == "\(folder)/definitions/own/query.sql: a statement's query yields a column provider")
      }
    }
  }
}
