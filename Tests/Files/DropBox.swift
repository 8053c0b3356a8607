import Foundation

/// A folder of its own for one test, into which files are put.
struct DropBox {
  let path: String

  static func with<R>(_ body: (DropBox) throws -> R) throws -> R {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(DropBox(path: path))
  }

  /// Writes a file and returns its path.
  @discardableResult func put(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
