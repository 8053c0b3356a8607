import Foundation
import Storage
import TestSupport
import Testing

/// Migrations, URLs and the lock.
@Suite struct SchemaTests {
  @Test(arguments: TestStore.all)
  func `a store is migrated once, and opening it again keeps what is in it`(engine: TestStore) throws {
    try withStoreURL(engine) { url in
      try openDatabase(url: url, schemas: TestStore.schemas).execute(
        "insert into published_range values ('a', 'b', 1, 2, 3)")
      let again = try openDatabase(url: url, schemas: TestStore.schemas)
      try #expect(again.integer("select ends_at from published_range") == 2)
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(TestStore.schemas)/\(engine.rawValue)").filter
      { $0.hasSuffix(".sql") }
      try #expect(again.integer("select count(*) from schema_version") == Int64(files.count))
    }
  }

  @Test(arguments: TestStore.all)
  func `a new file is applied, a changed or missing one says to rebuild`(engine: TestStore) throws {
    try withFolder { folder in
      try withStoreURL(engine) { url in
        let file = { (name: String) in "\(folder)/\(engine.rawValue)/\(name)" }
        let apply = { _ = try openDatabase(url: url, schemas: folder) }
        #expect(throws: StorageError.self) { try apply() }
        try FileManager.default.createDirectory(atPath: file(""), withIntermediateDirectories: true)
        try write("create table a (x integer); -- one; two\ncreate table b (x integer)", to: file("001-a.sql"))
        try apply()
        try write("create table c (x integer);\n", to: file("002-c.sql"))
        try write("create table nonsense nonsense;", to: file("003-d.sql"))
        #expect(throws: StorageError.self) { try apply() }
        try FileManager.default.removeItem(atPath: file("003-d.sql"))
        try apply()
        try write("create table b (x integer)", to: file("001-a.sql"))
        let error = #expect(throws: StorageError.self) { try apply() }
        #expect(error?.description.contains("001-a.sql has changed since): `crossfoot rebuild` makes it again") == true)
        try FileManager.default.removeItem(atPath: file("001-a.sql"))
        #expect(throws: StorageError.self) { try apply() }
      }
    }
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test func `both schema folders make the same tables, views and columns`() throws {
    let theirs = """
      select c.table_name || '.' || c.column_name || case table_type when 'VIEW' then ' of a view' else
        ' ' || case data_type when 'bigint' then 'integer' else data_type end || ' ' || is_nullable end
      from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema
        and t.table_name = c.table_name
      where c.table_schema = current_schema()
      """
    let ours = """
      select m.name || '.' || c.name || case m.type when 'view' then ' of a view' else
        ' ' || lower(c.type) || ' ' || case when c."notnull" + c.pk > 0 then 'NO' else 'YES' end end
      from sqlite_schema m join pragma_table_info(m.name) c where m.type in ('table', 'view')
      """
    let sqlite = Set(try withStore(.sqlite) { try lines(of: ours, in: $0) })
    let postgresql = Set(try withStore(.postgresql) { try lines(of: theirs, in: $0) })
    let differences = sqlite.symmetricDifference(postgresql).sorted()
    #expect(differences.isEmpty)
    #expect(sqlite.count > 200)
  }

  private func lines(of sql: String, in database: any Database) throws -> [String] {
    var found: [String] = []
    try database.query(sql) { row in found.append(row.text(0) ?? "") }
    return found.sorted()
  }

  @Test(arguments: ["mysql://x", "", "sqlite:", "crossfoot.db", "http://sqlite:"])
  func `a url that names no store is refused with the ones that do`(url: String) {
    let error = #expect(throws: StorageError.self) { try openDatabase(url: url, schemas: TestStore.schemas) }
    #expect(error?.description.contains("sqlite:path/to/file.db") == true)
  }

  @Test(arguments: [
    "postgresql://ada:hunter2@127.0.0.1:1/books?connect_timeout=1",
    "postgresql://ada@127.0.0.1:1/books?password=hunter2",
    "postgresql://ada:hunter2%@127.0.0.1:1/books", "postgresql://ada:hunter2@[::1/books",
  ])
  func `a store that cannot be reached is named without its password`(url: String) throws {
    let error = #expect(throws: StorageError.self) { try openDatabase(url: url, schemas: TestStore.schemas) }
    #expect(error?.description.contains("hunter2") == false)
    try #expect(StoreURL(url).description.contains("hunter2") == false)
  }

  @Test func `a folder that is not there cannot hold a store`() {
    let error = #expect(throws: StorageError.self) {
      try openDatabase(url: "sqlite:/nowhere/at/all/store.db", schemas: TestStore.schemas)
    }
    #expect(error?.description.contains("/nowhere/at/all/store.db") == true)
  }

  @Test(arguments: TestStore.all)
  func `one run holds the lock, and gives it back`(engine: TestStore) throws {
    try withStoreURL(engine) { url in
      let first = try StoreURL(url).open()
      var second: (any Database)? = try StoreURL(url).open()
      try #expect(first.tryLock("run"))
      try #expect(first.tryLock("run"))
      try #expect(second?.tryLock("run") == false)
      try first.unlock("run")
      try #expect(second?.tryLock("run") == true)
      second = nil
      try #expect(first.tryLock("run"))
    }
  }

  @Test func `a lock that was given back is free, whatever programs are being started meanwhile`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    async let started: Void = { for _ in 0..<200 { try Child(["/bin/true"]).wait() } }()
    var taken = 0
    while taken < 20_000, try RunLock.take(path: path) != nil { taken += 1 }
    try await started
    #expect(taken == 20_000, "it was held")
  }

  @Test func `a store in memory needs no schema folder of its own and no lock`() throws {
    let database = try openDatabase(url: "sqlite::memory:", schemas: TestStore.schemas)
    try #expect(database.tryLock("run"))
    try #expect(database.integer("select count(*) from published_range") == 0)
  }
}
