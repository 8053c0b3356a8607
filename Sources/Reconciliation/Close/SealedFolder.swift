import Cryptography
import Disk
import Foundation

/// A folder that appears as a whole or not at all: written under a temporary name, made durable and read-only, and
/// moved into place by one rename.
struct SealedFolder {
  /// The temporary folder: a hidden sibling.
  let partial: String
  let path: String

  /// Makes the temporary folder; what an interrupted run left is removed.
  ///
  /// - Throws: the error of the file system.
  init(_ path: String) throws {
    self.path = path
    let parent = (path as NSString).deletingLastPathComponent
    partial = "\(parent)/.closing-\((path as NSString).lastPathComponent)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Self.remove(partial)
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: false)
  }

  func add(_ name: String, _ bytes: [UInt8]) throws {
    let file = "\(partial)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw Self.failure }
    defer { close(descriptor) }
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Disk.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if written < 0 && errno == EINTR { continue }
        guard written >= 0 else { throw Self.failure }
        rest = rest.dropFirst(written)
      }
    }
  }

  /// Copies a file, as a clone where the file system supports it.
  func copy(_ source: String, as name: String) throws {
    let file = "\(partial)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: file)
  }

  /// Moves the folder into place; returns once it is on the disk.
  func show() throws {
    try Self.settle(partial)
    let parent = (path as NSString).deletingLastPathComponent
    guard Disk.rename(partial, to: path) == 0 else { throw Self.failure }
    try Self.flush(parent)
  }

  func discard() { try? Self.remove(partial) }

  /// Makes files 0440 and folders 0550, and flushes them to the disk.
  private static func settle(_ folder: String) throws {
    for name in names(folder) {
      guard chmod("\(folder)/\(name)", 0o440) == 0 else { throw failure }
      try flush("\(folder)/\(name)")
    }
    for place in folders(folder).reversed() {
      try flush(place)
      guard chmod(place, 0o550) == 0 else { throw failure }
    }
  }

  /// The files of a folder and its subfolders, relative to the folder, in a fixed order.
  static func names(_ folder: String) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\($0)", isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }

  /// The folder with all its subfolders, the outer ones first.
  private static func folders(_ folder: String) -> [String] {
    [folder]
      + ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
      .filter {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && isFolder.boolValue
      }
  }

  /// Removes a folder, read-only or not; does nothing if it does not exist.
  static func remove(_ folder: String) throws {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    for place in folders(folder) { _ = chmod(place, 0o750) }
    try FileManager.default.removeItem(atPath: folder)
  }

  /// The length and SHA-256 of a file; nil where it cannot be read.
  static func measure(_ path: String) -> (bytes: Int64, sha256: String)? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var (hash, bytes) = (SHA256(), Int64(0))
    do {
      while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
        hash.update(piece)
        bytes += Int64(piece.count)
      }
    } catch { return nil }
    return (bytes, hash.finalize().hexadecimal)
  }

  private static func flush(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    guard Disk.synchronise(descriptor) == 0 else { throw failure }
  }

  static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
