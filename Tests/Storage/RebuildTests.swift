import Foundation
import Storage
import TestSupport
import Testing

/// A store that is made anew beside the one that stands.
@Suite struct RebuildTests {
  private static let moment = "select group_no from identifier"

  private func fill(_ database: any Database, _ instant: Int64) throws {
    try database.transaction { try database.execute("insert into identifier values (1, $1)", [.integer(instant)]) }
  }

  @Test(arguments: TestStore.all)
  func `the new store takes the place of the former one as a whole, and nothing else is left of it`(engine: TestStore)
    throws
  {
    try withStoreURL(engine) { url in
      let before = try openDatabase(url: url, schemas: TestStore.schemas)
      try fill(before, 1)
      try before.execute("insert into merged_group values (1, 5, 0)")
      do {
        let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
        try fill(try rebuild.fresh, 2)
        try #expect(before.integer(Self.moment) == 1, "it stands until the swap")
        try rebuild.swap()
      }
      // Also for whoever had it open.
      for database in [before, try openDatabase(url: url, schemas: TestStore.schemas)] {
        try #expect(database.integer(Self.moment) == 2)
        try #expect(database.integer("select count(*) from merged_group") == 0)
      }
      try expectNoLeftover(url, before)
    }
  }

  @Test(arguments: TestStore.all)
  func `without the swap the former store stays, and what is left of the attempt goes with the next`(engine: TestStore)
    throws
  {
    try withStoreURL(engine) { url in
      let before = try openDatabase(url: url, schemas: TestStore.schemas)
      try fill(before, 1)
      do {
        let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
        try fill(try rebuild.fresh, 2)
      }
      try #expect(before.integer(Self.moment) == 1)
      try expectNoLeftover(url, before)
      let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
      try #expect(rebuild.fresh.integer(Self.moment) == nil, "nothing of the first attempt")
    }
  }

  @Test(arguments: TestStore.all)
  func `a store of another schema gets the present one`(engine: TestStore) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = "\(folder)/\(engine.rawValue)/001-old.sql"
    try FileManager.default.createDirectory(atPath: "\(folder)/\(engine.rawValue)", withIntermediateDirectories: true)
    try
      ("create table identifier (other text); create view old_view as select other from identifier; "
      + "insert into identifier values ('x');").write(toFile: file, atomically: true, encoding: .utf8)
    try withStoreURL(engine) { url in
      _ = try openDatabase(url: url, schemas: folder)
      #expect(throws: StorageError.self) { try openDatabase(url: url, schemas: TestStore.schemas) }
      do {
        let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
        try fill(try rebuild.fresh, 3)
        try rebuild.swap()
      }
      let after = try openDatabase(url: url, schemas: TestStore.schemas)
      try #expect(after.integer(Self.moment) == 3)
      try #expect(after.integer("select proportion(10, 1, 4)") == 3)
      try #expect(after.integer("select count(*) from landed_file") == 0)
      try expectNoLeftover(url, after)
    }
  }

  @Test func `on PostgreSQL a view and a grant of somebody else's outlive a rebuild`() throws {
    try withStoreURL(.postgresql) { url in
      let before = try openDatabase(url: url, schemas: TestStore.schemas)
      try before.execute("create view ours as select group_no from identifier")
      try before.execute("grant select on identifier to public")
      do {
        let rebuild = try openRebuild(url: url, schemas: TestStore.schemas)
        try fill(try rebuild.fresh, 4)
        try rebuild.swap()
      }
      try #expect(before.integer("select group_no from ours") == 4)
      let grants =
        "select count(*) from information_schema.role_table_grants where table_name = 'identifier' and grantee = "
        + "'PUBLIC' and table_schema = current_schema()"
      try #expect(before.integer(grants) == 1)
    }
  }

  @Test func `a file that is no database is refused and left alone`() throws {
    try withStoreURL(.sqlite) { url in
      let path = String(url.dropFirst("sqlite:".count))
      let text = String(repeating: "somebody's letter ", count: 100)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let error = #expect(throws: StorageError.self) { try openRebuild(url: url, schemas: TestStore.schemas) }
      #expect(error?.description.contains("file is not a database") == true, "\(error?.description ?? "")")
      try #expect(String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  private func expectNoLeftover(_ url: String, _ database: any Database) throws {
    if database.engine == .sqlite {
      let folder = (String(url.dropFirst("sqlite:".count)) as NSString).deletingLastPathComponent
      try #expect(!FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.contains("rebuild") })
    } else {
      let count = """
        select count(*) from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relname = 'identifier'
        where n.nspname = 'crossfoot_rebuild_' || $1
        """
      try #expect(
        database.integer(count, [.text(Self.fingerprint(try database.text("select current_schema()") ?? ""))]) == 0)
    }
  }

  /// FNV-1a, as the name of the schema beside has it.
  private static func fingerprint(_ text: String) -> String {
    String(text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }, radix: 16)
  }
}
