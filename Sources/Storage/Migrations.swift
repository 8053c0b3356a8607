import Foundation

/// The schema files of one engine, applied once each, in the order of their names.
///
/// The contents of the store can be derived again, so nothing is repaired when an applied file has changed: the store
/// must be rebuilt.
struct Migrations {
  private static let table = "schema_version"
  /// The folder of the engine's files.
  let folder: String
  /// The store's name in errors.
  let place: String

  /// Applies all files that are not applied yet, in one transaction.
  func apply(to database: any Database) throws {
    do { try applyAll(to: database) } catch let error as StorageError { throw worded(error) }
  }

  /// PostgreSQL: 42P07 a table, 42710 another object is there already; 42501 the role lacks a right.
  private func worded(_ error: StorageError) -> StorageError {
    guard case .statementFailed(.postgresql, let code, let message, _, _) = error else { return error }
    return switch code {
    case "42P07", "42710": .occupied(place: place, found: message)
    case "42501": .notAllowed(place: place, reason: message)
    default: error
    }
  }

  private func applyAll(to database: any Database) throws {
    let files = try read()
    try database.transaction {
      // A role that only reads may not create it, not even if it is there.
      let asks = "select cast(to_regclass('\(Self.table)') is not null as integer)"
      let isThere = try database.engine == .postgresql && database.integer(asks) == 1
      if !isThere {
        try database.script("create table if not exists \(Self.table) (name text primary key, checksum text not null)")
      }
      var applied = try recorded(in: database)
      var firstNew: String?
      for file in files {
        guard let checksum = applied.removeValue(forKey: file.name) else {
          firstNew = firstNew ?? file.name
          try apply(file, to: database)
          continue
        }
        if checksum != file.checksum { throw changed(file.name, "has changed since") }
        if let firstNew { throw changed(firstNew, "comes before an applied file") }
      }
      if let gone = applied.keys.min() { throw changed(gone, "is unknown here") }
    }
  }

  private func changed(_ file: String, _ reason: String) -> StorageError {
    .schemaChanged(place: place, file: file, reason: reason)
  }

  private func apply(_ file: SchemaFile, to database: any Database) throws {
    try database.script(file.sql)
    try database.execute(
      "insert into \(Self.table) (name, checksum) values ($1, $2)", [.text(file.name), .text(file.checksum)])
  }

  private func recorded(in database: any Database) throws -> [String: String] {
    var found: [String: String] = [:]
    try database.query("select name, checksum from \(Self.table) order by name") { row in
      if let name = row.text(0) { found[name] = row.text(1) ?? "" }
    }
    return found
  }

  private func read() throws -> [SchemaFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = try names.filter { $0.hasSuffix(".sql") }.sorted().map { name in
      guard let sql = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else {
        throw StorageError.noSchema(folder: "\(folder)/\(name)")
      }
      return SchemaFile(name: name, sql: sql)
    }
    if files.isEmpty { throw StorageError.noSchema(folder: folder) }
    return files
  }
}

/// One schema file and the checksum that shows whether it has changed.
private struct SchemaFile {
  let name: String
  let sql: String

  var checksum: String { Fingerprint.text(sql) }
}

/// FNV-1a of a text: it detects an edit, and is no protection against manipulation.
enum Fingerprint {
  static func text(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
