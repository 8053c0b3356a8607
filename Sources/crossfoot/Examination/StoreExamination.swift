import Foundation
import Providers
import Settings
import Storage

/// Whether the store can be opened; one that does not exist yet is created by the first run, not by this check.
enum StoreExamination {
  static func finding(_ workplace: CommandContext) -> Diagnostic {
    let store = workplace.settings.store
    if let file = file(of: store), !FileManager.default.fileExists(atPath: file) {
      return Diagnostic(.good, "\(store.shown) does not exist yet; the first run creates it")
    }
    do {
      let database = try openDatabase(url: store.url.revealed, schemas: workplace.resources.sql + "/schema")
      _ = try database.query("select 1", []) { _ in }
      return Diagnostic(.good, "\(store.shown) can be opened")
    } catch {
      return Diagnostic(.bad, "\(error)")
    }
  }

  /// The file of an SQLite store.
  private static func file(of store: Settings.Store) -> String? {
    let url = store.url.revealed
    return url.hasPrefix("sqlite:/") ? String(url.dropFirst("sqlite:".count)) : nil
  }
}
