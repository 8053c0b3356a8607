import Cryptography
import Foundation
import JSON

/// The manifests in the folders of a landing zone, valid or not.
struct ManifestFiles {
  /// One of them.
  struct Entry {
    /// The landed file it belongs to, relative to the landing zone's folder.
    let file: String
    /// nil: it cannot be read.
    let manifest: Manifest?
    let failure: LandingError?
  }

  let directory: String
  private let parser = JSONParser()

  init(directory: String) { self.directory = directory }

  /// All of them, in a fixed order.
  func all() throws -> [Entry] {
    try streamFolders().flatMap(folder)
  }

  /// Every stream's folder, relative to the landing zone's.
  func streamFolders() throws -> [String] {
    try names(in: directory).flatMap { provider in
      try names(in: directory + "/" + provider).map { provider + "/" + $0 }
    }
  }

  /// Those of a stream's folder.
  func folder(_ folder: String) throws -> [Entry] {
    try names(in: directory + "/" + folder).filter { $0.hasSuffix(LandingNames.manifestSuffix) }.map { name in
      let file = folder + "/" + name.dropLast(LandingNames.manifestSuffix.count) + LandingNames.fileSuffix
      do {
        return Entry(file: file, manifest: try read(folder + "/" + name), failure: nil)
      } catch let error as LandingError {
        return Entry(file: file, manifest: nil, failure: error)
      }
    }
  }

  /// A manifest that was read before is not decoded again as long as its file is unchanged.
  private func read(_ path: String) throws -> Manifest {
    let seen = ManifestCache.Identity("\(directory)/\(path)")
    if let seen, let known = ManifestCache.manifest("\(directory)/\(path)", seen) { return known }
    let manifest = try decode(path)
    if let seen { ManifestCache.keep(manifest, "\(directory)/\(path)", seen) }
    return manifest
  }

  private func decode(_ path: String) throws -> Manifest {
    guard let bytes = FileManager.default.contents(atPath: directory + "/" + path).map(Array.init) else {
      throw LandingError.system("read", directory + "/" + path)
    }
    var manifest: Manifest
    do {
      manifest = try Manifest(bytes, parser)
    } catch {
      throw LandingError.unreadableManifest(file: path, reason: "\(bytes.count) bytes that are no manifest")
    }
    guard manifest.version == 1 else {
      throw LandingError.unreadableManifest(file: path, reason: "version \(manifest.version)")
    }
    guard LandingNames.manifest(of: manifest.path) == path else {
      throw LandingError.unreadableManifest(file: path, reason: "the manifest of \(manifest.path)")
    }
    manifest.manifestSHA256 = SHA256.hash(bytes).hexadecimal
    return manifest
  }

  /// The content of a folder, without hidden names, in a fixed order; empty when it is missing or not a folder.
  private func names(in folder: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw LandingError.system("list", folder)
    }
  }
}
