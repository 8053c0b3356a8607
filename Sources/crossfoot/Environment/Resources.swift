import Foundation

/// The folder with `sql` and `reports` that is distributed with the binary.
struct Resources: Sendable, Equatable {
  /// Absolute; contains `sql` and `reports`.
  let folder: String

  var sql: String { folder + "/sql" }
  var reports: String { folder + "/reports" }

  /// Looks for the folder: `--resources`, `$CROSSFOOT_RESOURCES`, `share/crossfoot` beside the binary's folder, and
  /// then every folder above the binary, where a checkout would be.
  ///
  /// - Throws: `Failure` when a given place does not contain it (64 for the option, 78 for the variable), or when no
  ///   place does (78).
  static func find(
    option: String?, environment: [String: String] = ProcessInfo.processInfo.environment, binary: String = Self.binary
  ) throws -> Resources {
    if let option { return try named(option, by: "--resources", status: .usage) }
    if let variable = environment["CROSSFOOT_RESOURCES"], !variable.isEmpty {
      return try named(variable, by: "CROSSFOOT_RESOURCES", status: .configuration)
    }
    let folder = URL(fileURLWithPath: binary).deletingLastPathComponent()
    let installed = folder.deletingLastPathComponent().appendingPathComponent("share/crossfoot")
    let places = [installed.path] + foldersAbove(folder)
    guard let found = places.first(where: isComplete) else {
      throw Failure(
        .configuration,
        "the folder with sql and reports is neither at \(installed.path) nor above the binary; name it with --resources"
      )
    }
    return Resources(folder: found)
  }

  /// The running binary with symbolic links resolved.
  static var binary: String {
    if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
    return Bundle.main.executableURL?.resolvingSymlinksInPath().path ?? CommandLine.arguments[0]
  }

  private static func named(_ path: String, by name: String, status: ExitStatus) throws -> Resources {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.path
    guard isComplete(folder) else {
      throw Failure(status, "\(name): \(folder) does not hold the folders sql and reports")
    }
    return Resources(folder: folder)
  }

  private static func foldersAbove(_ folder: URL) -> [String] {
    var folders: [String] = []
    var current = folder.standardizedFileURL
    while current.path != "/" && !current.path.isEmpty {
      folders.append(current.path)
      current = current.deletingLastPathComponent()
    }
    return folders
  }

  private static func isComplete(_ folder: String) -> Bool {
    ["sql/schema", "reports"].allSatisfy { part in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder + "/" + part, isDirectory: &isFolder) && isFolder.boolValue
    }
  }
}
