import Foundation
import Storage
import Testing

/// A kind of store that tests run on: the same test body on every engine.
///
///     @Test(arguments: TestStore.all) func `a story`(engine: TestStore) throws {
///       try withStore(engine) { database in … }
///     }
package enum TestStore: String, CaseIterable, Sendable {
  case sqlite, postgresql

  /// Every engine, there or not.
  package static let all = allCases
  /// Where tests find PostgreSQL, e.g. `postgresql://postgres@127.0.0.1:5432/crossfoot_test`; each test makes and drops
  /// a schema of its own there.
  package static let postgresqlURL = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_POSTGRESQL"]

  /// The repository's folder of schemas.
  package static let schemas = repository + "/sql/schema"
  /// The repository's folder.
  package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().path
}

/// Runs the body with a new store of the engine, migrated with the repository's schema (or another folder's) and with
/// the tables that a run derives, and removes it afterwards.
package func withStore<R>(
  _ engine: TestStore, schemas: String = TestStore.schemas, _ body: (any Database) throws -> R
) throws -> R {
  try withStoreURL(engine) { url in
    let database = try openDatabase(url: url, schemas: schemas)
    for file in ["1-derived", "2-matched", "3-results", "4-views"] {
      try database.script(try String(contentsOfFile: "\(schemas)/\(engine.rawValue)/run/\(file).sql", encoding: .utf8))
    }
    return try body(database)
  }
}

/// Runs the body with the URL of an empty store of the engine, and removes it afterwards.
package func withStoreURL<R>(_ engine: TestStore, _ body: (String) throws -> R) throws -> R {
  let place = try TestPlace(engine)
  defer { place.remove() }
  return try body(place.url)
}

/// The same for a body that waits.
package func withStoreURL<R>(_ engine: TestStore, _ body: (String) async throws -> R) async throws -> R {
  let place = try TestPlace(engine)
  defer { place.remove() }
  return try await body(place.url)
}

/// A place for one store: a folder for SQLite, a schema in PostgreSQL.
private struct TestPlace {
  let url: String
  let remove: () -> Void

  /// Cancels the test where the engine is not there.
  init(_ engine: TestStore) throws {
    let name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    switch engine {
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      url = "sqlite:\(folder.path)/store.db"
      remove = { try? FileManager.default.removeItem(at: folder) }
    case .postgresql:
      guard let base = TestStore.postgresqlURL else { try Test.cancel("CROSSFOOT_TEST_POSTGRESQL is not set") }
      let owner = try StoreURL(base).open()
      try owner.execute("create schema \(name)")
      url = "\(base)\(base.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
      remove = { _ = try? owner.execute("drop schema \(name) cascade") }
    }
  }
}
