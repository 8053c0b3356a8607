/// A store that is made anew beside the one that stands, and takes its place in one step.
///
/// Until `swap` has returned the standing store is as it was, and whoever reads it or is killed meanwhile finds the old
/// or the new one whole. What an earlier, interrupted one left is removed at the beginning.
package protocol StoreRebuild: AnyObject {
  /// The store that stands, empty where there was none; its schema may be another one.
  var standing: any Database { get }
  /// The new one: empty, with the present schema, to be filled in any number of transactions.
  var fresh: any Database { get throws }
  /// Lets what `fresh` holds take the place of what `standing` holds, in one transaction.
  func swap() throws
}

/// Opens the store at a URL to make it anew.
///
/// - Parameter schemas: as for `openDatabase`.
/// - Throws: `StorageError`.
package func openRebuild(url: String, schemas: String) throws -> any StoreRebuild {
  switch try StoreURL(url) {
  case .sqlite(let path): try SQLiteRebuild(path: path, schemas: schemas)
  case .postgresql(let url): try PostgreSQLRebuild(url: url, schemas: schemas)
  }
}
