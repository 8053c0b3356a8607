import Foundation
import Storage
import TestSupport
import Testing

/// A connection to SQLite as the store needs it.
@Suite struct OpeningTests {
  @Test(arguments: [
    ("page_size", "8192"), ("journal_mode", "wal"), ("synchronous", "1"), ("temp_store", "1"), ("cache_size", "-32768"),
    ("mmap_size", "0"), ("secure_delete", "0"), ("wal_autocheckpoint", "8000"), ("journal_size_limit", "67108864"),
    ("busy_timeout", "10000"), ("foreign_keys", "0"),
  ])
  func `a new store has every setting`(name: String, value: String) throws {
    try withStore(.sqlite) { database in try #expect(database.text("pragma \(name)") == value) }
  }

  @Test func `a file that is no database is refused when it is opened, with its path`() throws {
    try withStoreURL(.sqlite) { url in
      let path = String(url.dropFirst("sqlite:".count))
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StorageError.self) { try openDatabase(url: url, schemas: TestStore.schemas) }
      #expect(
        error?.description.contains(path) == true && error?.description.contains("file is not a database") == true,
        "\(error as Any)")
    }
  }

  @Test func `a folder that is not there is named`() throws {
    let error = #expect(throws: StorageError.self) {
      try openDatabase(url: "sqlite:/nowhere-at-all/store.db", schemas: TestStore.schemas)
    }
    #expect(error?.description.contains("unable to open database file") == true, "\(error as Any)")
  }

  @Test(.enabled(if: TestStore.postgresqlURL != nil))
  func `tables of another application are neither used nor replaced`() throws {
    try withStoreURL(.postgresql) { url in
      let shop = try StoreURL(url).open()
      try shop.script("create table customer_order (id bigint); insert into customer_order values (7)")
      let refused = #expect(throws: StorageError.self) { try openDatabase(url: url, schemas: TestStore.schemas) }
      #expect(refused?.description.contains("customer_order") == true, "\(refused as Any)")
      let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
      _ = try rebuild.fresh
      let kept = #expect(throws: StorageError.self) { try rebuild.swap() }
      #expect(kept?.description.contains("customer_order") == true, "\(kept as Any)")
      #expect(try shop.integer("select id from customer_order") == 7)
    }
  }

  @Test(arguments: TestStore.all)
  func `a name in double quotes that is no column is an error, never a text`(engine: TestStore) throws {
    try withStore(engine) { database in
      let error = #expect(throws: StorageError.self) { try database.text("select \"no such\" from moment") }
      #expect(error?.description.contains("no such") == true, "\(error as Any)")
    }
  }

  @Test
  func `a connection that the server ends is lost, not refused: in a statement, in a query that only reads, and after`()
    throws
  {
    for isLimited in [false, true] {
      try withStoreURL(.postgresql) { url in
        let (database, other) = (try StoreURL(url).open(), try StoreURL(url).open())
        let id = try #require(try database.integer("select pg_backend_pid()"))
        try other.query("select pg_terminate_backend($1::integer)", [.integer(id)]) { _ in }
        for _ in 0..<2 {
          let error = #expect(throws: StorageError.self) {
            if isLimited {
              try database.query("select 1", [], within: .team) { _ in }
            } else {
              try database.execute("select 1")
            }
          }
          #expect(error?.isInputOutput == true, "\(error as Any)")
        }
      }
    }
  }
}
