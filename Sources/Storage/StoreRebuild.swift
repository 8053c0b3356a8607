/// A store that is built beside the current one and replaces it in one step.
///
/// Until `swap` has returned the current store is unchanged. A reader, or a process that is killed meanwhile, finds
/// either the old or the new store complete. Leftovers of an interrupted rebuild are removed at the beginning.
package protocol StoreRebuild: AnyObject {
  /// The current store, empty where there was none; its schema may be another version.
  var standing: any Database { get }
  /// The new store: empty, with the present schema, to be filled in any number of transactions.
  var fresh: any Database { get throws }
  /// Replaces the contents of `standing` with those of `fresh`, in one transaction.
  func swap() throws
}

/// Opens the store at a URL for a rebuild.
///
/// - Parameter schemas: as for `openDatabase`.
/// - Throws: `StorageError`.
package func openRebuild(url: String, schemas: String) throws -> any StoreRebuild {
  switch try StoreURL(url) {
  case .sqlite(let path): try SQLiteRebuild(path: path, schemas: schemas)
  case .postgresql(let url): try PostgreSQLRebuild(url: url, schemas: schemas)
  }
}
