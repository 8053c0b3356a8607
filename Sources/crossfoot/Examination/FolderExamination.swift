import Foundation
import Providers
import Settings

/// Whether the folders of the landing zone and of the reports are writable, and how much space they have.
enum FolderExamination {
  /// With less space than this, a nightly run may not fit.
  static let warningBytes: Int64 = 2 << 30
  /// Below this it will not.
  static let badBytes: Int64 = 100 << 20

  static func findings(_ settings: Settings) -> [DiagnosticLine] {
    [("landing zone", settings.landing.directory), ("reports", settings.reporting.output)].map { name, path in
      DiagnosticLine(.folders, finding(name, path))
    }
  }

  static func finding(_ name: String, _ path: String) -> Diagnostic {
    let existing = nearestExisting(path)
    guard isFolder(existing) else {
      return Diagnostic(.bad, "\(name): \(existing) is not a folder; move it away")
    }
    guard FileManager.default.isWritableFile(atPath: existing) else {
      return Diagnostic(.bad, "\(name): \(existing) cannot be written by this user")
    }
    guard let free = freeBytes(existing) else { return Diagnostic(.warning, "\(name): \(path): free space unknown") }
    let room = "\(name): \(path) can be written, \(free >> 20) MiB free"
    if free < badBytes { return Diagnostic(.bad, room + "; too little for a run") }
    return Diagnostic(free < warningBytes ? .warning : .good, room)
  }

  /// The folder itself, or its nearest existing parent, in which it would be created.
  static func nearestExisting(_ path: String) -> String {
    var current = URL(fileURLWithPath: path).standardizedFileURL
    while current.path != "/" && !FileManager.default.fileExists(atPath: current.path) {
      current.deleteLastPathComponent()
    }
    return current.path
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func freeBytes(_ path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}
