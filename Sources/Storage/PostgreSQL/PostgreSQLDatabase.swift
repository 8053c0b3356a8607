import CLibPQ
final class PostgreSQLDatabase: Database {
  let engine = Engine.postgresql
  init(url: String) throws { throw StorageError.cannotOpen(place: "postgresql", reason: "not yet") }
  func execute(_ sql: String, _ parameters: [SQLValue]) throws -> Int { 0 }
  func query(_ sql: String, _ parameters: [SQLValue], _ row: (any Row) throws -> Void) throws {}
  func script(_ sql: String) throws {}
  func transaction<R>(_ body: () throws -> R) throws -> R { try body() }
  func bulkLoader(into table: String, columns: [String], replacing keys: [String]) throws -> any BulkLoader {
    throw StorageError.loaderOutsideTransaction(table: table)
  }
  func tryLock(_ name: String) throws -> Bool { false }
  func unlock(_ name: String) throws {}
}
struct PostgreSQLPlace: CustomStringConvertible {
  init(_ url: String) {}
  var description: String { "postgresql" }
}
