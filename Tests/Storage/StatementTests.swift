import Storage
import TestSupport
import Testing

/// Statements, rows and parameters: the same bodies on every engine.
@Suite struct StatementTests {
  @Test(.enabled(if: TestStore.postgresqlURL != nil, "CROSSFOOT_TEST_POSTGRESQL is not set: only SQLite is tested"))
  func `postgresql is tested too`() throws {
    try withStoreURL(.postgresql) { url in try #expect(StoreURL(url).open().engine == .postgresql) }
  }

  @Test(arguments: TestStore.all)
  func `parameters go by their number, wherever they stand`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.execute("insert into tolerance (amount_minor, currency) values ($2, $1)", ["EUR", 5])
      let both = "select amount_minor from tolerance where amount_minor = $2 and currency = $1"
      try #expect(database.integer(both, ["EUR", 5]) == 5)
      try #expect(database.integer(both, ["USD", 5]) == nil)
      try #expect(database.integer("select amount_minor + $1 from tolerance where amount_minor + $1 > 0", [7]) == 12)
    }
  }

  @Test(arguments: TestStore.all)
  func `a value too few or too many is an error`(engine: TestStore) throws {
    try withStore(engine) { database in
      #expect(throws: StorageError.self) { try database.integer("select $1 + $2 from moment", [1]) }
      #expect(throws: StorageError.self) { try database.integer("select 1 from moment", ["x"]) }
      #expect(throws: StorageError.self) { try database.execute("select 1; select 2") }
      try #expect(database.integer("select 1; -- said") == 1)
    }
  }

  @Test(arguments: TestStore.all)
  func `values keep their kind`(engine: TestStore) throws {
    try withStore(engine) { database in
      let largest = SQLValue.integer(.max)
      try database.execute("insert into moment (moment, instant) values ($1, $2)", [.integer(.min), largest])
      try database.query("select moment, instant, $1 as t, $2 as n, '' as e from moment", ["ü\0\t", nil]) { row in
        #expect(row.names == ["moment", "instant", "t", "n", "e"])
        try #expect(row.integer(0) == .min)
        try #expect(row.integer(1) == .max)
        #expect(row.text(1) == "9223372036854775807")
        #expect(row.text(2) == "ü\t")
        #expect(row.isNull(3) && row.text(3) == nil)
        try #expect(row.integer(3) == nil)
        #expect(!row.isNull(4) && row.text(4)?.isEmpty == true)
        #expect(row.withUTF8Text(2) { $0.count } == 3)
      }
    }
  }

  @Test(arguments: TestStore.all)
  func `a float or a text is no integer`(engine: TestStore) throws {
    try withStore(engine) { database in
      #expect(throws: StorageError.self) { try database.integer("select 1.5") }
      #expect(throws: StorageError.self) { try database.integer("select '12'") }
      #expect(throws: StorageError.self) { try database.integer("select 9223372036854775807 + 1") }
    }
  }

  @Test(arguments: TestStore.all)
  func `a sum over 64 bits is an error and no float`(engine: TestStore) throws {
    try withStore(engine) { database in
      for moment in 1...3 {
        try database.execute("insert into moment values ($1, $2)", [.integer(Int64(moment)), .integer(.max)])
      }
      #expect(throws: StorageError.self) { try database.integer("select cast(sum(instant) as bigint) from moment") }
    }
  }

  @Test(arguments: TestStore.all)
  func `many rows stream by, and other statements run between them`(engine: TestStore) throws {
    try withStore(engine) { database in
      let numbers =
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) select i, $1 from n order by i"
      var seen: Int64 = 0
      try database.query(numbers, ["x"]) { row in
        let number = try row.integer(0)
        #expect(number == seen + 1)
        seen += 1
        if seen % 1000 == 0 { try database.execute("insert into moment values ($1, $1)", [.integer(seen)]) }
      }
      #expect(seen == 5000)
      try #expect(database.integer("select count(*) from moment") == 5)
    }
  }

  @Test(arguments: TestStore.all)
  func `who stops reading early can go on with other statements`(engine: TestStore) throws {
    struct Enough: Error {}
    try withStore(engine) { database in
      try database.execute("insert into moment values (1, 1), (2, 2)")
      #expect(throws: Enough.self) { try database.query("select moment from moment") { _ in throw Enough() } }
      try #expect(database.execute("update moment set instant = 3") == 2)
      try #expect(database.execute("delete from moment where moment = 1") == 1)
    }
  }

  @Test(arguments: TestStore.all)
  func `a thrown error rolls back, an inner one only its own part`(engine: TestStore) throws {
    struct Refused: Error {}
    try withStore(engine) { database in
      try database.transaction {
        try database.execute("insert into moment values (1, 1)")
        try? database.transaction {
          try database.execute("insert into moment values (2, 2)")
          throw Refused()
        }
        try database.transaction { try database.execute("insert into moment values (3, 3)") }
      }
      #expect(throws: Refused.self) {
        try database.transaction {
          try database.execute("delete from moment")
          throw Refused()
        }
      }
      try #expect(
        database.integer("select cast(sum(moment) + count(*) * 10 as bigint) from moment where moment < $1", [9]) == 24)
    }
  }

  @Test(arguments: TestStore.all)
  func `an error names the statement and its line, and no value`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.execute("insert into tolerance values ('EUR', 1)")
      let failures = [
        failure { try database.execute("insert into tolerance values ($1, $2)", ["EUR", 2]) },
        failure { try database.execute("insert into tolerance values ($1, $2)", ["USD", "sk_live_secret"]) },
        failure { try database.execute("-- head\nselect\n  nowhere from tolerance") },
      ]
      #expect(failures.allSatisfy { !$0.contains("secret") && !$0.contains("(EUR)") && $0.contains(engine.rawValue) })
      #expect(failures[2].contains("line 3") && failures[2].contains("in: select"))
    }
  }

  private func failure(_ body: () throws -> Int) -> String {
    do { return "no error: \(try body())" } catch { return "\(error)" }
  }
}
