import Cryptography
import Foundation

/// One delivered file, identified by its content: the same content under another name is the same delivery.
package struct DeliveredFile: Sendable, Hashable {
  /// Its name without folders.
  package var name: String
  /// Where it lies.
  package var path: String
  /// Its length in bytes.
  package var bytes: Int64
  /// The SHA-256 of its content, in lowercase hexadecimal.
  package var sha256: String

  /// Reads the file once, in memory independent of its size.
  ///
  /// - Throws: `FileProblem`.
  package init(name: String, path: String) throws(FileProblem) {
    let file = try SourceFile(path: path)
    var hash = SHA256()
    var length: Int64 = 0
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = try file.fill(piece)
      if count == 0 { break }
      hash.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      length += Int64(count)
    }
    (self.name, self.path, bytes) = (name, path, length)
    sha256 = hash.finalize().hexadecimal
  }
}

/// A folder into which files are delivered.
package struct DeliveredFolder: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The names of the files in the folder, sorted; folders, hidden files and unfinished uploads are left out.
  ///
  /// - Throws: `FolderProblem`.
  package func names() throws(FolderProblem) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing(path) }
    guard isFolder.boolValue else { throw .noFolder(path) }
    let found: [String]
    do { found = try FileManager.default.contentsOfDirectory(atPath: path) } catch { throw .closed(path) }
    return found.filter { DeliveredName.isWhole($0) && isFile($0) }.sorted {
      Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
    }
  }

  /// The names of all files, those in subfolders with their path from this folder (`2026/batch_7.csv`), sorted.
  ///
  /// - Parameter patterns: patterns of names (`*.bak`) to skip, compared with a file's or folder's name and with its
  ///   path from this folder.
  /// - Throws: `FolderProblem`, for a subfolder too.
  package func allNames(ignoring patterns: [String] = []) throws(FolderProblem) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing(path) }
    guard isFolder.boolValue else { throw .noFolder(path) }
    var names: [String] = []
    try collect("", ignoring: patterns, into: &names)
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  /// A symbolic link to a folder is not followed: it may lead back.
  private func collect(_ folder: String, ignoring patterns: [String], into names: inout [String]) throws(FolderProblem)
  {
    let place = folder.isEmpty ? path : path + "/" + folder
    let found: [String]
    do { found = try FileManager.default.contentsOfDirectory(atPath: place) } catch { throw .closed(place) }
    for name in found where DeliveredName.isWhole(name) {
      let whole = folder.isEmpty ? name : folder + "/" + name
      guard !patterns.contains(where: { fnmatch($0, name, 0) == 0 || fnmatch($0, whole, 0) == 0 }) else { continue }
      if isFile(whole) {
        names.append(whole)
      } else if !isLink(whole) {
        try collect(whole, ignoring: patterns, into: &names)
      }
    }
  }

  private func isLink(_ name: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/" + name)) != nil
  }

  /// The files in the folder, sorted by name, each read once for its SHA-256.
  ///
  /// - Throws: `FolderProblem`; the first file that cannot be read ends it.
  package func files() throws(FolderProblem) -> [DeliveredFile] {
    var files: [DeliveredFile] = []
    for name in try names() { files.append(try file(name)) }
    return files
  }

  /// One of the files.
  ///
  /// - Throws: `FolderProblem.unreadable`.
  package func file(_ name: String) throws(FolderProblem) -> DeliveredFile {
    do { return try DeliveredFile(name: name, path: path + "/" + name) } catch { throw .unreadable(name, "\(error)") }
  }

  /// Whether a file may be read, without reading it.
  package func isReadable(_ name: String) -> Bool { access(path + "/" + name, R_OK) == 0 }

  /// A symbolic link counts as its target; one without a target is a file that cannot be read, and is reported as such.
  private func isFile(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return !FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder) || !isFolder.boolValue
  }
}

/// Names that people and transfer programs give to files that are not delivered yet.
package enum DeliveredName {
  private static let partial = [".part", ".partial", ".tmp", ".filepart", ".crdownload", "~"]

  /// Whether a name is that of a complete file: not hidden, and not an unfinished upload.
  package static func isWhole(_ name: String) -> Bool {
    let lowercase = name.lowercased()
    return !name.hasPrefix(".") && !partial.contains { lowercase.hasSuffix($0) }
  }
}

/// Why a folder, or a file in it, cannot be used, and what to do.
package enum FolderProblem: Error, Equatable, CustomStringConvertible {
  case missing(String)
  case noFolder(String)
  /// The folder cannot be listed.
  case closed(String)
  /// The file's name, and the system's reason.
  case unreadable(String, String)

  package var description: String {
    switch self {
    case .missing(let path): "the folder \(path) is missing; create it, or correct its path in the configuration"
    case .noFolder(let path): "\(path) is a file; name the folder that receives the files"
    case .closed(let path): "the folder \(path) cannot be listed; let the user who runs this read and enter it"
    case .unreadable(let name, let reason): "\(name) \(reason); let the user who runs this read it, or deliver it again"
    }
  }
}
