import Foundation
import TestSupport
import Testing

/// One run of the built binary, ended.
struct CommandRun: Sendable {
  /// The exit status, or the number of the signal that ended it.
  let status: Int32
  let output: String
  let errors: String

  /// Runs the binary beside the test bundle with an almost empty environment.
  init(_ arguments: [String], in folder: String = NSTemporaryDirectory(), environment: [String: String] = [:]) throws {
    let started = try StartedCommand(arguments, in: folder, environment: environment)
    self = try started.run(status: started.child.wait())
  }

  /// The same for a test that serves the binary meanwhile.
  ///
  /// - Parameter onStart: called with the process id.
  init(
    _ arguments: [String], binary: String? = nil, in folder: String, environment: [String: String] = [:],
    onStart: (Int32) -> Void = { _ in }
  ) async throws {
    let started = try StartedCommand(arguments, binary: binary, in: folder, environment: environment)
    onStart(started.child.id)
    self = try started.run(status: await started.child.ended())
  }

  /// Expects an exit status, and shows what was said where it is another.
  func expect(_ status: Int32, _ comment: String = "", location: SourceLocation = #_sourceLocation) {
    #expect(self.status == status, "\(comment) \(output)\(errors)", sourceLocation: location)
  }

  fileprivate init(status: Int32, output: String, errors: String) {
    (self.status, self.output, self.errors) = (status, output, errors)
  }

  /// The binary that was built together with the tests.
  static var binary: URL {
    get throws {
      var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      folder.appendPathComponent(".build/debug")
      let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
        "crossfoot")
      let places = [beside, folder.appendingPathComponent("crossfoot")]
      return try #require(
        places.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "no binary at \(places)")
    }
  }
}

/// The binary while it runs; what it says goes to files, so that it never waits for a reader.
private struct StartedCommand {
  let child: Child
  private let said: TemporaryFolder

  init(_ arguments: [String], binary: String? = nil, in folder: String, environment: [String: String]) throws {
    said = try TemporaryFolder()
    child = try Child(
      [try binary ?? CommandRun.binary.path] + arguments, in: folder,
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }, output: said.path + "/out",
      errors: said.path + "/err")
  }

  func run(status: Int32) throws -> CommandRun {
    CommandRun(status: status, output: try said.read("out"), errors: try said.read("err"))
  }
}

/// A folder that is removed with its last owner.
final class TemporaryFolder: Sendable {
  let path: String

  /// - Parameter place: the folder that it is made in.
  init(in place: String = NSTemporaryDirectory()) throws {
    path = URL(fileURLWithPath: place).resolvingSymlinksInPath().path + "/crossfoot-" + UUID().uuidString
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
