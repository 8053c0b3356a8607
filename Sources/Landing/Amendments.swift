import Cryptography
import Disk
import Foundation
import Glibc

/// Carries out amendments on the files.
extension Landing {
  /// The name under which the new content of a file waits until its amendment is part of the chain.
  static func prepared(_ file: String) -> String {
    let parts = file.split(separator: "/")
    return (parts.dropLast() + ["\(preparedPrefix)\(parts.last ?? "")"]).joined(separator: "/")
  }

  static let preparedPrefix = ".amended-"

  /// Completes amendments that have landed: removes the files to be removed, and puts new contents in place.
  ///
  /// - Throws: `LandingError`.
  package func settleAmendments() throws {
    let claimed = try Self.amendments(manifests(provider: Amendment.source, stream: Amendment.stream), in: directory)
    guard claimed.contains(where: isOutstanding) else { return }
    // Only amendments that are part of the chain remove anything.
    let chained = Set(try survey().manifests.map(\.path))
    let manifests = try manifests(provider: Amendment.source, stream: Amendment.stream)
    let trusted = try Self.amendments(manifests.filter { chained.contains($0.path) }, in: directory)
    let newest = Dictionary(trusted.map { ($0.file, $0) }) { $1 }
    for amendment in newest.values.sorted(by: { $0.file < $1.file }) where isOutstanding(amendment) {
      try settle(amendment)
    }
  }

  private func isOutstanding(_ amendment: Amendment) -> Bool {
    access("\(directory)/\(amendment.now == nil ? amendment.file : Self.prepared(amendment.file))", F_OK) == 0
  }

  private func settle(_ amendment: Amendment) throws {
    let path = "\(directory)/\(amendment.file)"
    guard let now = amendment.now else {
      guard Disk.remove(path) == 0 || errno == ENOENT else { throw LandingError.system("remove", path) }
      return
    }
    let prepared = "\(directory)/\(Self.prepared(amendment.file))"
    // A log that has grown since is not overwritten.
    if hash(prepared) == now.sha256 && hash(path) == amendment.was.sha256 {
      guard Disk.rename(prepared, to: path) == 0 else { throw LandingError.system("rename", prepared) }
    } else {
      guard Disk.remove(prepared) == 0 else { throw LandingError.system("remove", prepared) }
    }
  }

  private func hash(_ path: String) -> String? {
    guard let file = try? StoredFile(path: path) else { return nil }
    var hash = SHA256()
    _ = try? file.read { hash.update($0) }
    return hash.finalize().hexadecimal
  }

  /// Removes what an erasure prepared that did not become part of the chain.
  func discardPrepared() throws {
    let files = ManifestFiles(directory: directory)
    for folder in [""] + (try files.streamFolders()) {
      let path = folder.isEmpty ? directory : "\(directory)/\(folder)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      for name in names where name.hasPrefix(Self.preparedPrefix) {
        guard Disk.remove("\(path)/\(name)") == 0 else { throw LandingError.system("remove", "\(path)/\(name)") }
      }
    }
  }
}

extension Landing {
  /// Removes the bytes of landed files; their manifests stay.
  ///
  /// - Throws: `LandingError`.
  package func letGo(_ manifests: [Manifest], by signature: Amendment.Signature) throws {
    let amendments = manifests.map {
      Amendment($0.path, was: .init(bytes: $0.bytes, sha256: $0.sha256), now: nil, .retention, signature)
    }
    try amend(amendments, at: signature.at)
  }

  /// How many landed files have been removed so far, and when the newest of them was observed.
  package static func letGo(_ manifests: [Manifest]) -> (files: Int, until: Int64?) {
    let gone = manifests.filter(\.isLetGo)
    return (gone.count, gone.map(\.observedAt).max())
  }
}
