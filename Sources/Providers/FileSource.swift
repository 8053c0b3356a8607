import Files
import Foundation

/// Where files are delivered.
package protocol FileSource: Sendable {
  /// Lists the files; throws when the folder cannot be listed at all.
  ///
  /// - Parameter known: the files of earlier pulls, for a source that has to request each file by name.
  func list(known: [ImportedFile]) async throws -> FileListing
  /// Copies a file to this machine, into the given folder, if it is not here already; returns its path.
  func fetch(_ file: ListedFile, into folder: String) async throws -> String
  /// What prevents listed files from being read, as far as can be seen without reading them in full; for `doctor`.
  func faults(of files: [ListedFile]) async -> [String]
}

extension FileSource {
  package func faults(of files: [ListedFile]) async -> [String] { [] }
}

/// What a source has.
package struct FileListing: Sendable {
  package var files: [ListedFile]
  /// Why the listing may be incomplete, in a sentence for people.
  package var problem: String?

  package init(files: [ListedFile], problem: String? = nil) {
    self.files = files
    self.problem = problem
  }
}

/// A file as its source lists it.
package struct ListedFile: Sendable, Hashable {
  /// Its name, relative to the listed folder.
  package var name: String
  /// Changes whenever the file does, as far as the source reports it in a listing (length and date): a file that landed
  /// with the same stamp is not fetched again. Nil: it is always fetched, and its content decides.
  package var stamp: String?

  package init(name: String, stamp: String? = nil) {
    self.name = name
    self.stamp = stamp
  }
}

/// A folder on this machine, with its subfolders.
package struct LocalFiles: FileSource {
  package let folder: DeliveredFolder
  private let ignored: [String]

  /// - Parameter ignored: patterns of file names to skip.
  package init(directory: String, ignoring ignored: [String] = []) {
    folder = DeliveredFolder(path: directory)
    self.ignored = ignored
  }

  package func list(known: [ImportedFile]) throws -> FileListing {
    FileListing(files: try folder.allNames(ignoring: ignored).map { ListedFile(name: $0) })
  }

  package func fetch(_ file: ListedFile, into folder: String) -> String {
    self.folder.path + "/" + file.name
  }

  package func faults(of files: [ListedFile]) -> [String] {
    files.filter { !folder.isReadable($0.name) }.map {
      "\($0.name) may not be read; let the user who runs this read it"
    }
  }
}

/// A private folder for files copied from elsewhere: created when first needed, readable by its owner only, removed
/// after the pull.
final class ScratchFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString)").path

  /// Creates the folder if needed and returns its path.
  func make() throws -> String {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
  }

  /// Removes the folder and its content.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
