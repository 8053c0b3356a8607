/// Opens the store and brings its schema up to date.
///
/// - Parameters:
///   - url: `sqlite:path`, `sqlite::memory:` or `postgresql://user@host:5432/database?options`.
///   - schemas: the folder that holds one folder per engine (`sqlite`, `postgresql`) with files `NNN-name.sql`.
/// - Throws: `StorageError`.
package func openDatabase(url: String, schemas: String) throws -> any Database {
  let place = try StoreURL(url)
  let database: any Database = try place.open()
  try Migrations(folder: "\(schemas)/\(database.engine.rawValue)", place: place.description).apply(to: database)
  return database
}

/// Where the store is, as configured; its description carries no password.
package enum StoreURL: Sendable, CustomStringConvertible {
  case sqlite(path: String)
  case postgresql(url: String)

  /// - Throws: `StorageError.unknownScheme`.
  package init(_ url: String) throws {
    let scheme = url.prefix { $0 != ":" }
    let rest = String(url.dropFirst(scheme.count + 1))
    switch scheme {
    case "sqlite" where !rest.isEmpty: self = .sqlite(path: rest)
    case "postgresql", "postgres": self = .postgresql(url: url)
    default: throw StorageError.unknownScheme(String(scheme.prefix(20)))
    }
  }

  /// Opens a connection, without looking at the schema.
  package func open() throws -> any Database {
    switch self {
    case .sqlite(let path): try SQLiteDatabase(path: path)
    case .postgresql(let url): try PostgreSQLDatabase(url: url)
    }
  }

  package var description: String {
    switch self {
    case .sqlite(let path): path
    case .postgresql(let url): PostgreSQLPlace(url).description
    }
  }
}
