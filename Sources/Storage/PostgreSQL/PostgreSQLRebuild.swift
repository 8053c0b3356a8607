/// A new schema beside the current one. In one transaction its rows replace those of the current schema, or its tables
/// do where the schema files have changed.
///
/// Where the files are the same, the tables are kept and refilled, so that grants on them and views of others are kept.
final class PostgreSQLRebuild: StoreRebuild {
  private let store: PostgreSQLDatabase
  private let url: String
  private let schemas: String
  /// The current schema and the one beside it, quoted for a statement.
  private let schema: String
  private let freshSchema: String
  private var made: PostgreSQLDatabase?

  init(url: String, schemas: String) throws {
    store = try PostgreSQLDatabase(url: url)
    self.url = url
    self.schemas = schemas
    guard let schema = try store.text("select current_schema()") else {
      throw StorageError.cannotOpen(
        place: PostgreSQLPlace(url).description, reason: "its search_path names no schema that exists")
    }
    self.schema = BulkStatement.quoted(schema)
    freshSchema = BulkStatement.quoted("crossfoot_rebuild_\(Fingerprint.text(schema))")
  }

  deinit {
    made = nil
    _ = try? store.execute("drop schema if exists \(freshSchema) cascade")
  }

  var standing: any Database { store }

  var fresh: any Database {
    get throws {
      if let made { return made }
      try store.script("drop schema if exists \(freshSchema) cascade; create schema \(freshSchema)")
      let new = try PostgreSQLDatabase(url: url)
      try new.execute("set search_path to \(freshSchema)")
      try Migrations(folder: "\(schemas)/\(Engine.postgresql.rawValue)", place: PostgreSQLPlace(url).description).apply(
        to: new)
      made = new
      return new
    }
  }

  func swap() throws {
    guard made != nil else { return }
    let tables = try names(
      "select table_name from information_schema.tables where table_schema = $1 and table_type = 'BASE TABLE' order "
        + "by table_name"
    )
    try refuseOthers(tables)
    try store.transaction { try hasSameSchema() ? fillTables(tables) : moveTables(tables) }
    for table in tables { try store.execute("analyze \(schema).\(table)") }
  }

  /// The names of the new schema's objects, quoted for a statement.
  private func names(_ query: String) throws -> [String] {
    var names: [String] = []
    let plain = String(freshSchema.dropFirst().dropLast())
    try store.query(query, [.text(plain)]) { names.append(BulkStatement.quoted($0.text(0) ?? "")) }
    return names
  }

  /// Tables of the same names in a schema that is not the store's are another application's.
  private func refuseOthers(_ tables: [String]) throws {
    guard try !hasTable("schema_version") else { return }
    if let other = try tables.first(where: { try hasTable($0) }) {
      throw StorageError.occupied(place: PostgreSQLPlace(url).description, found: "table \(schema).\(other)")
    }
  }

  private func hasTable(_ name: String) throws -> Bool {
    try store.integer("select cast(to_regclass($1) is not null as integer)", [.text("\(schema).\(name)")]) == 1
  }

  private func hasSameSchema() throws -> Bool {
    guard try hasTable("schema_version") else { return false }
    let differences = """
      select count(*) from \(schema).schema_version s full join \(freshSchema).schema_version f on f.name = s.name
        and f.checksum = s.checksum
      where s.name is null or f.name is null
      """
    return try store.integer(differences) == 0
  }

  private func fillTables(_ tables: [String]) throws {
    try store.execute("truncate table \(tables.map { "\(schema).\($0)" }.joined(separator: ", "))")
    for table in tables {
      var columns: [String] = []
      try store.query(
        "select attname from pg_attribute where attrelid = cast($1 as regclass) and attnum > 0 and not attisdropped "
          + "order by attnum",
        [.text("\(freshSchema).\(table)")]
      ) { columns.append($0.text(0) ?? "") }
      let list = BulkStatement.list(columns)
      try store.execute("insert into \(schema).\(table) (\(list)) select \(list) from \(freshSchema).\(table)")
    }
  }

  /// Drops the former tables with everything that depends on them, and moves the new ones into their place.
  private func moveTables(_ tables: [String]) throws {
    let views = try names("select table_name from information_schema.views where table_schema = $1 order by table_name")
    for view in views { try store.execute("drop view if exists \(schema).\(view) cascade") }
    for table in tables { try store.execute("drop table if exists \(schema).\(table) cascade") }
    var routines: [(kind: String, name: String)] = []
    let plain = String(freshSchema.dropFirst().dropLast())
    try store.query(
      """
      select case p.prokind when 'a' then 'aggregate' else 'function' end,
        quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')'
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 order by p.prokind, p.proname
      """, [.text(plain)]
    ) { routines.append(($0.text(0) ?? "", $0.text(1) ?? "")) }
    for (kind, name) in routines { try store.execute("drop \(kind) if exists \(schema).\(name) cascade") }
    for (kind, name) in routines { try store.execute("alter \(kind) \(freshSchema).\(name) set schema \(schema)") }
    for table in tables { try store.execute("alter table \(freshSchema).\(table) set schema \(schema)") }
    for view in views { try store.execute("alter view \(freshSchema).\(view) set schema \(schema)") }
  }
}
