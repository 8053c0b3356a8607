import Foundation
import Testing

/// One run of the built binary, ended.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs the binary beside the test bundle with an almost empty environment.
  init(_ arguments: [String], in folder: String = NSTemporaryDirectory(), environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = try Self.binary
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }
    let output = try TemporaryFolder()
    for name in ["out", "err"] { try output.write(name, "") }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output.path + "/out"))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: output.path + "/err"))
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    self.output = try output.read("out")
    errors = try output.read("err")
  }

  /// The binary that was built together with the tests.
  static var binary: URL {
    get throws {
      var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      folder.appendPathComponent(".build/debug")
      let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("crossfoot")
      let places = [beside, folder.appendingPathComponent("crossfoot")]
      return try #require(places.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "no binary at \(places)")
    }
  }
}

/// A folder that is removed with its last owner.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path + "/crossfoot-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }
}
