import Storage
import TestSupport
import Testing

/// Statements of somebody else's: they read, and nothing else, and not for ever.
@Suite struct ReadOnlyTests {
  /// What writes, reaches out of the store or is more than one statement; the word that the refusal names where the
  /// text alone shows it.
  private static let hostile: [(sql: String, found: String?)] = [
    ("delete from kept", "delete"), ("-- It looks harmless.\n\ninsert into kept values (2)", "insert"),
    ("update kept set a = 2", "update"),
    ("drop table kept", "drop"), ("attach 'other.db' as other", "attach"), ("pragma user_version = 7", "pragma"),
    ("begin", "begin"),
    ("commit", "commit"), ("vacuum", "vacuum"), ("replace into kept values (3)", "replace"),
    ("create table own (a integer)", "create"),
    ("select 1; delete from kept", "a second statement"), ("select 1;;\n/* ; */ select 2", "a second statement"),
    ("with gone as (delete from kept returning a) select a from gone", nil), ("selekt 1", nil), ("", "nothing"),
    ("select pg_sleep(100)", "pg_sleep()"), ("select\n  load_extension('own')", "load_extension()"),
    ("select set_config('transaction_read_only', 'off', true)", "set_config()"),
    ("select * from pragma_user_version", nil),
  ]

  @Test(arguments: TestStore.all)
  func `what writes, reaches out or is more than one query is refused, and changes nothing`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.script("create table kept (a integer); insert into kept values (1)")
      for (sql, found) in Self.hostile {
        var refusal: (any Error)?
        do { try database.transaction { try database.query(sql, [], within: .team) { _ in } } } catch {
          refusal = error
        }
        if let found {
          let line = sql.split(separator: "\n", omittingEmptySubsequences: false).count
          #expect(
            refusal as? StorageError == .notReadOnly(found: found, line: line), "\(sql): \(String(describing: refusal))"
          )
        } else {
          #expect(refusal is StorageError, "\(sql)")
        }
        let sum = try database.integer("select cast(sum(a) as bigint) from kept")
        #expect(sum == 1, "\(sql)")
      }
    }
  }

  @Test(arguments: [
    "select current_timestamp", "select date()", "select unixepoch( )", "select strftime('%s')", "select random()",
    "select strftime('%s', 'NOW')", "select unixepoch(/* x */ 'now')", "select datetime(0, 'unixepoch', 'localtime')",
    "select 1\n  where julianday() > 0",
  ])
  func `what answers differently at another time or place is refused`(sql: String) throws {
    try withStore(.sqlite) { database in
      do {
        try database.query(sql, [], within: .team) { _ in }
        Issue.record("\(sql) is accepted")
      } catch let error as StorageError {
        #expect("\(error)".contains("which answers differently at another time"), "\(error)")
      }
    }
  }

  @Test(arguments: [
    ("select date('2026-03-01', '+1 day')", "2026-03-02"), ("select strftime('%Y', 0, 'unixepoch')", "1970"),
    ("select unixepoch(max('2026-03-01', '2026-03-02'))", "1772409600"),
    ("select 'not now', \"now\" from (select 1 as \"now\")", "not now"),
  ])
  func `what depends on its arguments alone is read`(sql: String, answer: String) throws {
    try withStore(.sqlite) { database in
      var found: String?
      try database.query(sql, [], within: .team) { found = $0.text(0) }
      #expect(found == answer)
    }
  }

  @Test(arguments: TestStore.all)
  func `a query may say anything in quotes, comments and names, and its rows may be loaded as they come`(
    engine: TestStore
  ) throws {
    try withStore(engine) { database in
      try database.script("create table kept (a bigint primary key, \"delete\" bigint)")
      let sql = """
        -- delete from kept; pragma
        with recursive n(x) as (select 1 /* ; drop */ union all select x + 1 from n where x < 5)
        select x as "update; delete", 'attach; pg_sleep()' as t from n order by x;
        """
      try database.transaction {
        let loader = try database.bulkLoader(into: "kept", columns: ["a", "delete"], replacing: ["a"])
        try database.query(sql, [], within: .team) { row in
          try loader.append(integer: try row.integer(0))
          try loader.append(integer: 7)
          try loader.endRow()
        }
        _ = try loader.finish()
      }
      try #expect(database.integer("select cast(sum(a) as bigint) from kept") == 15)
      try database.execute("delete from kept")
      try #expect(database.integer("select count(*) from kept") == 0, "the limits end with the query")
    }
  }

  @Test(arguments: TestStore.all)
  func `a query ends at its limit of time, rows and memory`(engine: TestStore) throws {
    let endless = "with recursive n(x) as (select 1 union all select x + 1 from n where x > 0)"
    let long = engine == .postgresql ? "repeat('x', 2000000)" : "hex(zeroblob(9000000))"
    let cases: [(sql: String, limits: ReadLimits, limit: String)] = [
      ("\(endless) select count(*) from n", ReadLimits(seconds: 1, rows: 10, mebibytes: 64), "more than 1 seconds"),
      (
        "\(endless) select x from n limit 100000", ReadLimits(seconds: 60, rows: 99, mebibytes: 64), "more than 99 rows"
      ),
      (
        "select \(long)", ReadLimits(seconds: 60, rows: 10, mebibytes: 64),
        engine == .postgresql ? "1 MiB in one row" : "64 MiB of memory"
      ),
    ]
    try withStore(engine) { database in
      for (sql, limits, limit) in cases {
        let error = #expect(throws: StorageError.self) { try database.query(sql, [], within: limits) { _ in } }
        guard case .limitExceeded(let found) = error else {
          Issue.record("\(sql): \(String(describing: error))")
          continue
        }
        #expect(found.contains(limit), "\(sql): \(found)")
        try #expect(database.integer("select 1") == 1)
      }
    }
  }
}
