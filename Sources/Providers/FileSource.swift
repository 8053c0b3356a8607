import Files
import Foundation

/// Where files are delivered.
package protocol FileSource: Sendable {
  /// What is there; a folder that cannot be listed at all throws.
  ///
  /// - Parameter known: the files of earlier pulls, for a source that must ask for each by name.
  func list(known: [ImportedFile]) async throws -> FileListing
  /// Brings a file onto this machine, if it is not there, into the folder given; returns its path.
  func fetch(_ file: ListedFile, into folder: String) async throws -> String
  /// What keeps listed files from being read, as far as it shows without reading them whole; for `doctor`.
  func faults(of files: [ListedFile]) async -> [String]
}

extension FileSource {
  package func faults(of files: [ListedFile]) async -> [String] { [] }
}

/// What a source has.
package struct FileListing: Sendable {
  package var files: [ListedFile]
  /// Why this may not be everything, in a sentence for people.
  package var problem: String?

  package init(files: [ListedFile], problem: String? = nil) {
    self.files = files
    self.problem = problem
  }
}

/// A file as its source lists it.
package struct ListedFile: Sendable, Hashable {
  /// Its name, from the folder that is listed on.
  package var name: String
  /// What changes when the file does, as far as the source reports without giving it (length and date): with the stamp
  /// that it was landed with, it is not fetched again. Nil: it is fetched, and its content decides.
  package var stamp: String?

  package init(name: String, stamp: String? = nil) {
    self.name = name
    self.stamp = stamp
  }
}

/// A folder of this machine, with its subfolders.
package struct LocalFiles: FileSource {
  package let folder: DeliveredFolder
  private let ignored: [String]

  /// - Parameter ignored: file name patterns of what is passed over.
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

/// A folder of our own for files that are brought from elsewhere: made when it is first needed, readable by nobody
/// else, gone with the pull.
final class ScratchFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString)").path

  /// The folder, which is then there.
  func make() throws -> String {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
  }

  /// Removes it with all that is in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
